import { closeSync, constants, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DocsError, localIoError, onDiskSync, systemCode, usageError } from '../base/errors.js';
import { nodeCrypto } from '../base/hash.js';
import { makeFolders } from '../base/own-files.js';
import { isObject } from '../base/values.js';
import { writeAtomicallySync } from '../base/write-file.js';
import { rehearsalFolder } from '../settings/paths.js';
import type { LockChange, LockEntry } from './plan.js';

/** `docs.lock.json`: which item of the files is which of the platform, and the hashes of what was last applied. */
export interface Lock {
  version: 1;
  org: string;
  origin: string;
  items: Readonly<Record<string, LockEntry>>;
}

export const lockName = 'docs.lock.json';

/** @returns undefined where there is none @throws DocsError configuration `bad_lock`; local-io */
export function readLock(folder: string): Lock | undefined {
  const own = rehearsedLock(folder);
  const path = own !== undefined && existsSync(own) ? own : join(folder, lockName);
  const stamp = stampOf(path);
  const known = last?.stamp === stamp ? last.lock.deref() : undefined;
  if (known !== undefined) return known;
  const text = textOf(path);
  if (text === undefined) return undefined;
  const lock = parseLock(text, path);
  last = { stamp, lock: new WeakRef(lock) };
  return lock;
}

/**
 * Whether the beginning of a folder's lock shows that it belongs to another organization or platform. False where it does
 * not tell, and in a rehearsal.
 */
export function isForeignLock(folder: string, { org, origin }: Pick<Lock, 'org' | 'origin'>): boolean {
  if (rehearsedLock(folder) !== undefined) return false;
  const theirs = lockHead(folder);
  return theirs !== undefined && (theirs.org !== org || theirs.origin !== origin);
}

/** What the beginning of a folder's own lock shows; undefined where it does not tell. */
export function lockHead(folder: string): Pick<Lock, 'org' | 'origin'> | undefined {
  const [, org, origin] = head.exec(beginningOf(join(folder, lockName))) ?? [];
  return org === undefined || origin === undefined ? undefined : { org, origin };
}

