import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Forwarder, startForwarder } from './forwarder.js';
import { type JobHome, jobHome } from './job-home.js';
import { type Started, startSandbox } from './sandbox-server.js';

/** `docs sites schema set`, killed: resumed it is sent once, and not where a condition has come to need a claim. */

let home: JobHome;
let forwarder: Forwarder;
let sandbox: Started;
let site: string;
let api: string;

const schemaOf = (...claims: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(claims.map((claim) => [claim, { type: 'boolean' }])),
  additionalProperties: false,
});

beforeAll(async () => {
  home = jobHome({});
  sandbox = await startSandbox(home, 'acme');
  forwarder = await startForwarder(sandbox.url);
  home.env.DOCS_BASE_URL = forwarder.url;
  const sites = await home.json<{ id: string; title: string }[]>(['sites', 'list']);
  site = sites.find(({ title }) => title === 'Acme Docs')?.id ?? '';
  const sections = await home.json<{ id: string; title: string }[]>(['sections', 'list', '--site', site]);
  api = sections.find(({ title }) => title === 'API')?.id ?? '';
  writeFileSync(join(home.path, 'all.json'), JSON.stringify(schemaOf('beta', 'partner')));
  writeFileSync(join(home.path, 'less.json'), JSON.stringify(schemaOf('partner')));
});
afterAll(async () => {
  await forwarder.close();
  await sandbox.close();
  home.remove();
});

const set = (file: string) => home.ok(['sites', 'schema', 'set', site, file, '--allow-broken', '--yes']);
const condition = (text: string) =>
  home.ok(['sections', 'update', api, '--site', site, '--condition', text, '--yes']);
const claims = async () =>
  Object.keys(
    (await home.json<{ jsonSchema: { properties: object } }>(['sites', 'schema', 'get', site])).jsonSchema
      .properties,
  );

async function killed(fate: 'lost before' | 'lost after'): Promise<void> {
  await set('@all.json');
  await condition('visitor.claims.partner');
  forwarder.reset();
  const running = home.begin(['sites', 'schema', 'set', site, '@less.json', '--yes']);
  forwarder.onChange = () => {
    running.kill('SIGKILL');
    return fate;
  };
  expect((await running.ended).signal).toBe('SIGKILL');
  await forwarder.idle();
  forwarder.onChange = () => 'pass';
}

test.each(['lost before', 'lost after'] as const)(
  'its request %s the kill, it is done once',
  async (fate) => {
    await killed(fate);
    const resumed = await home.run(['jobs', 'resume', 'last', '--json']);
    expect({ code: resumed.code, done: forwarder.done.length }).toEqual({ code: 0, done: 1 });
    expect(await claims()).toEqual(['partner']);
  },
);

test('a condition that has come to need the claim holds the resumed job back', async () => {
  await killed('lost before');
  // Somebody else, on another machine: the job stays the last one here.
  const changed = { ...home.env, HOME: join(home.path, 'elsewhere') };
  const words = ['sections', 'update', api, '--site', site, '--condition', 'visitor.claims.beta', '--yes'];
  expect((await home.run(words, { env: changed })).code).toBe(0);
  forwarder.reset();
  const { code, stderr } = await home.run(['jobs', 'resume', 'last', '--json']);
  expect({ code, done: forwarder.done }).toEqual({ code: 2, done: [] });
  expect(stderr).toContain('conditions_break');
  expect(await claims()).toContain('beta');
});
