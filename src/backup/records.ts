import { type Static, Type } from '../api/type.js';
import { conforms, readJson } from '../api/validate.js';
import { usageError } from '../base/errors.js';
import { defined } from '../base/values.js';
import { stringify } from '../output/json.js';
import { fingerprintOf } from '../signing/keys.js';
import type { Folder, Written } from './folder.js';
import { type Changes, type Manifest, type ReadManifest, type RunEntry, signedBy } from './manifest.js';
import { LoggedRun } from './shapes.js';
import { versionsFolder } from './trust.js';

const { kept: _, ...entryFields } = LoggedRun.properties;
/** What can be shown as a run, whatever else is there. */
const RunEntryShape = Type.Object(entryFields);

/** How much of earlier runs a backup keeps: `30` runs before the latest, or those of the last `90d`. */

export type Keep = { runs: number } | { days: number };

const dayMs = 86_400_000;
const mostRuns = 100_000;

/**
 * What `--keep` asks for.
 * @returns undefined if nothing is to be kept: `0` or `none`
 * @throws DocsError usage `invalid_keep`
 */
export function parseKeep(text: string): Keep | undefined {
  if (text === 'none') return undefined;
  const keep = keepOf(text);
  if (keep === 'invalid') {
    const message = `--keep ${JSON.stringify(text.slice(0, 40))} is not a number of runs or days`;
    throw usageError('invalid_keep', `${message}; use 30, 90d, or none`);
  }
  return keep;
}

/** The text of a manifest; undefined if nothing is kept, or it is not valid. */
export function keepInManifest(text: unknown): Keep | undefined {
  const keep = typeof text === 'string' ? keepOf(text) : undefined;
  return keep === 'invalid' ? undefined : keep;
}

export function keepText(keep: Keep): string {
  return 'runs' in keep ? String(keep.runs) : `${keep.days}d`;
}

/**
 * The runs that expire.
 * @param runs earlier runs that are kept so far, the oldest first
 */
export function expired<T extends { startedAt: string }>(
  runs: readonly T[],
  keep: Keep,
  nowMs: number,
): readonly T[] {
  if ('runs' in keep) return runs.slice(0, Math.max(0, runs.length - keep.runs));
  return runs.filter(({ startedAt }) => Date.parse(startedAt) < nowMs - keep.days * dayMs);
}

function keepOf(text: string): Keep | undefined | 'invalid' {
  const [, amount, unit] = /^(\d{1,6})(d?)$/.exec(text) ?? [];
  if (amount === undefined || Number(amount) > mostRuns) return 'invalid';
  if (Number(amount) === 0) return undefined;
  return unit === 'd' ? { days: Number(amount) } : { runs: Number(amount) };
}

/** Runs that a manifest lists: older ones are known as long as they are kept. */
const mostListed = 50;

/** The number of a run: the first is 1. */
export function runOf({ runs }: Manifest): number {
  return runs + 1;
}

/** The run of a manifest at the top. @param text the manifest, as it was read */
export async function entryOf(folder: Folder, { manifest, text }: ReadManifest): Promise<RunEntry> {
  const { startedAt, finishedAt, state, spaces, changes } = manifest;
  const signed = await signedBy(folder, text);
  const key = typeof signed === 'object' ? fingerprintOf(signed.by) : undefined;
  const head = { run: runOf(manifest), startedAt, finishedAt, state, signedBy: key };
  return defined({ ...head, spaces: spaces.length, ...changes });
}

/** The runs before that of a manifest, the oldest first. What cannot be shown as a run is left out. */
function logIn({ log }: Manifest): RunEntry[] {
  return Array.isArray(log) ? log.filter((entry) => conforms(RunEntryShape, entry)) : [];
}

/** The log of the run after a manifest's. */
export function nextLog(manifest: Manifest, entry: RunEntry): RunEntry[] {
  return [...logIn(manifest), entry].slice(-mostListed);
}

/** Adds to changes those from the files of one place to those of the same place later, by path. */
export function addChanges(changes: Changes, before: readonly Hashed[], after: readonly Hashed[]): void {
  const old = new Map(before.map(({ path, sha256 }) => [path, sha256]));
  for (const { path, sha256 } of after) {
    const hash = old.get(path);
    old.delete(path);
    if (hash === undefined) changes.added += 1;
    else if (hash !== sha256) changes.changed += 1;
  }
  changes.removed += old.size;
}

/** A file of a manifest. */
export interface Hashed {
  path: string;
  sha256: string;
  bytes?: number;
}

/** Bytes that earlier runs had, each once, by their hash: `versions/objects/ab/ab12…`. */

export const objectsFolder = `${versionsFolder}/objects`;

export function isHash(text: unknown): text is string {
  return typeof text === 'string' && /^[0-9a-f]{64}$/.test(text);
}

/** @param sha256 checked by `isHash` */
export function objectPath(sha256: string): string {
  return `${objectsFolder}/${sha256.slice(0, 2)}/${sha256}`;
}

/**
 * Makes an object of a plain file, unless there is one: a hard link, so that it takes no space before the file
 * is replaced. An object that is not what its name says is replaced.
 * @param old size and hash of the file, if they are known
 * @returns undefined if there is no plain file
 * @throws DocsError (exit 13)
 */
export async function keepObject(folder: Folder, path: string, old?: Written): Promise<Written | undefined> {
  const file = old ?? (await folder.digest(path));
  if (file === undefined) return undefined;
  const to = objectPath(file.sha256);
  if ((await folder.digest(to))?.sha256 !== file.sha256) await folder.link(path, to);
  return file;
}

/**
 * The runs before the latest that can be read again: `versions/runs/<run>.json`. A record is written before the
 * next run replaces anything, so whatever it refers to is in the backup or among the objects.
 */

export const runsFolder = `${versionsFolder}/runs`;
const format = 'docs-backup-version/1';

const hash = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description });

const RunRecordShape = Type.Object({
  ...entryFields,
  format: Type.Literal(format),
  manifest: hash('Of its manifest, an object'),
  signature: Type.Optional(hash('Of the signature of that')),
});
export type RunRecord = Omit<Static<typeof RunRecordShape>, 'format'>;

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
  const record = readJson(RunRecordShape, text ?? '');
  return record !== undefined && `${record.run}.json` === name ? record : undefined;
}

/**
 * The runs of a backup, the newest first: the latest 50 and all that are kept. Of a run that is in several
 * places, the record of a kept run is believed.
 * @throws DocsError (exit 13)
 */
export async function runsOf(folder: Folder, present: ReadManifest): Promise<LoggedRun[]> {
  const latest = await entryOf(folder, present);
  const runs = new Map<number, LoggedRun>();
  const take = (entry: RunEntry, kept: boolean): void => {
    if (entry.run < latest.run) runs.set(entry.run, logged(entry, kept));
  };
  for (const entry of logIn(present.manifest)) take(entry, false);
  for (const record of await readRecords(folder)) take(record, true);
  runs.set(latest.run, logged(latest, true));
  return [...runs.values()].sort((a, b) => b.run - a.run);
}

/** Only these fields, whatever else a manifest has. */
function logged(entry: RunEntry, kept: boolean): LoggedRun {
  const { run, startedAt, finishedAt, state, signedBy, spaces, added, changed, removed } = entry;
  return defined({ run, startedAt, finishedAt, state, signedBy, spaces, added, changed, removed, kept });
}
