import type { RoleFilter } from '../../api/resources/members.js';
import { roles } from '../../api/shapes.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { isStructured, warnReader } from '../../cli/run/output-flags.js';
import { readingOf } from '../../cli/run/reading-of.js';
import { DocsError, usageError } from '../../errors.js';
import { counted } from '../../output/counted.js';
import type { Page, View } from '../../output/printer.js';
import { parseSpan } from '../../settings/duration.js';
import { openReview, type Review } from '../../workflows/access-review/review.js';
import type { ReviewRow } from '../../workflows/access-review/row.js';

const usualInactiveMs = 90 * 86_400_000;

/**
 * `docs members review`: prints one row per member.
 * @throws DocsError usage; partial `not_all_read` (exit 3) where something could not be read
 */
export async function reviewAccess(session: Session, input: ManualInput, view: View): Promise<void> {
  const { io, printer } = session;
  const { options } = input;
  const inactiveMs = inactiveOf(input);
  const named = (options.role as RoleFilter[] | undefined) ?? [];
  const filter = { inactive: options.inactive !== undefined, roles: named, noSso: options.sso === false };
  await printer.check(view);
  const review = await openReview(await readingOf(session, input), filter, { inactiveMs, nowMs: io.now });
  await printer.list(pagesOf(review, isStructured(session)), view);
  conclude(session, review);
}

function inactiveOf({ options: { inactive } }: ManualInput): number {
  if (typeof inactive !== 'string') return usualInactiveMs;
  const ms = parseSpan(inactive);
  if (ms !== undefined) return ms;
  const message = `--inactive: invalid duration ${JSON.stringify(inactive)}; expected one such as 90d or 12w.`;
  throw usageError('invalid_duration', message);
}

async function* pagesOf(review: Review, keepsLists: boolean): AsyncGenerator<Page> {
  for await (const rows of review.rows())
    yield { items: keepsLists ? rows : rows.map(inCells), next: 'more' };
}

/** The row as text for tables and spreadsheets: guests have a role, lists are joined. */
function inCells(row: ReviewRow): Record<string, unknown> {
  const { teams, spaces, flags, role, notRead } = row;
  const unread = notRead.length === 0 ? [] : [`not read: ${notRead.join(', ')}`];
  const rank = (team: ReviewRow['teams'][number]) => (team.onlyOwner ? 'only owner' : 'owner');
  return {
    ...row,
    role: role ?? 'guest',
    flags: flags.join(', '),
    teams: teams
      .map((team) => (team.role === 'owner' ? `${team.title} (${rank(team)})` : team.title))
      .join(', '),
    spaces: [...countsByRole(spaces), ...unread].join(', '),
    notRead: notRead.join(', '),
  };
}

/** `admin 2, read 57`, from the highest role. */
function countsByRole(spaces: ReviewRow['spaces']): string[] {
  const names = [...new Set<string>([...roles, ...spaces.map(({ role }) => role)])];
  return names.flatMap((name) => {
    const count = spaces.filter(({ role }) => role === name).length;
    return count === 0 ? [] : [`${name} ${count}`];
  });
}

function conclude(session: Session, { unread, count: rows }: Review): void {
  const words = `${counted(rows, 'member')} to review.`;
  if (unread.length === 0) {
    session.printer.note(words);
    return;
  }
  warnReader(
    session,
    unread.map(({ what, error }) => `Cannot read ${what}: ${error.message}`),
  );
  const message = `${words} ${counted(unread.length, 'list')} could not be read; the affected rows have the flag not-read.`;
  throw new DocsError('partial', 'not_all_read', message, {
    details: { rows, unread: unread.map(({ what, error }) => ({ what, error: error.toJSON() })) },
    retryable: unread.some(({ error }) => error.failure.retryable === true),
  });
}
