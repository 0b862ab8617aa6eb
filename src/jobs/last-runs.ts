import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { type Static, type TSchema, Type } from '../api/type.js';
import { misfitOf } from '../api/validate.js';
import { DocsError, systemCode } from '../base/errors.js';
import type { Io } from '../base/io.js';
import { checkOwnFolder, readOwnFile } from '../base/own-files.js';
import { jsonIn } from '../base/values.js';
import { replaceFile } from '../base/write-file.js';
import { makeOwnFolder } from '../settings/own-files.js';
import { stateFolder } from '../settings/paths.js';

/**
 * What the last run of a slow command found in an organization, so that `docs overview` can say it without running the
 * command again: numbers and a path, never content. One file a platform, organization and command, beside the journals.
 */

/** A check of the links of all spaces, to its end. */
export const LinksRun = Type.Object({
  /** ISO 8601, by the clock of this machine. */
  at: Type.String(),
  /** Spaces whose links were read, of so many that were found. */
  spaces: Type.Integer(),
  of: Type.Integer(),
  /** Broken links, including those of a baseline. */
  broken: Type.Integer(),
  /** Spaces, pages and lists that could not be read. */
  unread: Type.Integer(),
});
export type LinksRun = Static<typeof LinksRun>;

/** A run of a backup that finished. */
export const BackupRun = Type.Object({
  at: Type.String(),
  /** Absolute. */
  folder: Type.String(),
  state: Type.String(),
  /** What could not be read. */
  failed: Type.Integer(),
});
export type BackupRun = Static<typeof BackupRun>;

const shapes = { links: LinksRun, backup: BackupRun } as const;
type Kind = keyof typeof shapes;
type RunOf<K extends Kind> = Static<(typeof shapes)[K]>;

/** Which organization of which platform. */
export interface RunOrganization {
  /** As journals name the platform. */
  origin: string;
  organization: string;
}

/**
 * Keeps what a run found in place of what the last one did. A record that cannot be written is left out: the run itself
 * is done, and the older record says when it was made.
 */
export async function recordRun<K extends Kind>(
  io: Io,
  place: RunOrganization,
  kind: K,
  run: RunOf<K>,
): Promise<void> {
  try {
    const { folder, name } = fileOf(io, place, kind);
    checkOwnFolder(dirname(folder));
    makeOwnFolder(io, folder);
    checkOwnFolder(folder);
    await replaceFile(folder, name, `${JSON.stringify({ version: 1, ...place, ...run })}\n`);
  } catch (cause) {
    if (!(cause instanceof DocsError)) throw cause;
  }
}

/**
 * What the last run found.
 * @returns undefined where no run of this machine is recorded
 * @throws DocsError local-io `unreadable_record`, `damaged_record`; configuration `unsafe_path`
 */
export function lastRun<K extends Kind>(io: Io, place: RunOrganization, kind: K): RunOf<K> | undefined {
  const { folder, name } = fileOf(io, place, kind);
  checkOwnFolder(dirname(folder));
  checkOwnFolder(folder);
  const path = join(folder, name);
  const bytes = bytesOf(path);
  if (bytes === undefined) return undefined;
  const run = parsed(bytes, shapes[kind]);
  if (run !== undefined) return run as RunOf<K>;
  throw new DocsError('local-io', 'damaged_record', `${path} is damaged`);
}

function bytesOf(path: string): Buffer | undefined {
  try {
    return readOwnFile(path);
  } catch (cause) {
    if (cause instanceof DocsError) throw cause;
    const message = `cannot read ${path}: ${systemCode(cause) ?? String(cause)}`;
    throw new DocsError('local-io', 'unreadable_record', message, { cause });
  }
}

function parsed(bytes: Buffer, shape: TSchema): unknown {
  const value = jsonIn(bytes.toString('utf8'));
  if (misfitOf(shape, value) !== undefined) return undefined;
  return Number.isNaN(Date.parse((value as { at: string }).at)) ? undefined : value;
}

function fileOf(
  io: Io,
  { origin, organization }: RunOrganization,
  kind: Kind,
): { folder: string; name: string } {
  const hash = createHash('sha256').update(JSON.stringify([origin, organization]));
  const folder = join(stateFolder(io), 'last-runs');
  return { folder, name: `${kind}-${hash.digest('hex').slice(0, 16)}.json` };
}
