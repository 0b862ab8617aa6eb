import { callOne } from '../../../src/api/client.js';
import type { AnyOperation } from '../../../src/api/operation.js';
import { requestFor } from '../../../src/jobs/change.js';
import { kindOf } from '../../../src/organization/kinds/index.js';
import type { KindName, Live, LiveItem } from '../../../src/organization/model.js';
import { seedId } from '../../sandbox/client.js';
import type { LiveWorld } from '../live/live-world.js';

/** What a plan does with an item, one request at a time. */

export const named = (live: Live, kind: KindName, title: string): LiveItem =>
  live.items.get(kind)?.find((item) => item.title === title) as LiveItem;

/** The ids that the paths of an item's requests take. */
export function pathOf(
  { organizationId }: Pick<LiveWorld, 'organizationId'>,
  item: LiveItem,
): Record<string, string> {
  const above = item.parent === undefined ? { organizationId } : pathOf({ organizationId }, item.parent);
  return { ...above, [kindOf(item.kind).parameter]: item.id };
}

export function send(
  { client }: Pick<LiveWorld, 'client'>,
  op: AnyOperation | undefined,
  path: Record<string, string>,
  body?: unknown,
) {
  const { op: sent, input } = requestFor(op as AnyOperation, path, body);
  return callOne(client, { op: sent, input }) as Promise<{ id: string }>;
}

export const ref = (kind: KindName, name: string) => ({ $id: seedId(name), kind });
