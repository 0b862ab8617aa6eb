import { type Client, callOne, type LooseInput, listOf, prepare } from '../api/client.js';
import type { AnyOperation } from '../api/operation.js';
import { DocsError } from '../base/errors.js';
import { requestFor } from './change.js';

export type Resource = Readonly<Record<string, unknown>>;

/** Reads of the platform; null where it answers 404. */
export interface Reads {
  one(op: AnyOperation, input: LooseInput): Promise<Resource | null>;
  /** All items of a list. */
  all(op: AnyOperation, input: LooseInput): Promise<Resource[] | null>;
}

/** Reads one resource at a path; null where it does not exist. */
export function readAt(
  reads: Reads,
  op: AnyOperation,
  path: LooseInput['path'],
  query: LooseInput['query'] = {},
): Promise<Resource | null> {
  return reads.one(op, { ...requestFor(op, path).input, query });
}

/** Reads a list at a path; none where that does not exist. */
export async function listAt(
  reads: Reads,
  op: AnyOperation,
  path: LooseInput['path'],
  query: LooseInput['query'] = {},
): Promise<Resource[]> {
  return (await reads.all(op, { ...requestFor(op, path).input, query })) ?? [];
}

/** Reads each resource once; lists as often as they are asked for. */
export function onceEach(reads: Reads): Reads {
  const known = new Map<string, Promise<Resource | null>>();
  return {
    ...reads,
    one(op, input) {
      const { path } = prepare(op, input);
      const found = known.get(path) ?? reads.one(op, input);
      known.set(path, found);
      return found;
    },
  };
}

/** What a read shows; undefined where it is refused, so that the state stays unknown. @throws every other failure */
export function unlessRefused<T>(read: () => Promise<T>): Promise<T | undefined> {
  return read().catch((cause: unknown) => {
    if (isRefusal(cause)) return undefined;
    throw cause;
  });
}

/** @throws DocsError from each read that fails for another reason than 404 */
export function readsOf(client: Client): Reads {
  return reading(client, async () => {});
}

/**
 * The same for what a job rests on: an organization that cannot be read shows nothing about what is in it.
 * @throws DocsError as `readsOf`; not-found where the organization in the path cannot be read
 */
export function certainReadsOf(client: Client): Reads {
  const seen = new Set<string>();
  return reading(client, async ({ path: { organizationId } = {} }) => {
    if (organizationId === undefined || seen.has(organizationId)) return;
    // Most jobs find what they look for.
    const { getOrg } = await import('../api/resources/orgs.js');
    await client.call(getOrg, { path: { organizationId } });
    seen.add(organizationId);
  });
}

/** @param missing told of each 404; may throw instead */
function reading(client: Client, missing: (input: LooseInput) => Promise<void>): Reads {
  const nullIfGone = (input: LooseInput) => async (cause: unknown) => {
    if (!(cause instanceof DocsError) || cause.kind !== 'not-found') throw cause;
    await missing(input);
    return null;
  };
  const listed = async (op: AnyOperation, input: LooseInput) => {
    const items: Resource[] = [];
    for await (const page of listOf(client, op, input).pages())
      for (const item of page.items) items.push(item as Resource);
    return items;
  };
  return {
    one: (op, input) => callOne(client, { op, input }).catch(nullIfGone(input)) as Promise<Resource | null>,
    all: (op, input) => listed(op, input).catch(nullIfGone(input)),
  };
}

const refusals = ['unauthenticated', 'forbidden', 'conflict', 'refused', 'bad-response'];

/**
 * Whether a read was refused, so that the state stays unknown. The change is sent all the same: its own
 * answer decides. Every other failure means that the platform is out of reach.
 */
export function isRefusal(cause: unknown): boolean {
  // A policy that denies a read denies what rests on it.
  return cause instanceof DocsError && refusals.includes(cause.kind) && cause.code !== 'policy_denied';
}
