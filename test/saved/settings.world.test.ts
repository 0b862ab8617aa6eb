import { afterAll, expect, test } from 'vitest';
import { origin, savedWorld } from './world.js';

/** Saved settings, credentials and a project file. */

const world = await savedWorld();
afterAll(() => world.close());

const lay = () => {
  world.lay('settings/profiles');
  for (const name of ['DOCS_BASE_URL', 'DOCS_TOKEN', 'DOCS_ORG']) delete world.env[name];
};
/** Settings that are not built in, each with its source. */
const inEffect = async (cwd = world.path) => {
  const { stdout } = await world.run(['config', 'list'], { cwd });
  const rows = stdout.split('\n').map((line) => line.split('\t').slice(0, 3).join('\t'));
  return rows.filter((row) => row !== '' && !row.endsWith('\tdefault'));
};

test('each setting is in effect, from where it was set', async () => {
  lay();
  const base = `base-url\t${origin}\tprofile`;
  const org = 'org\tjtBm07Y5RKnqZVIW3UZg\tprofile';
  const site = 'site\tMMeDFTQG7CxSHog1TZLV\tprofile';
  const rest = ['page-size\t50\tsettings'];
  expect(await inEffect()).toEqual([base, org, site, ...rest]);
  const space = 'space\tfqHbvTKt1xFyjibhnCJK\tproject file';
  expect(await inEffect(world.at('project'))).toEqual([base, org, space, site, ...rest]);
});

test('both profiles sign in with their tokens', async () => {
  lay();
  const profiles = await world.json<{ name: string; current: boolean; signedIn: boolean; store: string }[]>([
    ...['auth', 'list'],
  ]);
  expect(profiles.map(({ name, current, signedIn, store }) => [name, current, signedIn, store])).toEqual([
    ['default', true, true, 'file'],
    ['work', false, true, 'file'],
  ]);
  expect(await world.ok(['whoami'])).toContain('ada@acme.example');
  await world.ok(['auth', 'switch', 'work']);
  expect(await world.ok(['whoami'])).toContain('deniz@acme.example');
});

test('an alias stands for its words', async () => {
  lay();
  const { code, stdout } = await world.run(['editors', '--fields', 'user.email'], {
    env: { DOCS_ALIASES: 'on' },
  });
  expect([code, stdout]).toEqual([0, expect.stringContaining('deniz@acme.example')]);
});