/** As docs writes it. */
const head = /^\{\n {2}"version": 1,\n {2}"org": "([^"\\\n]*)",\n {2}"origin": "([^"\\\n]*)",\n/;

/** The first bytes of a file as text; empty where there is none, or it cannot be read. */
function beginningOf(path: string): string {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const bytes = Buffer.alloc(4096);
    return bytes.toString('utf8', 0, readSync(fd, bytes));
  } catch {
    return ''; // Who needs the lock reports it.
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/**
 * Where a rehearsal keeps the lock of a folder: nothing was applied, so the folder's own must not say so. Undefined
 * outside of a rehearsal.
 */
function rehearsedLock(folder: string): string | undefined {
  const rehearsal = rehearsalFolder(process);
  if (rehearsal === undefined) return undefined;
  const name = nodeCrypto().createHash('sha256').update(resolve(folder)).digest('hex');
  return join(rehearsal, 'locks', `${name}.json`);
}

/** The lock that was read last, while anyone holds it: a command reads it at several places, and it may be large. */
let last: { stamp: string; lock: WeakRef<Lock> } | undefined;

/** What a file is known by; one that is replaced is another one. */
function stampOf(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return [path, stats?.dev, stats?.ino, stats?.size, stats?.mtimeNs, stats?.ctimeNs].join(' ');
}

/**
 * @param head the organization and the platform that a command works with
 * @throws DocsError usage `lock_foreign` where the lock belongs to another organization or platform
 */
export function checkLock(folder: string, lock: Lock | undefined, head: Pick<Lock, 'org' | 'origin'>): void {
  if (lock === undefined || (lock.org === head.org && lock.origin === head.origin)) return;
  const [what, theirs, ours] =
    lock.org === head.org ? ['the platform', lock.origin, head.origin] : ['organization', lock.org, head.org];
  throw usageError(
    'lock_foreign',
    `${join(folder, lockName)} belongs to ${what} ${theirs}, not ${ours}; nothing was changed`,
    {
      hint: lock.org === head.org ? 'docs auth list' : `docs config set org ${lock.org}`,
      details: { org: lock.org, origin: lock.origin },
    },
  );
}

/**
 * Changes entries, atomically; one line an item, sorted.
 * @param head for a lock that is not there yet
 * @throws DocsError `bad_lock`, `lock_foreign`, local-io; the file is as it was then
 */
export function updateLock(
  folder: string,
  head: Pick<Lock, 'org' | 'origin'>,
  changes: readonly LockChange[],
): void {
  const lock = readLock(folder);
  checkLock(folder, lock, head);
  if (lock !== undefined && changes.length === 0) return;
  const own = rehearsedLock(folder);
  if (own !== undefined) makeFolders(dirname(own), 0o700);
  writeAtomically(own ?? join(folder, lockName), lockParts({ ...head, items: lock?.items ?? {} }, changes));
}

/** A lock with entries changed. */
export function changedLock(
  lock: Lock | undefined,
  head: Pick<Lock, 'org' | 'origin'>,
  changes: readonly LockChange[],
): Lock {
  const items = new Map(Object.entries(lock?.items ?? {}));
  for (const { item, to } of changes) {
    if (to === null) items.delete(item);
    else items.set(item, to);
  }
  return { version: 1, org: head.org, origin: head.origin, items: Object.fromEntries(items) };
}

/**
 * The text of the file with entries changed: sorted by code unit, an item a line, so that git merges changes of different
 * items. In parts, and without a lock that has the changes: either takes much memory where there are 100,000 items.
 */
function* lockParts(
  { org, origin, items }: Pick<Lock, 'org' | 'origin' | 'items'>,
  changes: readonly LockChange[],
): Generator<string> {
  const changed = new Map(changes.map(({ item, to }) => [item, to]));
  const added = [...changed.keys()].filter((item) => !Object.hasOwn(items, item));
  yield `{\n  "version": 1,\n  "org": ${JSON.stringify(org)},\n  "origin": ${JSON.stringify(origin)},\n  "items": {`;
  let [lines, end] = ['', '}'];
  for (const item of [...Object.keys(items), ...added].sort()) {
    const to = changed.get(item);
    if (to === null) continue;
    lines += `${end === '}' ? '' : ','}\n    ${JSON.stringify(item)}: ${entryText(to ?? (items[item] as LockEntry))}`;
    end = '\n  }';
    if (lines.length < partLength) continue;
    yield lines;
    lines = '';
  }
  yield `${lines}${end}\n}\n`;
}

const partLength = 1 << 16;

function entryText({ id, applied }: LockEntry): string {
  if (typeof id !== 'string') throw new Error('an entry of the lock without its id');
  const fields = Object.keys(applied);
  // Most have one, and sorting it would copy it.
  if (fields.length > 1) fields.sort();
  const texts = fields.map((field) => `${JSON.stringify(field)}: ${JSON.stringify(applied[field])}`);
  return `{"id": ${JSON.stringify(id)}, "applied": {${texts.join(', ')}}}`;
}

function parseLock(text: string, path: string): Lock {
  const marker = /^(?:<{7}|\|{7}|={7}|>{7})(?: |\r?$)/m.exec(text);
  if (marker !== null) {
    throw badLock(
      path,
      lineAt(text, marker.index),
      'has merge conflict markers; keep the lines of both sides, and remove the markers',
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw badLock(path, faultyLine(text, String((error as Error).message)), 'is not valid JSON');
  }
  return checked(value, text, path);
}

function checked(value: unknown, text: string, path: string): Lock {
  const { version, org, origin, items } = isObject(value) ? value : {};
  const wrong = (key: string, what: string) => badLock(path, lineOf(text, key), what);
  if (typeof version === 'number' && version > 1)
    throw wrong('version', `has version ${version}, which this version of docs does not read`);
  if (version !== 1) throw wrong('version', 'has no "version": 1');
  if (typeof org !== 'string' || typeof origin !== 'string')
    throw wrong(typeof org === 'string' ? 'origin' : 'org', 'does not name its organization and platform');
  if (!isObject(items)) throw wrong('items', 'has no "items"');
  let count = 0;
  const hashes = new Map<string, string>();
  for (const item in items) {
    const entry = items[item];
    if (!isEntry(entry)) throw wrong(item, `has an invalid entry for ${item}`);
    shareHashes(entry, hashes);
    count += 1;
  }
  const twice = isLonger(text, count) ? firstTwice(text) : undefined;
  if (twice !== undefined) throw badLock(path, twice.line, `has two entries for ${twice.item}`);
  return { version: 1, org, origin, items: items as Record<string, LockEntry> };
}

function isEntry(value: unknown): value is LockEntry {
  if (!isObject(value) || typeof value.id !== 'string' || !isObject(value.applied)) return false;
  for (const field in value.applied) if (typeof value.applied[field] !== 'string') return false;
  return true;
}

/** Roles and the like have few values, so entries share their hashes: large locks are half as large then. */
function shareHashes({ applied }: LockEntry, known: Map<string, string>): void {
  for (const field in applied) {
    const hash = applied[field] as string;
    const shared = known.get(hash);
    if (shared !== undefined) (applied as Record<string, string>)[field] = shared;
    else if (known.size < mostShared) known.set(hash, hash);
  }
}

const mostShared = 10_000;

/** Whether a text has more lines of items than that. */
function isLonger(text: string, count: number): boolean {
  // Each match of `matchAll` would be an object: there may be 100,000 lines.
  const line = new RegExp(itemLine);
  let lines = 0;
  while (lines <= count && line.test(text)) lines += 1;
  return lines > count;
}

/** The key of an item at the start of its line. */
const itemLine = /^\s*"([^"\\]*\/(?:[^"\\]|\\.)*)"\s*:/gm;

/** What a merge by hand leaves behind; JSON itself takes the last of two. */
function firstTwice(text: string): { item: string; line: number } | undefined {
  const seen = new Set<string>();
  for (const match of text.matchAll(itemLine)) {
    const item = match[1] as string;
    if (seen.has(item)) return { item, line: lineAt(text, match.index + match[0].length) };
    seen.add(item);
  }
  return undefined;
}

function badLock(path: string, line: number, what: string): DocsError {
  return new DocsError('configuration', 'bad_lock', `${path} ${what} (line ${line}); nothing was changed`, {
    hint: `git checkout ${path}`,
    details: { file: path, line },
  });
}

/** The line of a fault. Engines say where it is in their own words, or not at all. */
function faultyLine(text: string, message: string): number {
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return lineAt(text, Number(position));
  const lines = text.trimEnd().split('\n');
  const item = /^ {4}"(?:[^"\\]|\\.)*": \{"id": .*\}\},?\r?$/;
  const end = lines.findIndex((line, at) => at > 4 && /^ {4}\S/.test(line) && !item.test(line));
  return end < 0 ? lines.length : end + 1;
}

function lineOf(text: string, key: string): number {
  return lineAt(text, Math.max(0, text.indexOf(`${JSON.stringify(key)}`)));
}

function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < index; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw localIoError(error, `cannot read ${path}`);
  }
}

function writeAtomically(path: string, parts: Iterable<string>): void {
  onDiskSync(`cannot write ${path}`, () => writeAtomicallySync(path, parts, 0o644));
}
