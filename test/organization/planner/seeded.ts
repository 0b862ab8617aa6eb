import { callOne } from '../../../src/api/call-loose.js';
import type { Client, LooseInput } from '../../../src/api/client.js';
import { isObject } from '../../../src/is-object.js';
import { kindOf } from '../../../src/organization/kinds/index.js';
import type { Address, Desired, DesiredItem, Live, LiveItem } from '../../../src/organization/model.js';
import { kindNames } from '../../../src/organization/model.js';
import type { Planned } from '../../../src/organization/planner/options.js';
import { changedLock, type Lock } from '../../../src/plans/lock.js';
import type { LockChange } from '../../../src/plans/plan.js';
import { files, wanted } from './build.js';

/** Files that say what a platform shows, and the platform after a plan. */

/** All that a platform shows, as files name it; every list names all. */
export function filesOf(live: Live): Desired {
  const addresses = new Map<LiveItem, Address>();
  const byId = new Map<string, Address>();
  const taken = new Set<Address>();
  for (const name of kindNames)
    for (const item of live.items.get(name) ?? []) {
      const address = addressOf(item, addresses, byId, taken);
      addresses.set(item, address);
      taken.add(address);
      byId.set(`${name} ${item.id}`, address);
    }
  const all = [...addresses.keys()].sort((a, b) => placeOf(a) - placeOf(b));
  const items = all.map((item): DesiredItem => {
    const address = addresses.get(item) as Address;
    const parent = item.parent && addresses.get(item.parent);
    return wanted(address, fieldsOf(item, byId), { ...(parent !== undefined && { parent }) });
  });
  return files(items, { exact: kindNames });
}

function placeOf({ index }: LiveItem): number {
  return index < 0 ? Number.POSITIVE_INFINITY : index;
}

function addressOf(
  item: LiveItem,
  addresses: ReadonlyMap<LiveItem, Address>,
  byId: ReadonlyMap<string, Address>,
  taken: ReadonlySet<Address>,
): Address {
  const { key, names, scope } = kindOf(item.kind);
  let around = item.parent;
  while (around !== undefined && around.kind !== scope) around = around.parent;
  const within = around === undefined ? '' : `${lastOf(addresses.get(around) as Address)}/`;
  const other = names && byId.get(`${names} ${item.natural}`);
  if (other !== undefined) return `${item.kind}/${within}${lastOf(other)}`;
  if (names !== undefined) return `${item.kind}/${within}id:${item.natural}`;
  const own = key === 'own' ? slug(item.natural ?? item.title) : (item.natural as string);
  for (let count = 1; ; count += 1) {
    const address: Address = `${item.kind}/${within}${own}${count === 1 ? '' : `-${count}`}`;
    if (!taken.has(address)) return address;
  }
}

export function lastOf(address: string): string {
  return address.slice(address.lastIndexOf('/') + 1);
}

function slug(title: string): string {
  return (
    title
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '') || 'item'
  );
}

function fieldsOf({ kind, fields }: LiveItem, byId: ReadonlyMap<string, Address>): Record<string, unknown> {
  const { fields: declared } = kindOf(kind);
  const set = declared.flatMap(({ key, map }) => {
    const value = fields[key] ?? null;
    if (value === null) return [];
    if (!map) return [[key, named(value, byId)] as const];
    const parts = Object.entries(value).filter(
      ([, part]) => part !== '' && !(Array.isArray(part) && part.length === 0),
    );
    return [[key, Object.fromEntries(parts)] as const];
  });
  return Object.fromEntries(set);
}

function named(value: unknown, byId: ReadonlyMap<string, Address>): unknown {
  // A JSON Schema has `$id`, too.
  if (!isObject(value) || typeof value.$id !== 'string' || typeof value.kind !== 'string') return value;
  return { $ref: byId.get(`${value.kind} ${value.$id}`) ?? `${value.kind}/id:${value.$id}` };
}

/** Sends the requests of a plan in order, and keeps the lock. @throws with the draft that was refused */
export async function applied(
  client: Client,
  { drafts, settled }: Planned,
  lock: Lock | undefined,
  head: Pick<Lock, 'org' | 'origin'>,
): Promise<Lock> {
  const answers: unknown[] = [];
  const changes: LockChange[] = [...settled];
  for (const [index, { request, kind, key, lock: change }] of drafts.entries()) {
    if (request === undefined) continue;
    const input = filled(request.input, answers) as LooseInput;
    try {
      answers[index] = await callOne(client, { op: request.op, input });
    } catch (error) {
      const text = `${request.op.id} of ${kind}/${key} ${JSON.stringify(input)}`;
      throw new Error(`${text}: ${(error as Error).message}`);
    }
    if (change !== undefined) changes.push(filled(change, answers) as LockChange);
  }
  return changedLock(lock, head, changes);
}

function filled(value: unknown, answers: readonly unknown[]): unknown {
  if (Array.isArray(value)) return value.map((part) => filled(part, answers));
  if (!isObject(value)) return value;
  if (typeof value.$from === 'number') {
    const path = String(value.path).split('.');
    return path.reduce<unknown>(
      (part, key) => (part as Record<string, unknown>)?.[key],
      answers[value.$from],
    );
  }
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, filled(part, answers)]));
}
