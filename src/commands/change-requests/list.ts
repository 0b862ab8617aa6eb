import type { TSchema } from '@sinclair/typebox';
import { listOf } from '../../api/client.js';
import { listChangeRequests } from '../../api/resources/change-requests.js';
import { byUpdate, isWithin, undated, undatedOne, updatedOf } from '../../change-requests/updated.js';
import type { Command } from '../../cli/declare/command.js';
import { viewOf } from '../../cli/declare/shown.js';
import { wholeNumber } from '../../cli/parse/plain-values.js';
import { assemble, refuseWrongFlags } from '../../cli/run/assemble.js';
import {
  type ManualInput,
  type Page,
  type Report,
  type ReportRequest,
  runReport,
  type Unread,
  unreadEnding,
} from '../../cli/run/run-report.js';
import { subjectOf } from '../../cli/run/view.js';
import { fieldPaths } from '../../output/printed-shapes.js';
import { counted } from '../../output/text.js';
import { type FoundRequests, requestsOfAll, type SpaceRequest } from '../../snapshot/change-requests.js';

/** `docs change-requests list` over all spaces, and with a limit of time. */

const columns = [
  { path: 'space.title', label: 'SPACE', lead: true },
  { path: 'number', keep: true, label: 'NO' },
  { path: 'subject', keep: true },
  'updatedAt',
  { path: 'createdBy.displayName', label: 'AUTHOR', lead: true },
  { path: 'status', as: 'state', lead: true },
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

/** Of all spaces with `--all-spaces`, else of one, with a limit of time. @param shape of what is listed of all */
export function listRequests(
  command: Command,
  shape: TSchema,
  typed: Parameters<typeof runReport>[1],
): Promise<void> {
  const isOfAll = typed.input.options.allSpaces === true;
  return isOfAll ? runReport(listOfAll(command, shape), typed) : runReport(listUpdated(command), typed);
}

/** Of all spaces, the oldest update first. Partial `not_all_read` (exit 3); usage; as `requestsOfAll`. */
function listOfAll(command: Command, shape: TSchema): Report<RequestsRead> {
  const shown = columns.map((column) => (typeof column === 'string' ? { path: column } : column));
  return {
    rowView: { columns: shown, ...fieldPaths(shape), empty: 'No change requests match.' },
    async read(asked) {
      const { session, input } = asked;
      const updated = updatedOf(input.options);
      await refuseWrongFlags(session, command, input);
      const { requests, spaces, unread } = await readAll(asked);
      const nowMs = session.nowMs();
      const items = requests.filter((request) => isWithin(updated, request, nowMs) === true);
      return { items: items.toSorted(byUpdate), spaces, unread: [...unread, ...undated(requests)] };
    },
    rows: ({ items }, { input }) => ({ items, limit: limitOf(input) }),
    end({ items, spaces, unread }) {
      const sum = `found ${counted(items.length, 'change request')} in ${counted(spaces, 'space')}`;
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

export function limitOf({ options }: ManualInput): number | undefined {
  return options.limit === undefined ? undefined : wholeNumber('--limit', options.limit);
}

interface OpenList {
  calls: Awaited<ReturnType<typeof assemble>>['calls'];
  undated: Unread[];
}

/** Of one space, in the order of the platform; pages are printed as they come. Partial `not_all_read` (exit 3). */
function listUpdated(command: Command): Report<OpenList> {
  return {
    async read({ session, input }) {
      updatedOf(input.options);
      return { calls: (await assemble(session, command, input)).calls, undated: [] };
    },
    rowView: { ...viewOf(command, listChangeRequests), empty: 'No change requests match.' },
    async rows({ calls: [call], undated: unknown }, { session, input }) {
      if (call === undefined) return [];
      const client = await session.client({ timeoutPerRequest: true });
      const about = subjectOf(command, input, call, session.io.platform);
      const listed = listOf(client, call.op, call.input, about).pages();
      const updated = updatedOf(input.options);
      const isKept = (item: unknown): boolean => {
        const within = isWithin(updated, item, session.nowMs());
        if (within === undefined) unknown.push(undatedOne(item));
        return within === true;
      };
      return { items: whole(kept(listed, isKept)), limit: limitOf(input) };
    },
    end: ({ undated: unread }, { listed: { printed } }) =>
      unreadEnding(unread, `found ${counted(printed, 'change request')}`, 'docs doctor'),
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
