import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DocsError, endedBy, localIoError, onDiskSync, systemCode, usageError } from '../base/errors.js';
import type { Io } from '../base/io.js';
import { makeFolders } from '../base/own-files.js';
import { redactText } from '../base/redaction.js';
import { defined } from '../base/values.js';
import { writeAskedFile } from '../files/asked-file.js';
import { safeText } from '../output/text.js';
import { Digest } from './folder.js';
import type { SpaceEntry } from './manifest.js';
import { type Pack, preparePack } from './pack.js';
import type { BackupReader } from './reader.js';
import type { PackResult } from './shapes.js';

/** Packs as files: where they go, how they are written, and what they leave out. */

/** A pack and where it goes. */
export interface PackFile {
  pack: Pack;
  /** Absolute. */
  path: string;
}

/** What is packed, and where it goes. */
interface PackTarget {
  changeRequest: number | undefined;
  numbered: boolean;
  /** Absolute: the archive, or the folder of one archive a space. */
  path: string;
  isFile: boolean;
}

/** The packs of spaces, none of them written yet. @throws DocsError as `preparePack` */
export async function preparePacks(
  reader: BackupReader,
  spaces: readonly SpaceEntry[],
  { changeRequest, numbered, path, isFile }: PackTarget,
): Promise<PackFile[]> {
  const packs: PackFile[] = [];
  for (const space of spaces) {
    const pack = await preparePack(reader, space, { changeRequest, numbered });
    packs.push({ pack, path: isFile ? path : join(path, pack.name) });
  }
  return packs;
}

/** All are looked at before one is written. @throws DocsError usage `file_exists`; exit 13 */
export async function refuseExisting(
  jobs: readonly Pick<PackFile, 'path'>[],
  { yes, dryRun }: { yes?: boolean; dryRun?: boolean },
): Promise<void> {
  for (const { path } of jobs) {
    const found = await stat(path).catch((error: unknown) => {
      if (systemCode(error) === 'ENOENT') return undefined;
      throw localIoError(error, `cannot write ${path}`);
    });
    if (found === undefined) continue;
    if (!found.isFile()) throw usageError('not_a_file', `${path} is not a file; nothing was written`);
    if (!yes && !dryRun)
      throw usageError(
        'file_exists',
        `${path} already exists; nothing was written. Add --yes to replace it.`,
      );
  }
}

export async function writePack(
  { pack, path }: PackFile,
  io: Pick<Io, 'own' | 'signal'>,
): Promise<{ bytes: number; sha256: string }> {
  const digest = new Digest();
  const pieces = async function* (): AsyncGenerator<Uint8Array> {
    for await (const piece of pack.bytes()) {
      if (io.signal.aborted) throw stopped(io.signal);
      digest.add(piece);
      yield piece;
    }
  };
  onDiskSync(`cannot write ${path}`, () => makeFolders(dirname(path)));
  await writeAskedFile(io, path, pieces());
  return digest.result(path);
}

function stopped(signal: AbortSignal): DocsError {
  const kind = endedBy(signal);
  return new DocsError(kind, kind, `${kind}: the archive was not written`, { outcome: 'not-sent' });
}

/** @param written undefined where nothing was to be written */
export function packResult(
  { pack, path }: PackFile,
  written: { bytes: number; sha256: string } | undefined,
): PackResult {
  const { space, changeRequest, whole, pages, files, leftOut } = pack;
  const status = written === undefined ? 'not packed' : whole ? 'packed' : 'partial';
  const { bytes, sha256 } = written ?? {};
  return defined({
    ...space,
    status,
    path,
    changeRequest,
    bytes,
    sha256,
    pages,
    files,
    leftOut,
  }) as PackResult;
}

/** `Left out of Welcome: cover (1), comments (3).` */
export function leftOutWords({ space, leftOut }: Pack): string[] {
  const counts = new Map<string, number>();
  for (const { kind, count = 1 } of leftOut) counts.set(kind, (counts.get(kind) ?? 0) + count);
  if (counts.size === 0) return [];
  const words = [...counts].map(([kind, count]) => `${kind} (${count})`).join(', ');
  const all = '--json lists each with its reason';
  return [safeText(redactText(`Left out of ${space.title}: ${words}; ${all}.`))];
}
