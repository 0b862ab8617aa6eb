import type { RoleFilter } from '../../api/resources/members.js';
import { usageError } from '../../base/errors.js';
import { defined } from '../../base/values.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { isStructured, warnReader } from '../../cli/run/output.js';
import { readingOf } from '../../cli/run/reading-of.js';
import { counted } from '../../output/counted.js';
import type { Page, View } from '../../output/printer.js';
import { parseSpan } from '../../settings/duration.js';
import { notAllRead } from '../../snapshot/unread.js';
import { countsByRole, ownedWords } from '../../workflows/access-review/in-words.js';
import { type Filter, openReview, type Review } from '../../workflows/access-review/review.js';
import type { ReviewRow } from '../../workflows/access-review/row.js';
import { placeFacts, rehearsalWords } from '../page-facts.js';
import { type ReportPage, reportPage } from '../report-page.js';
import { withShards } from '../shards.js';
import type { Own } from '../shards-own.js';

const usualInactive = '90d';

/**
 * `docs members review`: prints one row per member.
 * @throws DocsError usage; partial `not_all_read` (exit 3) where something could not be read
 */
export async function reviewAccess(session: Session, typed: ManualInput, view: View): Promise<void> {
  const { inactive, role, sso } = typed.options;
  const flags = { inactive, role, sso: sso === false ? false : undefined };
  const split = { command: 'members review', flags };
  await withShards(session, typed, split, (own) => reviewOwn(own, view));
}

async function reviewOwn({ session, input, shard }: Own, view: View): Promise<void> {
  const { io, printer } = session;
  const { options } = input;
  const span = typeof options.inactive === 'string' ? options.inactive : usualInactive;
  const inactiveMs = inactiveOf(span);
  const named = (options.role as RoleFilter[] | undefined) ?? [];
  const asked = { inactive: options.inactive !== undefined, roles: named, noSso: options.sso === false };
  const filter: Filter = { ...asked, ...defined({ shard }) };
  const page = await reportPage(session, input);
  await printer.check(view);
  const review = await openReview(await readingOf(session, input), filter, { inactiveMs, nowMs: io.now });
  const drawing = page && (await drawingOf(session, review, { page, filter, span }));
  const rows = drawing === undefined ? review.rows() : drawing.passing(review.rows());
  await printer.list(pagesOf(rows, isStructured(session)), view).catch((cause: unknown) => {
    page?.left(cause);
    throw cause;
  });
  await drawing?.write();
  conclude(session, review);
}

interface Drawing {
  /** The same rows, which the page shows. */
  passing(rows: AsyncIterable<ReviewRow[]>): AsyncGenerator<ReviewRow[]>;
  write(): Promise<void>;
}

/** `--html`: gathers the rows as they come, and writes the page once all have. @param span `90d` */
async function drawingOf(
  session: Session,
  review: Review,
  { page, filter, span }: { page: ReportPage; filter: Filter; span: string },
): Promise<Drawing> {
  const { ReviewTables, reviewReport } = await import('./review-page.js');
  const tables = new ReviewTables();
  return {
    async *passing(rows) {
      for await (const some of rows) {
        for (const row of some) tables.add(row);
        yield some;
      }
    },
    write: () =>
      page.write(
        reviewReport(tables, {
          organization: review.organization,
          facts: placeFacts(session, review.organization),
          about: rehearsalWords(session),
          missing: missedWords(review),
          span,
          asked: filter,
        }),
      ),
  };
}

function inactiveOf(span: string): number {
  const ms = parseSpan(span);
  if (ms !== undefined) return ms;
  const message = `--inactive: invalid duration ${JSON.stringify(span)}; expected one such as 90d or 12w.`;
  throw usageError('invalid_duration', message);
}

async function* pagesOf(all: AsyncIterable<ReviewRow[]>, keepsLists: boolean): AsyncGenerator<Page> {
  for await (const rows of all) yield { items: keepsLists ? rows : rows.map(inCells), next: 'more' };
}

/** The row as text for tables and spreadsheets: guests have a role, lists are joined. */
function inCells(row: ReviewRow): Record<string, unknown> {
  const { teams, spaces, flags, role, notRead } = row;
  const unread = notRead.length === 0 ? [] : [`not read: ${notRead.join(', ')}`];
  return {
    ...row,
    role: role ?? 'guest',
    flags: flags.join(', '),
    teams: teams.map(ownedWords).join(', '),
    spaces: [...countsByRole(spaces), ...unread].join(', '),
    notRead: notRead.join(', '),
  };
}

function conclude(session: Session, { unread, count: rows }: Review): void {
  const words = `${counted(rows, 'member')} to review.`;
  if (unread.length === 0) {
    session.printer.note(words);
    return;
  }
  warnReader(session, missedWords({ unread }));
  const message = `${words} ${counted(unread.length, 'list')} could not be read; the affected rows have the flag not-read.`;
  const facts = unread.map(({ what, error }) => ({ what, error: error.toJSON() }));
  throw notAllRead(message, { unread, details: { rows, unread: facts } });
}

/** What could not be read, a sentence each. */
function missedWords({ unread }: Pick<Review, 'unread'>): string[] {
  return unread.map(({ what, error }) => `Cannot read ${what}: ${error.message}`);
}
