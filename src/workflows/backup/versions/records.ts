import { isObject } from '../../../base/values.js';
import { stringify } from '../../../output/json.js';
import { versionsFolder } from '../folder/clear-stale.js';
import type { Folder } from '../folder/folder.js';
import type { RunEntry } from '../folder/manifest.js';
import { isHash } from './objects.js';

/**
 * The runs before the latest that can be read again: `versions/runs/<run>.json`. A record is written before the
 * next run replaces anything, so whatever it refers to is in the backup or among the objects.
 */

export const runsFolder = `${versionsFolder}/runs`;
const format = 'docs-backup-version/1';

export interface RunRecord extends RunEntry {
  /** Hash of its manifest, an object. */
  manifest: string;
  /** Hash of the signature of that. */
  signature?: string;
}

export function recordPath(run: number): string {
  return `${runsFolder}/${run}.json`;
}

export function isRecordName(name: string): boolean {
  return /^[1-9]\d{0,9}\.json$/.test(name);
}

export async function writeRecord(folder: Folder, record: RunRecord): Promise<void> {
  await folder.write(recordPath(record.run), `${stringify({ format, ...record })}\n`);
}

/** The kept runs, the oldest first. Files that are not records are left out. @throws DocsError (exit 13) */
export async function readRecords(folder: Folder): Promise<RunRecord[]> {
  const records: RunRecord[] = [];
  for (const { name } of await folder.entries(runsFolder)) {
    const record = await readRecord(folder, name);
    if (record !== undefined) records.push(record);
  }
  return records.sort((a, b) => a.run - b.run);
}

/** A record by the name of its file; undefined if that is not one. @throws DocsError (exit 13) */
export async function readRecord(folder: Folder, name: string): Promise<RunRecord | undefined> {
  if (!isRecordName(name)) return undefined;
  const text = await folder.text(`${runsFolder}/${name}`);
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isRecord(value) && `${value.run}.json` === name ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is RunRecord {
  if (!isObject(value) || value.format !== format || !isRunEntry(value)) return false;
  const { manifest, signature } = value as Record<string, unknown>;
  return isHash(manifest) && (signature === undefined || isHash(signature));
}

/** Whether a value of a log or record can be shown as a run. */
export function isRunEntry(value: unknown): value is RunEntry {
  if (!isObject(value)) return false;
  const { run, startedAt, finishedAt, state, signedBy, spaces, added, changed, removed } = value;
  const counts = [spaces, added ?? 0, changed ?? 0, removed ?? 0];
  const texts = [startedAt, finishedAt ?? '', signedBy ?? ''];
  return (
    [run, ...counts].every(Number.isSafeInteger) &&
    texts.every((text) => typeof text === 'string') &&
    typeof startedAt === 'string' &&
    ['whole', 'partial', 'unfinished'].includes(String(state))
  );
}
