import { type Client, callOne, listOf } from '../../api/client.js';
import { type AnyOperation, pathParameters } from '../../api/operation.js';
import { organizationSpaces } from '../../api/organization-spaces.js';
import { operationsOf } from '../../model/operations.js';
import type { Resource } from '../../model/resources.js';

/** Lists the resources of a kind, as the registry says. */

/** Ids of the parents by path parameter: `{ organizationId: 'o1' }`. */
export type Parents = Readonly<Record<string, string>>;

/** The first operation whose path parameters are all known; the last where there is none. */
export function firstKnown(candidates: readonly AnyOperation[], path: Parents): AnyOperation {
  const known = candidates.find((op) => pathParameters(op.path).every((name) => name in path));
  return known ?? (candidates.at(-1) as AnyOperation);
}

/**
 * All resources of a kind, as they come.
 * @param text narrows the list on the platform, where it can be searched
 */
export function itemsOf(
  client: Client,
  kind: Resource,
  path: Parents,
  text?: string,
): AsyncIterable<unknown> {
  if (kind.walk !== undefined) return walks[kind.walk](client, path, kind);
  const query = kind.search === undefined || text === undefined ? {} : { [kind.search]: text };
  return listOf(client, firstKnown(operationsOf(kind.lists), path), { path, query });
}

type List = (client: Client, path: Parents, kind: Resource) => AsyncIterable<unknown>;

const walks: Record<NonNullable<Resource['walk']>, List> = {
  spaces: (client, { organizationId = '' }) => organizationSpaces(client, organizationId),
  'pending-change-requests': pendingChangeRequests,
  'page-tree': pagesOfTree,
};

/** What can still be merged: open ones, then drafts. Others are named by number or id. */
async function* pendingChangeRequests(
  client: Client,
  path: Parents,
  kind: Resource,
): AsyncGenerator<unknown> {
  const list = firstKnown(operationsOf(kind.lists), path);
  for (const status of ['open', 'draft']) yield* listOf(client, list, { path, query: { status } });
}

/** The pages of a tree, depth first. A stack, since there is no limit to its depth. */
async function* pagesOfTree(client: Client, path: Parents, kind: Resource): AsyncGenerator<unknown> {
  const op = firstKnown(operationsOf(kind.lists), path);
  const { pages } = (await callOne(client, { op, input: { path } })) as { pages?: readonly unknown[] };
  const waiting = Array.isArray(pages) ? pages.toReversed() : [];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    yield next;
    const { pages: below } = next as { pages?: unknown };
    if (Array.isArray(below)) waiting.push(...below.toReversed());
  }
}
