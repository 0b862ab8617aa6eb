import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { opened } from '../opened.js';
import { openGateWorld } from '../policy/gate-world.js';
import { seedId } from '../sandbox/client.js';

/** Addresses with a password, a token or a signature: no journal and no plan has them, and what is sent does. */

const world = opened(openGateWorld);
beforeEach(() => world.reset());

const org = seedId('org acme');
const secret = 'Pa55-w0rd-of-the-address';
const addresses = [
  `https://someone:${secret}@specs.example/petstore.yaml`,
  `https://specs.example/petstore.yaml?token=${secret}`,
  `https://bucket.example/petstore.yaml?X-Amz-Signature=${secret}&X-Amz-Expires=60`,
];
const create = (url: string) => ['openapi', 'create', 'pets', '--url', url, '--org', org];

/** All that docs keeps, as one text. */
function kept(): string {
  const files = readdirSync(world.home, { recursive: true, withFileTypes: true });
  const own = files.filter((file) => file.isFile());
  return own.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')).join('\n');
}

it.each(addresses)('%s is sent, and kept nowhere', async (url) => {
  const { code, stdout } = await world.run(create(url));
  expect(code).toBe(0);
  expect(JSON.stringify(JSON.parse(stdout))).toContain(secret);
  expect(kept()).toContain('"$env":"SECRET_URL"');
  expect(kept()).not.toContain(secret);
  expect(await world.run(['undo', 'last', '--yes'])).toMatchObject({ code: 0 });
});

it.each(addresses)('%s stands in no plan, which wants it again', async (url) => {
  const planned = await world.run([...create(url), '--save-plan', 'plan.json']);
  expect(planned).toMatchObject({ code: 0, writes: [] });
  expect(planned.stderr).toContain('SECRET_URL');
  expect(kept()).not.toContain(secret);
  const apply = (env: Record<string, string>) =>
    world.run(['apply', 'plan.json', '--yes'], undefined, { env: { DOCS_ORG: org, ...env } });
  expect(await apply({})).toMatchObject({ error: { code: 'env_unset' }, writes: [] });
  expect(await apply({ SECRET_URL: `${url}x` })).toMatchObject({
    error: { code: 'env_changed' },
    writes: [],
  });
  expect(await apply({ SECRET_URL: url })).toMatchObject({ code: 0 });
  expect(kept()).not.toContain(secret);
  rmSync(join(world.home, 'plan.json'));
});

it('is sent again by a resumed job, which refuses to go on without it', async () => {
  const [url = ''] = addresses;
  world.control.faults.add({ match: 'POST *', status: 503, times: 20 });
  await world.run(create(url));
  const resume = (env: Record<string, string>) =>
    world.run(['jobs', 'resume', 'last'], undefined, { env: { DOCS_ORG: org, ...env } });
  world.control.faults.clear();
  const refused = await resume({});
  expect(refused).toMatchObject({ error: { code: 'env_unset' }, writes: [] });
  expect(refused.error?.message).toContain('journals and plans do not contain addresses');
  expect(await resume({ SECRET_URL: url })).toMatchObject({ code: 0 });
});

it.each(addresses)('%s is in no journal and no plan of a change that replaces it', async (url) => {
  await world.run(create(url));
  const plain = ['openapi', 'set', 'pets', '--url', 'https://specs.example/new.yaml', '--org', org, '--yes'];
  expect(await world.run([...plain, '--save-plan', 'plan.json'])).toMatchObject({ code: 0, writes: [] });
  expect(await world.run(plain)).toMatchObject({ code: 0 });
  expect(kept()).toContain('https://specs.example/new.yaml');
  expect(kept()).not.toContain(secret);
  // Undo sends the former address again, which somebody must know.
  const undo = (env: Record<string, string>) =>
    world.run(['undo', 'last', '--yes'], undefined, { env: { DOCS_ORG: org, ...env } });
  const refused = await undo({});
  expect(refused).toMatchObject({ error: { code: 'env_unset' }, writes: [] });
  const [variable = ''] = /SECRET_URL_[0-9A-F]{8}/.exec(refused.error?.message ?? '') ?? [];
  expect(await undo({ [variable]: 'https://elsewhere.example' })).toMatchObject({
    error: { code: 'env_changed' },
    writes: [],
  });
  expect(await undo({ [variable]: url })).toMatchObject({ code: 0 });
  expect((await world.run(['openapi', 'get', 'pets', '--org', org])).stdout).toContain(secret);
  expect(kept()).not.toContain(secret);
});

it('is in no journal of a deletion, whose undo takes it again', async () => {
  const [url = ''] = addresses;
  await world.run(create(url));
  expect(await world.run(['openapi', 'delete', 'pets', '--org', org, '--yes'])).toMatchObject({ code: 0 });
  expect(kept()).not.toContain(secret);
  const [variable = ''] = /SECRET_URL_[0-9A-F]{8}/.exec(kept()) ?? [];
  const env = { DOCS_ORG: org, [variable]: url };
  expect(await world.run(['undo', 'last', '--yes'], undefined, { env })).toMatchObject({ code: 0 });
  expect((await world.run(['openapi', 'get', 'pets', '--org', org])).stdout).toContain(secret);
});

it('leaves other addresses as they are', async () => {
  const url = 'https://specs.example/petstore.yaml?version=2';
  expect(await world.run(create(url))).toMatchObject({ code: 0 });
  expect(kept()).toContain(url);
});
