import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { kinds } from '../../src/cli/resolve/catalogue.js';
import { freshHome, type Home } from './program.js';
import { type StubPlatform, stubPlatform } from './stub-platform.js';
import { onTerminal } from './terminal.js';

/** `--web` and `docs open`: the address in the browser, and on standard output where none starts. */

let home: Home;
let platform: StubPlatform;
let app = '';
beforeAll(async () => {
  platform = await stubPlatform((_, { pathname }) =>
    /^\/v1\/(spaces\/s1|orgs\/o1(\/(sites|collections|openapi)\/x1)?|spaces\/s1\/change-requests\/x1)$/.test(
      pathname,
    )
      ? { body: { object: 'thing', id: pathname.split('/').at(-1), title: 'A title', urls: { app } } }
      : undefined,
  );
  app = `${platform.url}/app/s1`;
  home = freshHome({ DOCS_BASE_URL: platform.url, DOCS_TOKEN: 'token', DOCS_ORG: 'o1' });
  mkdirSync(join(home.path, 'bin'));
});
afterAll(async () => {
  await platform.close();
  home.remove();
});

/** An opener that notes what it was given, then runs a script. */
function opener(script = ''): Record<string, string> {
  for (const name of ['xdg-open', 'open']) {
    const path = join(home.path, 'bin', name);
    writeFileSync(path, `#!/bin/sh\necho "$1" > "${join(home.path, 'opened')}"\n${script}\n`);
    chmodSync(path, 0o700);
  }
  writeFileSync(join(home.path, 'opened'), '');
  return { PATH: `${join(home.path, 'bin')}:${process.env.PATH}`, DISPLAY: ':0' };
}
const opened = () => readFileSync(join(home.path, 'opened'), 'utf8').trim();

it('opens what a command reads, in place of printing it', async () => {
  const { code, stdout } = await home.run(['spaces', 'get', 's1', '--web'], { env: opener() });
  expect({ code, stdout, opened: opened() }).toEqual({ code: 0, stdout: 's1\topened\n', opened: app });
  const json = await home.run(['spaces', 'get', 's1', '--web', '--json'], { env: opener() });
  expect(JSON.parse(json.stdout)).toEqual({ id: 's1', status: 'opened', url: app });
});

it.each([
  ['there is no display', { DISPLAY: '' }],
  ['this is CI', { CI: 'true' }],
  ['an agent runs this command', { CLAUDECODE: '1' }],
  ['this is an SSH session', { DISPLAY: '', SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' }],
])('prints the address where %s', async (why, env) => {
  for (const line of [
    ['spaces', 'get', 's1', '--web'],
    ['open', 'space', 's1'],
  ]) {
    const { code, stdout, stderr } = await home.run(line, { env: { ...opener(), ...env } });
    expect({ code, stdout, opened: opened() }).toEqual({ code: 0, stdout: `${app}\n`, opened: '' });
    expect(stderr).toContain(`No browser was opened: ${why}.`);
  }
});

it('prints the address where the opener fails, or is missing', async () => {
  const failed = await home.run(['open', 'space', 's1'], { env: opener('exit 3') });
  expect(failed).toMatchObject({ code: 0, stdout: `${app}\n` });
  expect(failed.stderr).toContain('failed (code 3)');
  const missing = await home.run(['open', 'space', 's1'], { env: { PATH: home.path, DISPLAY: ':0' } });
  expect(missing).toMatchObject({ code: 0, stdout: `${app}\n` });
  expect(missing.stderr).toContain('cannot be started');
});

it('takes an opener that goes on for the browser, and does not wait for it', async () => {
  const { code, stdout } = await home.run(['open', 'space', 's1'], { env: opener('sleep 20') });
  expect({ code, stdout }).toEqual({ code: 0, stdout: 's1\topened\n' });
});

it('says on a terminal what was opened', async () => {
  const env = { ...home.env, ...opener() };
  const terminal = onTerminal(['spaces', 'get', 's1', '--web'], { env, cwd: home.path, columns: 120 });
  expect(await terminal.ended).toMatchObject({ code: 0, screen: `Opened ${app}.` });
});

it.each([
  ['of another host', () => 'https://evil.example/'],
  ['with credentials', () => app.replace('//', '//ada:secret@')],
  ['that is a script', () => 'javascript:alert(1)'],
])('opens no address %s', async (_, unsafe) => {
  app = unsafe();
  try {
    const { code, stdout } = await home.run(['spaces', 'get', 's1', '--web'], { env: opener() });
    expect({ code, stdout, opened: opened() }).toEqual({ code: 15, stdout: '', opened: '' });
  } finally {
    app = `${platform.url}/app/s1`;
  }
});

it('is there for everything that docs open can open, and for nothing else', async () => {
  const commands = await home.json<{ path: string; options: { name: string }[] }[]>(['commands']);
  const withWeb = commands.filter(({ options }) =>
    options.some(({ name }) => name === '--web' || name === 'web'),
  );
  const openable = kinds.filter(({ opens }) => opens !== undefined).flatMap(({ gets }) => gets);
  const words = openable.map((id) => id.replace('.', ' ')).sort();
  expect(withWeb.map(({ path }) => path).sort()).toEqual(words);
  expect(existsSync(join(home.path, 'opened'))).toBe(true);
});
