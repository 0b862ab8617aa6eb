import { type CallOptions, type Client, type LooseInput, listOf, type Page } from './client.js';
import { listMembers } from './resources/members.js';

/**
 * The pages of `members list` where they are not those of the platform; otherwise undefined. Sorted by `lastSeenAt`, the platform leaves out members who were never seen
 * (spec B, "Organization members"): they come last, as its list by `joinedAt` has them.
 * A cursor is one of the platform's own list, and nothing is added to it.
 */
export function memberPages(
  client: Client,
  input: LooseInput,
  options: CallOptions = {},
): AsyncGenerator<Page<unknown>> | undefined {
  const { sort, page } = input.query ?? {};
  return sort === 'lastSeenAt' && page === undefined ? byLastSeen(client, input, options) : undefined;
}

async function* byLastSeen(
  client: Client,
  input: LooseInput,
  options: CallOptions,
): AsyncGenerator<Page<unknown>> {
  const { sort: _, ...query } = input.query ?? {};
  const pages = listOf(client, listMembers, input, options).pages();
  const { most = Number.POSITIVE_INFINITY } = options;
  const listed = new Set<unknown>();
  const others = async function* (): AsyncGenerator<Page<unknown>> {
    for await (const { count: _, ...page } of listOf(client, listMembers, { ...input, query }).pages())
      yield { ...page, items: page.items.filter((item) => !listed.has(idOf(item))) };
  };
  for await (const { count: _, ...page } of pages) {
    for (const item of page.items) listed.add(idOf(item));
    const goesOn = page.next !== undefined || listed.size < most || (await hasItems(others()));
    yield { ...page, next: goesOn ? (page.next ?? 'never-seen') : undefined };
  }
  if (listed.size < most) yield* others();
}

/** Whether a limit cuts anything off. */
async function hasItems(pages: AsyncIterable<Page<unknown>>): Promise<boolean> {
  for await (const { items } of pages) if (items.length > 0) return true;
  return false;
}

function idOf(item: unknown): unknown {
  return (item as { id?: unknown } | null)?.id;
}
