import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshHome, type Home } from './program.js';
import { onTerminal } from './terminal.js';
import { type WebPlatform, webPlatform } from './web-platform.js';

/** `--web` and `docs open`: the address in the browser. Where none is to start: web.world.test.ts. */

let home: Home;
let web: WebPlatform;
beforeAll(async () => {
  web = await webPlatform();
  home = freshHome({ DOCS_BASE_URL: web.url, DOCS_TOKEN: 'token', DOCS_ORG: 'o1' });
  mkdirSync(join(home.path, 'bin'));
});
afterAll(async () => {
  await web.close();
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
  expect({ code, stdout, opened: opened() }).toEqual({ code: 0, stdout: 's1\topened\n', opened: web.app });
  const json = await home.run(['spaces', 'get', 's1', '--web', '--json'], { env: opener() });
  expect(JSON.parse(json.stdout)).toEqual({ id: 's1', status: 'opened', url: web.app });
});

it('prints the address where the opener fails, or is missing', async () => {
  const failed = await home.run(['open', 'space', 's1'], { env: opener('exit 3') });
  expect(failed).toMatchObject({ code: 0, stdout: `${web.app}\n` });
  expect(failed.stderr).toContain('failed (code 3)');
  const missing = await home.run(['open', 'space', 's1'], { env: { PATH: home.path, DISPLAY: ':0' } });
  expect(missing).toMatchObject({ code: 0, stdout: `${web.app}\n` });
  expect(missing.stderr).toContain('cannot be started');
});

it('takes an opener that goes on for the browser, and does not wait for it', async () => {
  const { code, stdout } = await home.run(['open', 'space', 's1'], { env: opener('sleep 20') });
  expect({ code, stdout }).toEqual({ code: 0, stdout: 's1\topened\n' });
});

it('says on a terminal what was opened', async () => {
  const env = { ...home.env, ...opener() };
  const terminal = onTerminal(['spaces', 'get', 's1', '--web'], { env, cwd: home.path, columns: 120 });
  expect(await terminal.ended).toMatchObject({ code: 0, screen: `Opened ${web.app}.` });
});
