import type { AnyOperation } from '../api/operation.js';
import {
  changeOf,
  type JobChange,
  type LockChange,
  mayRefer,
  parseReferences,
  type Reference,
  shownReference,
  withReferences,
} from './change.js';
import type { Job, JobItem } from './journal.js';
import type { RuleBook } from './rule-book.js';

/** Ids that items of a job make: known once each is done. */

/** The answers to items that made something, by the id of the change. */
export type Made = Map<string, unknown>;

/** The ids that the done items of a job made. */
export function madeBy(items: readonly JobItem[], rules: RuleBook): Made {
  const found: Made = new Map();
  for (const { change, state, answer } of items) if (state === 'ok') keepMade(found, change, answer, rules);
  return found;
}

/** Keeps the answer of an item that made something. */
export function keepMade(made: Made, change: JobChange, answer: unknown, rules: RuleBook): void {
  if (madeId(change.op, answer, rules) !== undefined) made.set(changeOf(change), answer);
}

/** The id in the answer of a creation. */
function madeId(op: AnyOperation, answer: unknown, rules: RuleBook): string | undefined {
  const key = rules.ruleOf(op).makes?.key;
  return key === undefined ? undefined : textAt(answer, [key]);
}

function textAt(answer: unknown, path: readonly string[]): string | undefined {
  const found = path.reduce<unknown>((part, key) => {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, key)) return undefined;
    return (part as Record<string, unknown>)[key];
  }, answer);
  return typeof found === 'string' ? found : undefined;
}

/** The id that a reference stands for; undefined where its change is not done. */
export function idMade(made: ReadonlyMap<string, unknown>, { $from, path }: Reference): string | undefined {
  return textAt(made.get($from), path.split('.'));
}

/**
 * The plan of an item with the ids that earlier items made, and with its own once it is done.
 * @returns undefined where one of an earlier item is unknown
 */
export function filled(change: JobChange, made: ReadonlyMap<string, unknown>): JobChange | undefined {
  if (!mayRefer(change)) return change;
  let isWhole = true;
  const idFor = (reference: Reference) => {
    const id = idMade(made, reference);
    isWhole &&= id !== undefined || reference.$from === changeOf(change);
    return id ?? shownReference(reference);
  };
  const own = { ...change, id: parseReferences<unknown>(change.id, () => true) };
  const copy = withReferences(own as JobChange, idFor);
  return isWhole ? copy : undefined;
}

/** The id of what an item was about; of a creation that of what it made. Those of an undo keep the former id. */
export function idOf(change: JobChange, answer: unknown, made: Made, rules: RuleBook): string {
  const own = change.undoes === undefined ? madeId(change.op, answer, rules) : undefined;
  return own ?? filled(change, made)?.id ?? change.id;
}

/** What the items of a job have to do with the lock of its folder. */

/**
 * The items of the lock that requests are about, by their index in the job: `site-spaces/guides/start`. All requests
 * of one undo are about one item. Empty for jobs of no folder.
 */
export function addressesOf(plans: readonly JobChange[]): ReadonlyMap<number, string> {
  const ofOne = new Map<number, string>();
  for (const { item, partOf = item, lock } of plans) if (lock !== undefined) ofOne.set(partOf, lock.item);
  const found = new Map<number, string>();
  for (const { item, partOf = item } of plans) {
    const address = ofOne.get(partOf);
    if (address !== undefined) found.set(item, address);
  }
  return found;
}

/**
 * What holds in the lock after a job has run, was resumed, or undid another one: after an apply the new entries of
 * what is done, with the ids that the platform gave; after an undo the entries as they were, with the new ids of
 * what was created anew. In the order of the items, so later changes of one entry win.
 * @param job as its journal tells it now
 */
export function lockChangesOf({ items }: Job, rules: RuleBook): LockChange[] {
  const made = madeBy(items, rules);
  return items.flatMap(({ change, state }) => {
    const { lock, covers = [] } = (state === 'ok' && filled(change, made)) || {};
    const all = [...covers.map((covered) => covered.lock), lock].filter((one) => one !== undefined);
    return all.map(({ item, to }) => ({ item, to }));
  });
}
