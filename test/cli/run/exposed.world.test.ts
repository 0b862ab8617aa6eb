import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run } from '../../../src/main.js';
import type { Plan } from '../../../src/plans/plan.js';
import { fakeIo } from '../../fake-io.js';
import { opened } from '../../opened.js';
import { openGateWorld } from '../../policy/gate-world.js';
import { seedId } from '../../sandbox/client.js';

/** What widens exposure is told by every road; nothing that a script does is asked about that was not before. */

const world = opened(openGateWorld);

const org = seedId('org acme');
const site = seedId('site docs');
const risk = `Anyone could read the site ${site}, and search engines would list it.`;
/** Without `--json`, where stderr is for one error alone. */
const docs = (...words: string[]) => docsWith({}, ...words);

async function docsWith(more: Record<string, string>, ...words: string[]) {
  const { sandbox, home } = world;
  const env = {
    ...{ HOME: home, DOCS_BASE_URL: sandbox.url, DOCS_TOKEN: sandbox.token, DOCS_CREDENTIAL_STORE: 'file' },
    DOCS_ORG: org,
    ...more,
  };
  const io = fakeIo({ cwd: home, env });
  const code = await run(words, io);
  return { code, stdout: io.stdout.text, stderr: io.stderr.text };
}
const unlisted = () => docs('sites', 'update', site, '--visibility', 'unlisted', '--yes');

it.each([
  ['a change', ['sites', 'update', site, '--visibility', 'public', '--dry-run']],
  [
    'a raw request',
    ['api', 'PATCH', `/v1/orgs/${org}/sites/${site}`, '-f', 'visibility=public', '--dry-run'],
  ],
])('%s, in a dry run', async (_, words) => {
  await unlisted();
  const { code, stderr } = await docs(...words);
  expect(code).toBe(0);
  expect(stderr).toContain(risk);
});

it('a change and a raw request that a script sends: told on stderr, and not asked about', async () => {
  for (const words of [
    ['sites', 'update', site, '--visibility', 'public'],
    ['api', 'PATCH', `/v1/orgs/${org}/sites/${site}`, '-f', 'visibility=public'],
  ]) {
    await unlisted();
    const { code, stderr } = await docs(...words);
    expect([code, stderr]).toEqual([0, expect.stringContaining(risk)]);
  }
});

it('a plan and an undo', async () => {
  await docs('sites', 'update', site, '--visibility', 'public', '--yes');
  // The only job of its folder.
  const state = { XDG_STATE_HOME: join(world.home, 'state') };
  await docsWith(state, 'sites', 'update', site, '--visibility', 'unlisted', '--yes');
  const undone = await docsWith(state, 'undo', 'last', '--dry-run');
  expect(undone.stderr).toContain(risk);
  await docs('sites', 'update', site, '--visibility', 'public', '--save-plan', 'site.json');
  const { operations } = JSON.parse(readFileSync(join(world.home, 'site.json'), 'utf8')) as Plan;
  expect(operations[0]?.risk).toMatch(/^Anyone could read the site .*, and search engines would list it\.$/);
});

it('nothing where it is so already, and nothing by narrowing', async () => {
  await docs('sites', 'update', site, '--visibility', 'public', '--yes');
  for (const visibility of ['public', 'unlisted'])
    expect(
      (await docs('sites', 'update', site, '--visibility', visibility, '--dry-run')).stderr,
    ).not.toContain('could read the site');
});
