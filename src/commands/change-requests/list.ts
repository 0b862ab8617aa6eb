import type { TSchema } from '@sinclair/typebox';
import { type CallOptions, listOf } from '../../api/client.js';
import { listChangeRequests } from '../../api/resources/change-requests.js';
import { DocsError, usageError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import { defined, isObject } from '../../base/values.js';
import type { Command, ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { wholeNumber } from '../../cli/parse/values.js';
import { assemble, refuseWrongFlags } from '../../cli/run/assemble.js';
import { warnReader } from '../../cli/run/output.js';
import { readingOf, showProgress } from '../../cli/run/reading-of.js';
import { subjectOf, viewOf } from '../../cli/run/view.js';
import { fieldPaths } from '../../output/printed-shapes.js';
import type { Page, View } from '../../output/printer.js';
import { counted } from '../../output/text.js';
import { type Moment, momentMs, parseMoment } from '../../settings/duration.js';
import { type FoundRequests, requestsOfAll, type SpaceRequest } from '../../snapshot/change-requests.js';
import { notAllRead, notReadLines, type Unread, unreadFacts } from '../../snapshot/unread.js';

/** `docs change-requests list` over all spaces, and with a limit of time. */

const columns = [
  { path: 'space.title', label: 'SPACE' },
  { path: 'number', keep: true, label: 'NO' },
  { path: 'subject', keep: true },
  'updatedAt',
  { path: 'createdBy.displayName', label: 'AUTHOR' },
  { path: 'status', as: 'state' },
  'comments',
  'outdated',
  { path: 'id', as: 'id' },
  { path: 'space.id', as: 'id' },
] as const;

/**
 * Of all spaces, the oldest update first.
 * @throws DocsError usage; partial `not_all_read` (exit 3); as `requestsOfAll`
 */
export async function listOfAll(
  session: Session,
  command: Command,
  input: ManualInput,
  shape: TSchema,
): Promise<void> {
  const { printer, io } = session;
  const updated = updatedOf(input);
  await refuseWrongFlags(session, command, input);
  const limit = limitOf(input);
  const shown = columns.map((column) => (typeof column === 'string' ? { path: column } : column));
  const view: View = { columns: shown, ...fieldPaths(shape), empty: 'No change requests match.' };
  await printer.check(view);
  const reading = await readingOf(session, input);
  const found = await readAll(session, input, reading);
  const nowMs = reading.client.platformNowMs ?? io.now();
  const items = found.requests
    .filter((request) => isWithin(updated, request, nowMs) === true)
    .toSorted(byUpdate);
  await printer.list(items, view, { limit });
  const sum = `Found ${counted(items.length, 'change request')} in ${counted(found.spaces, 'space')}.`;
  const unread = [...found.unread, ...undated(found.requests)];
  refuseUnread(session, unread, sum, 'docs change-requests list --all-spaces');
}

/** What the platform lists where no status is named. */
const byDefault = String(listChangeRequests.query.properties.status.default);

async function readAll(
  session: Session,
  { options }: ManualInput,
  reading: Parameters<typeof requestsOfAll>[0],
): Promise<FoundRequests> {
  const { status = byDefault, contributor, pageSize } = options as Record<string, string | undefined>;
  return showProgress(session, 'Reading spaces', (progress) =>
    requestsOfAll(reading, [status], {
      contributor,
      pageSize: pageSize === undefined ? undefined : Number(pageSize),
      onRead: (lists) => progress.count(lists),
    }),
  );
}

/** The oldest first; what does not tell its age last. */
function byUpdate(one: SpaceRequest, other: SpaceRequest): number {
  const [own, others] = [one, other].map((request) => updatedMs(request) ?? Number.POSITIVE_INFINITY);
  return own === others ? 0 : Number(own) - Number(others);
}

/** Change requests whose place in the order, or in the time, is unknown. */
function undated(requests: readonly SpaceRequest[]): Unread[] {
  return requests
    .filter((request) => updatedMs(request) === undefined)
    .map((request) => ({ ...undatedOne(request), space: request.space.title }));
}

function undatedOne(request: unknown): Unread {
  const { id, subject } = (isObject(request) ? request : {}) as Record<string, unknown>;
  const message = 'The platform does not say when it was last updated.';
  const error = new DocsError('bad-response', 'wrong_shape', message, {
    outcome: 'done',
    hint: 'docs doctor',
  });
  const title = typeof subject === 'string' ? subject : undefined;
  return { kind: 'change-request', id: typeof id === 'string' ? id : '?', ...defined({ title }), error };
}

export function limitOf({ options }: ManualInput): number | undefined {
  return options.limit === undefined ? undefined : wholeNumber('--limit', options.limit);
}

/**
 * Of one space, in the order of the platform; pages are printed as they come.
 * @throws DocsError usage; partial `not_all_read` (exit 3)
 */
export async function listUpdated(session: Session, command: Command, input: ManualInput): Promise<void> {
  const { printer, io } = session;
  const updated = updatedOf(input);
  const { calls } = await assemble(session, command, input);
  const [call] = calls;
  if (call === undefined) return;
  const view = { ...viewOf(command, call.op), empty: 'No change requests match.' };
  await printer.check(view);
  const limit = limitOf(input);
  const client = await session.client({ timeoutPerRequest: true });
  const unknown: Unread[] = [];
  const pages = async function* (): AsyncGenerator<Page> {
    const about = subjectOf(command, input, call, io.platform);
    for await (const { items } of listOf(client, call.op, call.input, about).pages()) {
      const nowMs = client.platformNowMs ?? io.now();
      const kept = items.filter((item) => {
        const within = isWithin(updated, item, nowMs);
        if (within === undefined) unknown.push(undatedOne(item));
        return within === true;
      });
      if (kept.length > 0) yield { items: kept };
    }
  };
  const { printed } = await printer.list(whole(pages()), view, { limit });
  const sum = `Found ${counted(printed, 'change request')}.`;
  refuseUnread(session, unknown, sum, 'docs doctor');
}

/** The pages, of which the last says that nothing follows. */
async function* whole(pages: AsyncIterable<Page>): AsyncGenerator<Page> {
  let held: Page | undefined;
  for await (const { items } of pages) {
    if (held !== undefined) yield { ...held, next: 'more' };
    held = { items };
  }
  if (held !== undefined) yield held;
}

/** `--updated-before` and `--updated-after`. */
interface Updated {
  before: Moment | undefined;
  after: Moment | undefined;
}

/** @throws DocsError usage `invalid_time` */
function updatedOf({ options }: ManualInput): Updated {
  return {
    before: momentOf('--updated-before', options.updatedBefore),
    after: momentOf('--updated-after', options.updatedAfter),
  };
}

function momentOf(flag: string, typed: unknown): Moment | undefined {
  if (typeof typed !== 'string') return undefined;
  const moment = parseMoment(typed);
  if (moment !== undefined) return moment;
  const message = `invalid ${flag} ${JSON.stringify(typed.slice(0, 40))}; expected a span such as 60d or 24h, or a date such as 2026-01-31`;
  throw usageError('invalid_time', message, { hint: `docs change-requests list ${flag} 60d` });
}

/** When a change request was last updated, in milliseconds since the epoch; undefined if its answer does not tell. */
function updatedMs(request: unknown): number | undefined {
  const updatedAt = isObject(request) ? request.updatedAt : undefined;
  const ms = typeof updatedAt === 'string' ? Date.parse(updatedAt) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

/** Whether a change request was updated in the time; undefined where its answer does not tell. */
function isWithin({ before, after }: Updated, request: unknown, nowMs: number): boolean | undefined {
  if (before === undefined && after === undefined) return true;
  const ms = updatedMs(request);
  if (ms === undefined) return undefined;
  const isEarly = before === undefined || ms < momentMs(before, nowMs);
  return isEarly && (after === undefined || ms >= momentMs(after, nowMs));
}

/**
 * What was not read, a line each; then the failure.
 * @param sum what was found, as a sentence
 * @throws DocsError partial `not_all_read`, unless all was read
 */
export function refuseUnread(session: Session, unread: readonly Unread[], sum: string, hint: string): void {
  if (unread.length === 0) return;
  warnReader(session, notReadLines(unread));
  const details = { unread: unread.map(unreadFacts) };
  throw notAllRead(`${sum} Not read: ${unread.length}.`, { unread, details, hint });
}

/** What a change request is in the errors of its reads: where it was not found, the list of its space is next. */
export function aboutRequest(
  { spaceId, changeRequestId }: { spaceId: string; changeRequestId: string },
  platform: NodeJS.Platform,
): CallOptions {
  const at = `--space ${shellWord(spaceId, platform)}`;
  const show = `docs change-requests get ${shellWord(changeRequestId, platform)} ${at}`;
  const subject = { what: `change request ${changeRequestId}`, showCommand: show };
  return { subject: { ...subject, listCommand: `docs change-requests list ${at}` } };
}
