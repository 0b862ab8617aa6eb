import { resolve } from 'node:path';
import { DocsError, usageError } from '../../base/errors.js';
import { redactText } from '../../base/redaction.js';
import { shellWord } from '../../base/shell-word.js';
import { defined } from '../../base/values.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { warnReader } from '../../cli/run/output.js';
import { counted } from '../../output/counted.js';
import type { Page, View } from '../../output/printer.js';
import { safeText } from '../../output/safe-text.js';
import { openReader } from '../../workflows/backup/reader.js';
import { Query } from '../../workflows/backup/search/query.js';
import type { SearchArea, SearchHit } from '../../workflows/backup/search/report.js';
import { searchBackup, type Unsearched } from '../../workflows/backup/search/search.js';
import { pickSpaces } from './pick-spaces.js';
import { atOf } from './which-backup.js';

/** `docs backup search`: lists what of a backup has all words. */

/** @throws DocsError partial (exit 3) if files are missing or damaged; as `openReader`, `pickSpaces` */
export async function search(session: Session, { args, options }: ManualInput, view: View): Promise<void> {
  const { printer, io } = session;
  await printer.check(view);
  const folder = String(args.folder);
  const query = new Query([args.words ?? []].flat().map(String));
  if (query.isEmpty)
    throw usageError('missing_argument', 'no words to look for', {
      hint: 'docs backup search <folder> <words>',
    });
  const reader = await openReader(resolve(io.cwd, folder), atOf(options, io));
  const typed = options.space as readonly string[] | undefined;
  const areas = options.in as readonly SearchArea[] | undefined;
  const unsearched: Unsearched[] = [];
  const hits = searchBackup(reader, {
    query,
    spaces: pickSpaces(reader.manifest, typed, folder),
    withOrganization: typed === undefined,
    ...defined({ areas }),
    onUnsearched: (one) => unsearched.push(one),
  });
  const limit = options.limit === undefined ? undefined : Number(options.limit);
  const mark = (text: string) => query.marks(text);
  const columns = view.columns.map((column) => (column.path === 'snippet' ? { ...column, mark } : column));
  await printer.list(pagesOf(hits), { ...view, columns }, defined({ limit }));
  if (unsearched.length > 0) fail(session, unsearched, folder);
}

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

function fail(session: Session, unsearched: readonly Unsearched[], folder: string): never {
  warnReader(
    session,
    unsearched.map(({ path, reason }) =>
      safeText(redactText(`Not searched: ${reason.includes(path) ? '' : `${path}: `}${reason}`)),
    ),
  );
  throw new DocsError(
    'partial',
    'not_all_searched',
    `${counted(unsearched.length, 'file')} could not be searched`,
    {
      details: { unsearched },
      hint: `docs backup verify ${shellWord(folder, session.io.platform)} --offline`,
    },
  );
}
