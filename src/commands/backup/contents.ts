import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  leftOutWords,
  type PackFile,
  packResult,
  preparePacks,
  refuseExisting,
  writePack,
} from '../../backup/pack-file.js';
import { openReader } from '../../backup/reader.js';
import { Query, searchBackup, type Unsearched } from '../../backup/search.js';
import type { LeftOut, SearchHit } from '../../backup/shapes.js';
import { DocsError, usageError } from '../../base/errors.js';
import { redactText } from '../../base/redaction.js';
import { shellWord } from '../../base/shell-word.js';
import type { ManualInput, Page, Report, ReportEnding, Session } from '../../cli/run/run-report.js';
import type { SearchArea } from '../../model/resources.js';
import { counted, safeText } from '../../output/text.js';
import { atOf, pickSpaces } from '../shared/backup-flags.js';

/** `docs backup search` and `docs backup pack`: what a backup holds, found or written as archives. */

interface SearchRead {
  query: Query;
  hits: AsyncIterable<SearchHit>;
  /** Filled as the hits are read. */
  unsearched: Unsearched[];
}

/** Partial (exit 3) if files are missing or damaged; as `openReader`, `pickSpaces`. */
export const searchReport: Report<SearchRead> = {
  async read({ session: { io }, input: { args, options } }) {
    const folder = String(args.folder);
    const query = new Query([args.words ?? []].flat().map(String));
    if (query.isEmpty)
      throw usageError('missing_argument', 'no words to look for', {
        hint: 'docs backup search <folder> <words>',
      });
    const reader = await openReader(resolve(io.cwd, folder), atOf(options, io));
    const typed = options.space as readonly string[] | undefined;
    const unsearched: Unsearched[] = [];
    const hits = searchBackup(reader, {
      query,
      spaces: pickSpaces(reader.manifest, typed, folder),
      withOrganization: typed === undefined,
      areas: options.in as readonly SearchArea[] | undefined,
      onUnsearched: (one) => unsearched.push(one),
    });
    return { query, hits, unsearched };
  },
  rows({ query, hits }, { input: { options }, view }) {
    const mark = (text: string) => query.marks(text);
    const columns = view.columns.map((column) => (column.path === 'snippet' ? { ...column, mark } : column));
    const limit = options.limit === undefined ? undefined : Number(options.limit);
    return { items: pagesOf(hits), view: { ...view, columns }, limit };
  },
  end({ unsearched }, { session: { io }, input: { args } }) {
    if (unsearched.length === 0) return undefined;
    const warnings = unsearched.map(({ path, reason }) =>
      safeText(redactText(`Not searched: ${reason.includes(path) ? '' : `${path}: `}${reason}`)),
    );
    const message = `${counted(unsearched.length, 'file')} could not be searched`;
    const failure = new DocsError('partial', 'not_all_searched', message, {
      details: { unsearched },
      hint: `docs backup verify ${shellWord(String(args.folder), io.platform)} --offline`,
    });
    return { warnings, failure };
  },
};

/** The first page decides how wide columns are. */
const pageSize = 20;

async function* pagesOf(hits: AsyncIterable<SearchHit>): AsyncGenerator<Page> {
  let items: SearchHit[] = [];
  for await (const hit of hits) {
    items.push(hit);
    if (items.length < pageSize) continue;
    yield { items, next: 'more' };
    items = [];
  }
  if (items.length > 0) yield { items };
}

/** Partial (exit 3) if the backup lacks pages or files; as `preparePacks`, `openReader`. */
export const packReport: Report<PackFile[]> = {
  async read({ session, input }) {
    const jobs = await jobsOf(session, input);
    await refuseExisting(jobs, session.globals);
    return jobs;
  },
  rows: (jobs, { session }) => ({ items: writtenPages(jobs, session) }),
  notes(jobs, { session: { globals } }) {
    const leftOut = jobs.flatMap(({ pack }) => leftOutWords(pack));
    return globals.dryRun ? [...leftOut, 'Dry run: nothing was written.'] : leftOut;
  },
  end(jobs, { session, input }) {
    const partial = jobs.filter(({ pack }) => !pack.whole);
    return partial.length === 0 ? undefined : partialEnding(session, partial, String(input.args.folder));
  },
};

async function* writtenPages(jobs: readonly PackFile[], { io, globals }: Session): AsyncGenerator<Page> {
  for (const job of jobs) {
    const written = globals.dryRun ? undefined : await writePack(job, io);
    yield { items: [packResult(job, written)], next: 'more' };
  }
}

async function jobsOf({ io }: Session, { args, options }: ManualInput): Promise<PackFile[]> {
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
  return preparePacks(reader, spaces, { changeRequest, numbered, path, isFile });
}

/** What `--out` may name: an archive that is not there yet, or a folder. @throws DocsError as `refuseExisting` */
export async function checkOut(typed: string, { io, globals }: Session): Promise<void> {
  const path = resolve(io.cwd, typed);
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) await refuseExisting([{ path }], globals);
}

function partialEnding({ io }: Session, jobs: readonly PackFile[], folder: string): ReportEnding {
  const isMissing = ({ kind }: LeftOut): boolean => kind === 'page' || kind === 'file';
  const missing = jobs.flatMap(({ pack: { space, leftOut } }) =>
    leftOut.filter(isMissing).map(({ kind, id, title }) => ({ space: space.title, kind, id, title })),
  );
  const lines = missing.map(({ space, kind, title }) => `Not in the backup: ${kind} ${title} of ${space}`);
  const message = `the backup lacks ${counted(missing.length, 'page or file', 'pages and files')}; the rest is packed`;
  const failure = new DocsError('partial', 'not_all_packed', message, {
    details: { missing },
    hint: `docs backup verify ${shellWord(folder, io.platform)}`,
  });
  return { warnings: lines.map((line) => safeText(redactText(line))), failure };
}
