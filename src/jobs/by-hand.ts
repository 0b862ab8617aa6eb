import type { LooseInput } from '../api/client.js';
import type { AnyOperation } from '../api/operation.js';
import { operations } from '../api/resources/index.js';
import { DocsError, usageError } from '../base/errors.js';
import { requestFor, shownChange } from './change.js';
import { createdMsOf, idsOf, roundingMs, traceOf } from './creations.js';
import type { JobItem } from './journal.js';
import type { Reads, Resource } from './reads.js';
import { allRules } from './undo-rules.js';

/** What a person says of a request without an answer, checked against the platform. */

/**
 * The resource that a person names as what a request created or changed.
 * @param hint the command that lists the items, for errors
 * @throws DocsError not-found; usage `not_created` where it was there before, `other_item` where the request is
 *   about something else
 */
export async function namedByHand(
  reads: Reads,
  op: AnyOperation,
  { change, started }: JobItem,
  { id, hint }: { id: string; hint: string },
): Promise<Resource | undefined> {
  const { input, item } = shownChange(change);
  const trace = traceOf(op, allRules);
  if (trace === undefined && id !== change.id)
    throw usageError('other_item', `item ${item} is about ${change.id}, not about ${id}`, { hint });
  const resource = await (trace === undefined ? changed(reads, op, input) : find(reads, op, input, id));
  if (resource === null || resource === undefined) {
    const message = `${id} not found on the platform; nothing was recorded`;
    throw new DocsError('not-found', 'not_found', message, { outcome: 'not-sent', hint });
  }
  if (trace === undefined) return undefined;
  const [createdMs, sentMs] = [createdMsOf(resource), Date.parse(started?.platformAt ?? '')];
  const isOld = createdMs !== undefined && createdMs < sentMs - roundingMs;
  if (isOld || idsOf(resource).some((own) => started?.known?.includes(own)))
    throw usageError('not_created', `${id} was there before item ${item} was sent; nothing was recorded`, {
      hint,
    });
  const isNew = createdMs !== undefined && createdMs >= sentMs - roundingMs;
  if (!isNew && trace.like(resource, input) === 'unlike')
    throw usageError('not_created', `${id} is not what item ${item} creates; nothing was recorded`, {
      hint,
    });
  return resource;
}

/** The resource that a change touches: the one that its path names last. */
async function changed(reads: Reads, { path }: AnyOperation, input: LooseInput): Promise<Resource | null> {
  const own = path.slice(0, path.lastIndexOf('}') + 1);
  const get = operations.find((op) => op.method === 'GET' && op.path === own);
  return get === undefined ? {} : reads.one(get, requestFor(get, input.path).input);
}

/** By its id where the platform has such a request, else in the list. */
async function find(
  reads: Reads,
  op: AnyOperation,
  input: LooseInput,
  id: string,
): Promise<Resource | undefined> {
  const get = getFor(op, input, id);
  if (get !== undefined) return (await reads.one(get.op, get.input)) ?? undefined;
  const all = await traceOf(op, allRules)?.read(reads, input, 'after');
  return all?.find((resource) => idsOf(resource).includes(id));
}

/** The request that reads what the undo of a creation removes. */
function getFor(
  op: AnyOperation,
  input: LooseInput,
  id: string,
): { op: AnyOperation; input: LooseInput } | undefined {
  const back = allRules.ruleOf(op).back?.({ input, before: undefined, answer: { id, name: id, slug: id } });
  if (back === undefined || back.undo === 'none') return undefined;
  const { path } = back.request.op;
  const get = operations.find((other) => other.method === 'GET' && other.path === path);
  return get && { op: get, input: { path: back.request.input.path ?? {}, query: {} } };
}
