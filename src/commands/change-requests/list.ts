import type { TSchema } from '@sinclair/typebox';
import { type CallOptions, listOf } from '../../api/client.js';
import { listChangeRequests } from '../../api/resources/change-requests.js';
import { DocsError, usageError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import { defined, isObject } from '../../base/values.js';
import type { Command, ManualInput } from '../../cli/declare/command.js';
import { wholeNumber } from '../../cli/parse/values.js';
import { assemble, refuseWrongFlags } from '../../cli/run/assemble.js';
import {
  type Page,
  type Report,
  type ReportRequest,
  type Unread,
  unreadEnding,
} from '../../cli/run/run-report.js';
import { subjectOf, viewOf } from '../../cli/run/view.js';
import { fieldPaths } from '../../output/printed-shapes.js';
import { counted } from '../../output/text.js';
import { type Moment, momentMs, parseMoment } from '../../settings/duration.js';
import { type FoundRequests, requestsOfAll, type SpaceRequest } from '../../snapshot/change-requests.js';

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

interface RequestsRead {
  items: readonly SpaceRequest[];
  spaces: number;
  unread: readonly Unread[];
}

/** Of all spaces, the oldest update first. Partial `not_all_read` (exit 3); usage; as `requestsOfAll`. */
export function listOfAll(command: Command, shape: TSchema): Report<RequestsRead> {
  const shown = columns.map((column) => (typeof column === 'string' ? { path: column } : column));
  return {
    rowView: { columns: shown, ...fieldPaths(shape), empty: 'No change requests match.' },
    async read(asked) {
      const { session, input } = asked;
      const updated = updatedOf(input);
      await refuseWrongFlags(session, command, input);
      const { requests, spaces, unread } = await readAll(asked);
      const nowMs = session.nowMs();
      const items = requests.filter((request) => isWithin(updated, request, nowMs) === true);
      return { items: items.toSorted(byUpdate), spaces, unread: [...unread, ...undated(requests)] };
    },
    rows: ({ items }, { input }) => ({ items, limit: limitOf(input) }),
    end({ items, spaces, unread }) {
      const sum = `Found ${counted(items.length, 'change request')} in ${counted(spaces, 'space')}.`;
      return unreadEnding(unread, sum, 'docs change-requests list --all-spaces');
    },
  };
}

/** What the platform lists where no status is named. */
const byDefault = String(listChangeRequests.query.properties.status.default);

async function readAll({ input, rawReading, progress }: ReportRequest): Promise<FoundRequests> {
  const { options } = input;
  const { status = byDefault, contributor, pageSize } = options as Record<string, string | undefined>;
  const reading = await rawReading();
  return progress('Reading spaces', (shown) =>
    requestsOfAll(reading, [status], {
      contributor,
      pageSize: pageSize === undefined ? undefined : Number(pageSize),
      onRead: (lists) => shown.count(lists),
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

interface OpenList {
  calls: Awaited<ReturnType<typeof assemble>>['calls'];
  undated: Unread[];
}

/** Of one space, in the order of the platform; pages are printed as they come. Partial `not_all_read` (exit 3). */
export function listUpdated(command: Command): Report<OpenList> {
  return {
    async read({ session, input }) {
      updatedOf(input);
      return { calls: (await assemble(session, command, input)).calls, undated: [] };
    },
    rowView: { ...viewOf(command, listChangeRequests), empty: 'No change requests match.' },
    async rows({ calls: [call], undated: unknown }, { session, input }) {
      if (call === undefined) return [];
      const client = await session.client({ timeoutPerRequest: true });
      const about = subjectOf(command, input, call, session.io.platform);
      const listed = listOf(client, call.op, call.input, about).pages();
      const updated = updatedOf(input);
      const isKept = (item: unknown): boolean => {
        const within = isWithin(updated, item, session.nowMs());
        if (within === undefined) unknown.push(undatedOne(item));
        return within === true;
      };
      return { items: whole(kept(listed, isKept)), limit: limitOf(input) };
    },
    end: ({ undated: unread }, { listed: { printed } }) =>
      unreadEnding(unread, `Found ${counted(printed, 'change request')}.`, 'docs doctor'),
  };
}

async function* kept(pages: AsyncIterable<Page>, isKept: (item: unknown) => boolean): AsyncGenerator<Page> {
  for await (const { items } of pages) {
    const some = items.filter(isKept);
    if (some.length > 0) yield { items: some };
  }
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
