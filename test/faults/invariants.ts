import { type Dirent, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect } from 'vitest';

/** What holds after every run, whatever happened in it. */

/** Every form a token may leak in: as it is, percent-encoded, base64 at any offset. */
export function formsOf(token: string): string[] {
  const bytes = Buffer.from(token);
  const base64 = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  });
  const url = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  return [...new Set([token, encodeURIComponent(token), bytes.toString('hex'), ...base64, ...url])];
}

/** The token is in no output and in no file but the credential store. */
export function expectNoToken(ran: { stdout: string; stderr: string }, root: string, token: string): void {
  if (token.trim().length < 6) return;
  const forms = formsOf(token.trim());
  const leaks = (text: string) => forms.filter((form) => text.includes(form));
  expect(leaks(ran.stdout), 'token on stdout').toEqual([]);
  expect(leaks(ran.stderr), 'token on stderr').toEqual([]);
  const files = filesIn(root).filter((path) => !path.endsWith('credentials.json'));
  const leaky = files.filter((path) => !isKnown(path, forms) && leaks(textOf(path)).length > 0);
  expect(leaky, 'files with the token').toEqual([]);
}

/** Compiled code that was searched already, by file, state and token: 4 MB that homes share by links. */
const clean = new Set<string>();

/** Whether a file of compiled code is one that was searched; any other file is read each time. */
function isKnown(path: string, forms: readonly string[]): boolean {
  if (!path.includes(compiledCode)) return false;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  const key = [stats.dev, stats.ino, stats.size, stats.mtimeMs, ...forms].join(' ');
  if (clean.has(key)) return true;
  const found = textOf(path);
  if (!forms.some((form) => found.includes(form))) clean.add(key);
  return clean.has(key);
}

const compiledCode = join('.cache', 'docs', 'code');

/** No line of a stack trace, and nothing of Node's own last words. */
export function expectNoStackTrace({ stdout, stderr }: { stdout: string; stderr: string }): void {
  const traces = /^\s+at .+:\d+:\d+\)?$|node:internal|^Node\.js v\d|UnhandledPromise|Warning:/m;
  expect(stderr.match(traces)?.[0], 'stack trace on stderr').toBeUndefined();
  expect(stdout.match(traces)?.[0], 'stack trace on stdout').toBeUndefined();
}

/** Only the home holds anything new; a download may add to the working folder. */
export function expectNothingElsewhere(
  root: string,
  before: readonly string[],
  work: string,
  args: readonly string[],
): void {
  expect(readdirSync(root).sort(), 'folders of the case').toEqual(['home', 'tmp', 'work']);
  expect(readdirSync(join(root, 'tmp')), 'files in the temporary folder').toEqual([]);
  if (args.includes('--download')) return;
  expect(readdirSync(work).sort(), 'files of the working folder').toEqual([...before].sort());
}

/** Nothing runs any more: neither in the process group nor with the mark of the run in its environment. */
export function expectNoProcess(group: number, mark: string): void {
  expect(isAlive(-group), 'a process of the run is left').toBe(false);
  if (!existsSync('/proc/self/environ')) return;
  const left = readdirSync('/proc').filter((id) => /^\d+$/.test(id) && environmentOf(id).includes(mark));
  expect(left, 'processes that are left').toEqual([]);
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch {
    return false;
  }
}

function environmentOf(id: string): string {
  return textOf(`/proc/${id}/environ`);
}

/** A file as text; nothing where another program has removed it meanwhile. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

/** All files below a folder. What another program takes away meanwhile, such as a lock, is not there. */
export function filesIn(folder: string): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path);
    return statSync(path, { throwIfNoEntry: false })?.isFile() ? [path] : [];
  });
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw cause;
  }
}

/** Files below a folder, relative to it, in order; without compiled code, which any run may keep. */
export function namesIn(folder: string): string[] {
  return filesIn(folder)
    .map((path) => relative(folder, path))
    .filter((path) => !path.includes(compiledCode))
    .sort();
}
