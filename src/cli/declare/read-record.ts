import { existsSync, readFileSync } from 'node:fs';
import { type GroupEntry, isGroup } from './command.js';
import { commandAt, type GroupOutline, type Outline, outlineOf } from './outline.js';
import type { ReadRecord } from './record.js';

/** Set at build time; undefined where the sources run as they are. */
declare const __DOCS_BUILT__: true | undefined;

/** The file of a record, beside the program. */
export function recordFile(path: string): string {
  return `records/${path.replaceAll(' ', '.')}.json`;
}

/** By path. A line is walked and run by the same one. */
const read = new Map<string, object>();

function recordIn<T extends object = ReadRecord>(path: string): T {
  const record = read.get(path) ?? (JSON.parse(readFileSync(fileOf(path), 'utf8')) as object);
  read.set(path, record);
  return record as T;
}

function fileOf(path: string): string {
  return `${import.meta.dirname}/${recordFile(path)}`;
}

/**
 * What stands at the root under a name, in outline; of a group no more than its recorded command and what is said of that,
 * where the next word names one.
 */
export async function outlineBefore(entry: GroupEntry, next = ''): Promise<Outline> {
  const path = `${entry.name} ${next}`;
  const mayBe = typeof __DOCS_BUILT__ !== 'undefined' && !next.includes('/') && existsSync(fileOf(path));
  const group = mayBe ? recordIn(path).group : undefined;
  // A file may be found by other letters than those of its name.
  return group?.commands[0]?.name === next ? group : outlineOf(entry);
}

/** The record of a command of which `isRecorded` holds. */
export function recordAt(path: string, groups: readonly GroupEntry[]): Promise<ReadRecord> {
  return recordMade(path, async () => {
    const [{ command }, { viewOf }, { recordOf }] = await Promise.all([
      commandAt(groups, path),
      import('./shown.js'),
      import('./record.js'),
    ]);
    return recordOf(command, viewOf);
  });
}

/** @param make makes the record, where the sources run as they are */
export async function recordMade<T extends object>(
  path: string,
  make: () => Promise<T | undefined>,
): Promise<T> {
  if (typeof __DOCS_BUILT__ !== 'undefined') return recordIn<T>(path);
  // As the build writes it and reads it back.
  return JSON.parse(JSON.stringify(await make())) as T;
}

/** The group that a command stands in, in outline; undefined at the root. */
export async function groupOutlineOf(
  path: string,
  groups: readonly GroupEntry[],
): Promise<GroupOutline | undefined> {
  const [root, ...words] = path.split(' ');
  const entry = groups.find(({ name }) => name === root);
  let node = entry && (await outlineOf(entry));
  for (const word of words.slice(0, -1))
    node = node && isGroup(node) ? node.commands.find(({ name }) => name === word) : undefined;
  return node !== undefined && isGroup(node) && words.length > 0 ? node : undefined;
}
