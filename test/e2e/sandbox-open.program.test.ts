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

it('starts the server and seeds a new database, and says so; the address works once', async () => {
  const { code, stdout, stderr } = await home.start(['sandbox', 'open']).ended;
  url = stdout.split('/sandbox/')[0] ?? '';
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: `Started the sandbox at ${url}, with the seed tiny (docs sandbox seed acme loads 400 people).
No browser was opened: there is no display.
`,
  });
  expect(stdout.trim()).toMatch(form());
  expect(await statuses(stdout.trim())).toEqual([303, 200]);
  expect(await statuses(stdout.trim())).toEqual([403]);
  expect(await home.json(['sandbox', 'status'])).toMatchObject({
    running: true,
    url,
    pages: `${url}/sandbox/`,
  });
});

it('opens the server that runs', async () => {
  const { code, stdout, stderr } = await home.run(['sandbox', 'open']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'No browser was opened: there is no display.\n' });
  expect(stdout.trim()).toMatch(form());
});

it('the address of the server leads a browser to the pages, and tells a program what it told before', async () => {
  const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  const led = await fetch(url, { headers: browser, redirect: 'manual' });
  expect({ status: led.status, to: led.headers.get('location') }).toEqual({ status: 303, to: '/sandbox/' });
  const refused = await fetch(url, { headers: browser });
  expect(refused.status).toBe(403);
  expect(await refused.text()).toContain('docs sandbox open');
  const program = await fetch(url);
  expect(program.status).toBe(401);
  expect(await program.json()).toMatchObject({ error: { code: 401 } });
});

it('start and status say how to get to the pages', async () => {
  const terminal = (words: string[]) =>
    onTerminal(words, { env: home.env, cwd: home.path, columns: 160 }).ended;
  expect((await terminal(['sandbox', 'start'])).screen).toContain('In a browser: docs sandbox open\n');
  const { screen } = await terminal(['sandbox', 'status']);
  expect(screen).toContain(`Pages        ${url}/sandbox/`);
  expect(screen).toContain('Open its pages in a browser: docs sandbox open');
});

it('shows each request as a command of docs', async () => {
  await home.ok(['orgs', 'list', '--sandbox']);
  const address = (await home.ok(['sandbox', 'open'])).trim();
  const opening = await fetch(address, { redirect: 'manual' });
  const cookie = opening.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const page = await fetch(new URL('/sandbox/requests', address), { headers: { cookie } });
  expect(await page.text()).toContain('docs orgs list --sandbox');
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

it('starts it again with the data it had; the old address opens nothing', async () => {
  const address = (await home.ok(['sandbox', 'open'])).trim();
  await home.ok(['teams', 'create', '--title', 'Kept', '--sandbox']);
  await home.ok(['sandbox', 'stop']);
  await expect(fetch(address)).rejects.toThrow();
  const { stdout, stderr } = await home.start(['sandbox', 'open']).ended;
  url = stdout.split('/sandbox/')[0] ?? '';
  expect(stderr).toContain(`Started the sandbox at ${url}.\n`);
  expect(await home.ok(['teams', 'list', '--sandbox', '--fields', 'title'])).toContain('Kept');
});
