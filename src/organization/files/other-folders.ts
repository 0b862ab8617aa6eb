import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { counted } from '../../output/counted.js';
import { type Lock, lockName, readLock } from '../../plans/lock.js';
import type { Address, KindName } from '../model.js';
import type { Reading } from './reading.js';

/** Two folders may each manage items of one organization, but not the same ones. */

/**
 * Reports the items that another folder manages too. Other folders are those beside this one that have a lock of
 * the same organization and platform.
 * @param read reads the files of another folder
 */
export async function checkOtherFolders(
  reading: Reading,
  read: (folder: string) => Promise<Reading>,
): Promise<void> {
  const ours = readLock(reading.folder);
  if (ours === undefined) return;
  const byId = new Map<string, Address>();
  for (const [address, item] of reading.items) {
    const id = ours.items[address]?.id;
    if (typeof id === 'string' && !item.external) byId.set(`${item.kind} ${id}`, address);
  }
  for (const folder of await foldersBeside(reading.folder)) {
    const theirs = lockOf(folder, ours);
    const shared = theirs === undefined ? [] : sharedItems(theirs, byId);
    if (shared.length > 0) await report(reading, folder, shared, read);
  }
}

async function foldersBeside(folder: string): Promise<string[]> {
  const parent = dirname(folder);
  const entries = await readdir(parent, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && entry.name !== basename(folder))
    .map(({ name }) => join(parent, name))
    .sort();
}

/** Undefined where there is none, it is of another organization, or that folder has its own trouble with it. */
function lockOf(folder: string, ours: Lock): Lock | undefined {
  try {
    const lock = readLock(folder);
    return lock?.org === ours.org && lock.origin === ours.origin ? lock : undefined;
  } catch {
    return undefined;
  }
}

interface Shared {
  ours: Address;
  theirs: string;
}

function sharedItems(lock: Lock, byId: ReadonlyMap<string, Address>): Shared[] {
  return Object.entries(lock.items).flatMap(([theirs, { id }]) => {
    const kind = theirs.slice(0, theirs.indexOf('/')) as KindName;
    const ours = byId.get(`${kind} ${id}`);
    return ours === undefined ? [] : [{ ours, theirs }];
  });
}

async function report(
  reading: Reading,
  folder: string,
  shared: readonly Shared[],
  read: (folder: string) => Promise<Reading>,
): Promise<void> {
  // Files that do not read cannot say that they no longer name an item, so their lock counts.
  const found = await read(folder).catch(() => undefined);
  const files = found?.mistakes.length === 0 ? found : undefined;
  const name = relative(dirname(reading.folder), folder);
  const both = shared.flatMap(({ ours, theirs }) => {
    const item = reading.items.get(ours);
    const other = files?.items.get(theirs as Address);
    if (item === undefined || (files !== undefined && (other === undefined || other.external))) return [];
    const where =
      other === undefined ? join(name, lockName) : `${join(name, other.at.file)}:${other.at.line}`;
    return [{ item, where, from: other?.at.file }];
  });
  const [first] = both;
  if (first === undefined) return;
  const pairs = new Set(both.map(({ item, from }) => `${item.at.file} ${from}`));
  const more = both.length > 1 ? `, and ${counted(both.length - 1, 'more item')}` : '';
  const { address, at } = first.item;
  // A copied folder has everything twice: it is told once, with what is to be done about the whole folder.
  if (pairs.size > mostPairs)
    return reading.mistake(
      { ...at, path: address },
      `is managed by two folders, ${basename(reading.folder)} and ${name} (${first.where})${more}; delete one of the folders, or move it out of ${dirname(reading.folder)}`,
    );
  for (const pair of pairs) {
    const own = both.filter(({ item, from }) => `${item.at.file} ${from}` === pair);
    const { item, where } = own[0] ?? first;
    const others = own.length > 1 ? `, and ${counted(own.length - 1, 'more item')}` : '';
    reading.mistake(
      item.at,
      `names ${item.address}, which ${where} manages too${others}; remove it from one of them, or mark it external: true`,
    );
  }
}

/** Folders that share the items of more files than that are copies of each other. */
const mostPairs = 2;
