import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { namedResources } from '../../src/model/resources.js';
import { freshHome } from './program.js';
import { webPlatform } from './web-platform.js';

/** `--web` and `docs open` where no browser is to start: a test of this layer in which one did would fail. */

const web = await webPlatform();
const { app } = web;
const home = freshHome({ DOCS_BASE_URL: web.url, DOCS_TOKEN: 'token', DOCS_ORG: 'o1', DISPLAY: ':0' });
const policy = join(home.path, 'policy.yaml');
writeFileSync(policy, 'version: 1\nallow: [read]\n');
afterAll(async () => {
  await web.close();
  home.remove();
});

it.each([
  ['there is no display', { DISPLAY: '' }],
  ['this is CI', { CI: 'true' }],
  ['an agent runs this command', { CLAUDECODE: '1' }],
  ['this is an SSH session', { DISPLAY: '', SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' }],
  [`a policy does not allow programs (${policy}:1)`, { DOCS_POLICY: policy }],
])('the address is printed where %s', async (why, env) => {
  for (const line of [
    ['spaces', 'get', 's1', '--web'],
    ['open', 'space', 's1'],
  ]) {
    const { code, stdout, stderr } = await home.run(line, { env });
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${app}\n` });
    expect(stderr).toContain(`No browser was opened: ${why}.`);
  }
});

it.each([
  [['--fields', 'status'], 'not-opened\n'],
  [['--jq', '.status'], 'not-opened\n'],
  [['--output', 'id'], 's1\n'],
])('the result is printed in its place where %j asks for it', async (flags, stdout) => {
  const ran = await home.run(['open', 'space', 's1', ...flags], { env: { DISPLAY: '' } });
  expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 0, stdout });
});

it.each([
  ['of another host', 'https://evil.example/'],
  ['with credentials', app.replace('//', '//ada:secret@')],
  ['that is a script', 'javascript:alert(1)'],
])('no address %s is opened', async (_, unsafe) => {
  web.app = unsafe;
  expect(await home.run(['spaces', 'get', 's1', '--web'])).toMatchObject({ code: 15, stdout: '' });
  web.app = app;
});

it('--web is there for everything that docs open can open, and for nothing else', async () => {
  const commands = await home.json<{ path: string; options: { name: string }[] }[]>(['commands']);
  const withWeb = commands.filter(({ options }) =>
    options.some(({ name }) => name === '--web' || name === 'web'),
  );
  const openable = namedResources.filter(({ opens }) => opens !== undefined).flatMap(({ gets }) => gets);
  const words = openable.map((id) => id.replace('.', ' ')).sort();
  expect(withWeb.map(({ path }) => path).sort()).toEqual(words);
});
