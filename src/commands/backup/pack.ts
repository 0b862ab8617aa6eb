import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Digest } from '../../backup/folder.js';
import { type Pack, preparePack } from '../../backup/pack.js';
import { openReader } from '../../backup/reader.js';
import type { LeftOut, PackResult } from '../../backup/shapes.js';
import { DocsError, localIoError, systemCode, usageError } from '../../base/errors.js';
import { makeFolders } from '../../base/own-files.js';
import { redactText } from '../../base/redaction.js';
import { shellWord } from '../../base/shell-word.js';
import { defined } from '../../base/values.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import type { Check } from '../../cli/declare/takers.js';
import { warnReader } from '../../cli/run/output.js';
import { writeAskedFile } from '../../files/asked-file.js';
import type { Page, View } from '../../output/printer.js';
import { counted, safeText } from '../../output/text.js';
import { atOf, pickSpaces } from '../shared/which-backup.js';

/** `docs backup pack`: writes spaces of a backup as archives that the platform can import. */

/** A pack and where it goes. */
interface Job {
  pack: Pack;
  /** Absolute. */
  path: string;
}

/** @throws DocsError partial (exit 3) if the backup lacks pages or files; as `preparePack`, `openReader` */
export async function pack(session: Session, input: ManualInput, view: View): Promise<void> {
  const { printer, io, globals } = session;
  await printer.check(view);
  const jobs = await jobsOf(session, input);
  await refuseExisting(session, jobs);
  const partial: Pack[] = [];
  const pages = async function* (): AsyncGenerator<Page> {
    for (const job of jobs) {
      const written = globals.dryRun ? undefined : await write(job, io);
      if (!job.pack.whole) partial.push(job.pack);
      yield { items: [resultOf(job, written)], next: 'more' };
    }
  };
  await printer.list(pages(), view);
  for (const { pack } of jobs) tellLeftOut(session, pack);
  if (globals.dryRun) printer.note('Dry run: nothing was written.');
  if (partial.length > 0) failPartial(session, partial, String(input.args.folder));
}

async function jobsOf({ io }: Session, { args, options }: ManualInput): Promise<Job[]> {
  const folder = String(args.folder);
  const out = String(options.out ?? '');
  if (out === '') throw usageError('missing_out', 'missing --out: the archive or folder to write');
  const reader = await openReader(resolve(io.cwd, folder), atOf(options, io));
  const typed = options.space as readonly string[] | undefined;
  const spaces = pickSpaces(reader.manifest, typed, folder);
  const changeRequest = options.changeRequest as number | undefined;
  if (changeRequest !== undefined && (typed === undefined || spaces.length > 1))
    throw usageError('one_space', '--change-request needs one --space: numbers are of a space');
  const isFile = /\.zip$/i.test(out);
  if (isFile && spaces.length !== 1)
    throw usageError(
      'several_spaces',
      `--out ${out} is one archive, for ${counted(spaces.length, 'space')}; pass a folder`,
    );
  const path = resolve(io.cwd, out);
  const numbered = options.numbered === true;
  const jobs: Job[] = [];
  for (const space of spaces) {
    const made = await preparePack(reader, space, defined({ changeRequest, numbered }));
    jobs.push({ pack: made, path: isFile ? path : join(path, made.name) });
  }
  return jobs;
}

/** What `--out` may name: an archive that is not there yet, or a folder. @throws DocsError as `refuseExisting` */
export const checkOut: Check = async (typed, session) => {
  const path = resolve(session.io.cwd, typed);
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) await refuseExisting(session, [{ path }]);
};

/** All are looked at before one is written. @throws DocsError usage `file_exists`; exit 13 */
async function refuseExisting({ globals }: Session, jobs: readonly Pick<Job, 'path'>[]): Promise<void> {
  for (const { path } of jobs) {
    const found = await stat(path).catch((error: unknown) => {
      if (systemCode(error) === 'ENOENT') return undefined;
      throw localIoError(error, `Cannot write ${path}`);
    });
    if (found === undefined) continue;
    if (!found.isFile()) throw usageError('not_a_file', `${path} is not a file; nothing was written`);
    if (!globals.yes && !globals.dryRun)
      throw usageError(
        'file_exists',
        `${path} already exists; nothing was written. Add --yes to replace it.`,
      );
  }
}

async function write({ pack, path }: Job, io: Session['io']): Promise<{ bytes: number; sha256: string }> {
  const digest = new Digest();
  const pieces = async function* (): AsyncGenerator<Uint8Array> {
    for await (const piece of pack.bytes()) {
      if (io.signal.aborted) throw stopped(io.signal);
      digest.add(piece);
      yield piece;
    }
  };
  try {
    makeFolders(dirname(path));
  } catch (error) {
    throw localIoError(error, `Cannot write ${path}`);
  }
  await writeAskedFile(io, path, pieces());
  return digest.result(path);
}

function stopped({ reason }: AbortSignal): DocsError {
  const kind = String(reason).includes('SIGTERM') ? 'terminated' : 'interrupted';
  return new DocsError(kind, kind, `${kind}: the archive was not written`, { outcome: 'not-sent' });
}

function resultOf({ pack, path }: Job, written: { bytes: number; sha256: string } | undefined): PackResult {
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
function tellLeftOut({ printer }: Session, { space, leftOut }: Pack): void {
  const counts = new Map<string, number>();
  for (const { kind, count = 1 } of leftOut) counts.set(kind, (counts.get(kind) ?? 0) + count);
  if (counts.size === 0) return;
  const words = [...counts].map(([kind, count]) => `${kind} (${count})`).join(', ');
  const all = '--json lists each with its reason';
  printer.note(safeText(redactText(`Left out of ${space.title}: ${words}; ${all}.`)));
}

function failPartial(session: Session, packs: readonly Pack[], folder: string): never {
  const isMissing = ({ kind }: LeftOut): boolean => kind === 'page' || kind === 'file';
  const missing = packs.flatMap(({ space, leftOut }) =>
    leftOut.filter(isMissing).map(({ kind, id, title }) => ({ space: space.title, kind, id, title })),
  );
  const lines = missing.map(({ space, kind, title }) => `Not in the backup: ${kind} ${title} of ${space}`);
  warnReader(
    session,
    lines.map((line) => safeText(redactText(line))),
  );
  const message = `the backup lacks ${counted(missing.length, 'page or file', 'pages and files')}; the rest is packed`;
  throw new DocsError('partial', 'not_all_packed', message, {
    details: { missing },
    hint: `docs backup verify ${shellWord(folder, session.io.platform)}`,
  });
}
