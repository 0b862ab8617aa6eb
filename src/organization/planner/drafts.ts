import { pathParameters } from '../../api/operation.js';
import { changeId, changeIndex, renameReferences } from '../../jobs/references.js';
import type { Draft, LockChange, LockEntry } from '../../plans/plan.js';
import type { Address } from '../model.js';
import type { Drafting } from './drafting.js';
import type { Finding, Operation } from './operation.js';

/** The plan as drafts, in order: only now it is known which is `o1`. */
export function draftsOf(drafting: Drafting): Draft[] {
  const sorted = inOrder(drafting.operations);
  const names: Names = new Map(sorted.map(({ id }, index) => [id, changeId(index)]));
  oneAfterTheOther(sorted);
  const entries = new Map<Address, LockEntry | null>();
  const drafts = sorted.map((operation) => draftOf(drafting, operation, names, entries));
  const last = (one: Finding) => (one.action === 'withheld' ? 0 : 1);
  const findings = [...drafting.findings].sort((a, b) => last(a) - last(b));
  return [...drafts, ...findings.map(toDraft)];
}

/** Ids in the plan, by those of operations. */
type Names = ReadonlyMap<string, string>;

/**
 * The entry of the lock after an operation has what those before it did about the item, so it needs them to be done:
 * one that failed would otherwise count as applied.
 */
function oneAfterTheOther(sorted: readonly Operation[]): void {
  const last = new Map<Address, Operation>();
  for (const operation of sorted) {
    // A removal claims nothing.
    if (operation.applied === null) continue;
    const before = last.get(operation.address);
    if (before !== undefined) operation.after.add(before);
    last.set(operation.address, operation);
  }
}

function draftOf(
  drafting: Drafting,
  operation: Operation,
  names: Names,
  entries: Map<Address, LockEntry | null>,
): Draft {
  const { kind, key, action, fields, op, path, body, risks } = operation;
  const after = [...operation.after].flatMap(({ id }) => names.get(id) ?? []);
  const own = renameReferences(path, names) as Record<string, string>;
  const last = own[pathParameters(op.path).at(-1) ?? ''];
  const lock = lockChange(drafting, operation, names, entries);
  return {
    kind,
    key,
    action,
    fields,
    request: {
      op,
      input: {
        path: own,
        query: {},
        ...(op.body !== undefined && { body: renameReferences(body ?? {}, names) }),
      },
      id: typeof last === 'string' ? last : key,
    },
    ...(after.length > 0 && { after: after.sort((a, b) => changeIndex(a) - changeIndex(b)) }),
    ...(risks.length > 0 && { risk: risks.join(' ') }),
    ...(lock !== undefined && { lock }),
  };
}

function toDraft({ kind, key, action, fields = {}, code, message, hint }: Finding): Draft {
  return { kind, key, action, fields, finding: { code, message, ...(hint !== undefined && { hint }) } };
}

/** The entry of the lock after an operation, with what those before it did. */
function lockChange(
  { world, ids, bases, creations }: Drafting,
  { address, applied, live }: Operation,
  names: Names,
  entries: Map<Address, LockEntry | null>,
): LockChange | undefined {
  if (applied === null) {
    const known = entries.get(address) ?? world.entry(address);
    entries.set(address, null);
    return known === undefined ? undefined : { item: address, to: null };
  }
  const locked = world.entry(address);
  const base = bases.get(address)?.applied ?? (locked?.id === live?.id ? locked?.applied : undefined);
  const before = entries.get(address)?.applied ?? (creations.has(address) ? {} : (base ?? {}));
  const id = renameReferences(ids.of(address), names) as LockEntry['id'];
  const to = { id, applied: { ...before, ...applied } };
  entries.set(address, to);
  return { item: address, to };
}

/** By rank; what an operation needs comes before it, wherever its own rank would put it. */
export function inOrder(operations: readonly Operation[]): Operation[] {
  const ranked = [...operations].sort(byRank);
  const place = new Map(ranked.map((operation, index) => [operation, index]));
  const placeOf = (operation: Operation) => place.get(operation) ?? 0;
  const sorted = new Set<Operation>();
  const begun = new Set<Operation>();
  const visit = (operation: Operation) => {
    if (begun.has(operation)) return;
    begun.add(operation);
    const needed = [...operation.after].filter((one) => place.has(one));
    needed.sort((a, b) => placeOf(a) - placeOf(b)).forEach(visit);
    sorted.add(operation);
  };
  ranked.forEach(visit);
  return [...sorted];
}

function byRank({ rank: a }: Operation, { rank: b }: Operation): number {
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
