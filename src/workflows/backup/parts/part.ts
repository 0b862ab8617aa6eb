import { createHash } from 'node:crypto';
import { isObject } from '../../../base/values.js';
import type { Shard } from '../../../shards/shard.js';
import { type RunOptions, type RunOutcome, runBackup } from '../execute.js';
import { Folder } from '../folder/folder.js';

/** A part of a backup: a folder as that of a backup, with some of its spaces, and this file beside the manifest. */

export const partFile = 'part.json';
const format = 'docs-backup-part/1';

/** What says that a part is whole, and what it is a part of. Written last. */
export interface PartRecord {
  format: string;
  command: 'backup run';
  shard: Shard;
  platform: string;
  organization: string;
  /** Flags that must be the same in all parts. */
  flags: { access: boolean };
  startedAt: string;
  finishedAt: string;
  /** Whether every list of spaces could be read. */
  whole: boolean;
  /** Ids of all spaces that were found, those of other parts, too. */
  found: readonly string[];
  /** Hash of `manifest.json`. */
  manifest: string;
  /** Of all this. */
  sha256: string;
}

/**
 * Backs up one part of an organization. The record of an earlier run goes first, so that a run which is killed, or
 * fails, leaves none. Returns and errors as `runBackup`.
 */
export async function runPart(options: RunOptions & { shard: Shard }): Promise<RunOutcome> {
  const { shard, path, platform, access } = options;
  await new Folder(path).remove(partFile);
  let [found, whole]: [readonly string[], boolean] = [[], false];
  const onFound: RunOptions['onFound'] = (all, isWhole) => {
    [found, whole] = [all, isWhole];
  };
  return runBackup({
    ...options,
    onFound,
    async onWritten(folder, { organization, startedAt, finishedAt = startedAt }, sha256) {
      const { index, of } = shard;
      const facts = { shard: { index, of }, platform, organization: organization.id, flags: { access } };
      const times = { startedAt, finishedAt, whole, found, manifest: sha256 };
      await folder.write(partFile, recordText({ format, command: 'backup run', ...facts, ...times }));
    },
  });
}

function recordText(record: Omit<PartRecord, 'sha256'>): string {
  return `${JSON.stringify({ ...record, sha256: hashOf(record) })}\n`;
}

/** The record in a text; undefined where it is not one, or not as it was written. */
export function parseRecord(text: string): PartRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value) || value.format !== format) return undefined;
  const { sha256, ...rest } = value;
  return sha256 === hashOf(rest) && isRecord(rest) ? (value as unknown as PartRecord) : undefined;
}

function isRecord({ shard, flags, found, ...rest }: Record<string, unknown>): boolean {
  const texts = ['platform', 'organization', 'startedAt', 'finishedAt', 'manifest'];
  const isShard = isObject(shard) && typeof shard.index === 'number' && typeof shard.of === 'number';
  const isFound = Array.isArray(found) && found.every((id) => typeof id === 'string');
  const isTimed = [rest.startedAt, rest.finishedAt].every((time) => !Number.isNaN(Date.parse(String(time))));
  return (
    isShard && isObject(flags) && isFound && isTimed && texts.every((key) => typeof rest[key] === 'string')
  );
}

function hashOf(record: object): string {
  return createHash('sha256').update(JSON.stringify(record)).digest('hex');
}
