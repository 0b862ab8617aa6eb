import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { forwardedHome } from './forwarded-home.js';

/** `docs sites schema set`, killed: resumed it is sent once, and not where a condition has come to need a claim. */

const { home, forwarder } = await forwardedHome({ isReset: false });
interface Titled {
  id: string;
  title: string;
}
const idOf = async (title: string, ...words: string[]) =>
  (await home.json<Titled[]>(words)).find((one) => one.title === title)?.id ?? '';
const site = await idOf('Acme Docs', 'sites', 'list');
const api = await idOf('API', 'sections', 'list', '--site', site);

const schemaOf = (...claims: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(claims.map((claim) => [claim, { type: 'boolean' }])),
  additionalProperties: false,
});

writeFileSync(join(home.path, 'all.json'), JSON.stringify(schemaOf('beta', 'partner')));
writeFileSync(join(home.path, 'less.json'), JSON.stringify(schemaOf('partner')));

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
