import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type JobHome, jobHome } from './job-home.js';
import { runsHere } from './runs-here.js';
import { onTerminal } from './terminal.js';

/** `docs sandbox open`: an address that opens the pages of the server once, in the browser or printed. */

let home: JobHome;
let url = '';
beforeAll(async () => {
  home = jobHome({});
  runsHere(home);
  mkdirSync(join(home.path, 'bin'));
});
afterAll(async () => {
  await home.run(['sandbox', 'stop']);
  home.remove();
});

/** An opener that notes what it was given. */
function opener(): Record<string, string> {
  for (const name of ['xdg-open', 'open']) {
    const path = join(home.path, 'bin', name);
    writeFileSync(path, `#!/bin/sh\necho "$1" > "${join(home.path, 'opened')}"\n`);
    chmodSync(path, 0o700);
  }
  return { PATH: `${join(home.path, 'bin')}:${process.env.PATH}`, DISPLAY: ':0' };
}
/** What the opener was given, which nothing waits for. */
async function opened(): Promise<string> {
  const path = join(home.path, 'opened');
  const text = () => (existsSync(path) ? readFileSync(path, 'utf8') : '');
  await expect.poll(text).toMatch(/\n$/);
  const address = text().trim();
  rmSync(path);
  return address;
}
const form = () => new RegExp(`^${url}/sandbox/open\\?token=[\\w-]{43}$`);

/** The status of an address, and of the page that it leads to. */
async function statuses(address: string): Promise<(number | undefined)[]> {
  const first = await fetch(address, { redirect: 'manual' });
  const cookie = first.headers.getSetCookie()[0]?.split(';')[0];
  if (cookie === undefined) return [first.status];
  const then = await fetch(new URL(first.headers.get('location') ?? '', address), { headers: { cookie } });
  return [first.status, then.status];
}

it('says that no server runs, and names the command that starts one', async () => {
  const { code, stdout, stderr } = await home.run(['sandbox', 'open']);
  expect({ code, stdout }).toEqual({ code: 6, stdout: '' });
  expect(stderr).toContain('no sandbox runs in the background');
  expect(stderr).toContain('Try: docs sandbox start\n');
  const other = await home.run(['sandbox', 'open', '--file', 'other.db']);
  expect(other.stderr).toContain('Try: docs sandbox start --file ');
});

it('prints the address where no browser starts; it works once', async () => {
  const started = await home.start(['sandbox', 'start', '--json']).ended;
  ({ url } = JSON.parse(started.stdout) as { url: string });
  const { code, stdout, stderr } = await home.run(['sandbox', 'open']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'No browser was opened: there is no display.\n' });
  expect(stdout.trim()).toMatch(form());
  expect(await statuses(stdout.trim())).toEqual([303, 200]);
  expect(await statuses(stdout.trim())).toEqual([403]);
});

it('shows each request as a command of docs', async () => {
  await home.ok(['orgs', 'list', '--sandbox']);
  const address = (await home.ok(['sandbox', 'open'])).trim();
  const opening = await fetch(address, { redirect: 'manual' });
  const cookie = opening.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const page = await fetch(new URL('/sandbox/requests', address), { headers: { cookie } });
  expect(await page.text()).toContain('data-copy="docs orgs list --sandbox"');
});

it('tells programs the address', async () => {
  const told = await home.json<{ url: string }>(['sandbox', 'open']);
  expect(told).toEqual({ id: url, status: 'not-opened', url: expect.stringMatching(form()) });
  expect(await home.ok(['sandbox', 'open', '--fields', 'status'])).toBe('not-opened\n');
});

it('opens the browser, and says so on a terminal', async () => {
  const ran = await home.run(['sandbox', 'open'], { env: opener() });
  expect(ran).toMatchObject({ code: 0, stdout: `${url}\topened\n` });
  expect(await statuses(await opened())).toEqual([303, 200]);
  const env = { ...home.env, ...opener() };
  const terminal = onTerminal(['sandbox', 'open'], { env, cwd: home.path, columns: 160 });
  const { code, screen } = await terminal.ended;
  expect({ code, screen }).toEqual({ code: 0, screen: `Opened ${await opened()}.` });
});

it('makes no address with --dry-run', async () => {
  const { code, stdout } = await home.run(['sandbox', 'open', '--dry-run'], { env: opener() });
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `${home.path}/.local/share/docs/sandbox.db\tnot-changed\n`,
  });
});

it('says that no server runs once it was stopped, and the old address opens nothing', async () => {
  const address = (await home.ok(['sandbox', 'open'])).trim();
  await home.ok(['sandbox', 'stop']);
  expect((await home.run(['sandbox', 'open'])).code).toBe(6);
  await expect(fetch(address)).rejects.toThrow();
});
