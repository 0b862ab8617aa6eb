import type { LooseInput } from '../api/client.js';
import { DocsError } from '../base/errors.js';
import { sha256 } from '../base/hash.js';
import { readOwnFile } from '../base/own-files.js';
import { defined } from '../base/values.js';
import type { JobChange } from './change.js';
import { sealedState } from './environment.js';
import type { JobItem, Outcome, Source } from './journal.js';
import { type Reads, unlessRefused } from './reads.js';
import type { Basis, Rule } from './rule.js';
import {
  difference,
  inFormOf,
  isLongValue,
  matches,
  narrowed,
  type State,
  same,
  shownValue,
} from './state.js';

/** What was found before a request: that it took effect before, or that it is to be sent. */
export type SendDecision =
  | { is: 'done'; answer?: unknown }
  | { is: 'to send'; before: State | undefined; known?: readonly string[] };

/**
 * Reads the state before a change, and refuses it where that is not the one that its line expects.
 * @param known what is like it already
 * @throws DocsError conflict `stale` for a line of a plan, `changed_since` for another; where a read fails
 */
export async function lookBefore(
  reads: Reads,
  rule: Rule,
  change: JobChange,
  known?: readonly string[],
): Promise<SendDecision> {
  const { expect, input, id } = change;
  const before = await readBefore(async () => rule.read?.(reads, input));
  if (expect === undefined && change.order === undefined) return { is: 'to send', before, known };
  const wanted = rule.creates ? undefined : rule.wanted?.(input, before);
  if (before !== undefined && wanted !== undefined && matches(before, wanted)) return { is: 'done' };
  const found = await withBasis(reads, before, { basis: basisOf(rule, change), input });
  if (found === undefined)
    throw change.operation ? staleUnread(change) : changed(id, 'its current state cannot be read');
  const now = inFormOf(found, expect);
  if (expect !== undefined && !matches(now, expect))
    throw change.operation ? staleBy(change, now, expect) : changed(id, difference(now, expect));
  await checkOrder(reads, rule, change);
  return { is: 'to send', before, known };
}

/** What the line of a request rests on beside the state that it touches; undefined where it does not. */
export function basisOf({ basis }: Rule, { expect }: Pick<JobChange, 'expect'>): Basis | undefined {
  return expect && basis?.fields.some((field) => field in expect) ? basis : undefined;
}

async function withBasis(
  reads: Reads,
  before: State | undefined,
  { basis, input }: { basis: Basis | undefined; input: JobChange['input'] },
): Promise<State | undefined> {
  if (basis === undefined || before === null) return before;
  const further = await readBefore(() => basis.read(reads, input));
  return further && { ...further, ...before };
}

/** Items of a plan that are moved, and what they are put beside, must stand as they did. */
async function checkOrder(reads: Reads, rule: Rule, change: JobChange): Promise<void> {
  const { order = [], input } = change;
  if (order.length === 0) return;
  const orders = await readBefore(async () => rule.orders?.(reads, input));
  if (orders === undefined) throw staleUnread(change);
  const there = new Set(orders.flat());
  for (const { of, ids } of order) {
    const then = ids.filter((id) => id === of || there.has(id));
    const now = (orders.find((siblings) => siblings.includes(of)) ?? []).filter((id) => ids.includes(id));
    if (!same(now, then)) throw staleBy(change, { order: now }, { order: then });
  }
}

/** What a read before a change shows; undefined where it is refused. @throws every other failure, as one of the change */
export function readBefore<T>(read: () => Promise<T | undefined>): Promise<T | undefined> {
  return unlessRefused(read).catch((cause: unknown) => {
    throw cause instanceof DocsError ? notSent(cause) : cause;
  });
}

/** The state before a change that an earlier process sent; of a plan, fields that the journal leaves out, too. */
export function stateBefore({ before, change: { expect } }: JobItem): State | undefined {
  // Journals of older versions have addresses with a secret.
  const own = before && sealedState(before);
  return own && expect ? { ...expect, ...own } : before;
}

/** Items of a plan that rest on something that somebody else changed after the plan was made. */

/** One field that is not as the plan found it. */
interface StaleField {
  /** '' where the whole object is meant. */
  field: string;
  was: unknown;
  is: unknown;
}

/** @param now the state that a read shows @param then the one that the plan rests on */
function staleBy(change: JobChange, now: State, then: State): DocsError {
  const fields = differingFields(now, then);
  const told = `has changed since the plan was made: ${fields.map(sentence).join('; ')}`;
  return stale(change, `${told}; nothing was sent for it.`, fields);
}

function staleUnread(change: JobChange): DocsError {
  const told = 'cannot be read, so nothing shows whether it is still as the plan found it';
  return stale(change, `${told}; nothing was sent for it.`, []);
}

function stale(change: JobChange, told: string, fields: readonly StaleField[]): DocsError {
  const { id, item, operation, op } = change;
  return new DocsError('conflict', 'stale', `${id === '' ? op.id : id} ${told}`, {
    outcome: 'not-sent',
    hint: newPlan(change),
    details: { object: id, item, operation, changed: fields },
  });
}

/** The command that makes a new plan: from the files, or from what is left of this one. */
function newPlan({ lock }: JobChange): string {
  return lock === undefined ? 'docs apply <plan> --replan <file>' : 'docs change';
}

function differingFields(now: State, then: State): StaleField[] {
  if (now === null || then === null) return [{ field: '', was: then && 'exists', is: now && 'exists' }];
  return Object.entries(then).flatMap(([field, value]) =>
    same(now[field], value) ? [] : [{ field, was: value ?? null, is: now[field] ?? null }],
  );
}

function sentence({ field, was, is }: StaleField): string {
  if (field === '') return is === null ? 'it no longer exists' : 'it exists now';
  // Hashes of long values, and of values from the environment, mean nothing to a reader.
  if ([was, is].some((value) => isLongValue(value) || /^sha256:/.test(String(value))))
    return `${field} has changed`;
  return `${field} was ${shownValue(was)} and is ${shownValue(is)}`;
}

/** Why an item of a job is not done. */

/** Whether an earlier process sent the request and no answer came. */
export function wasSent({ state }: JobItem): boolean {
  return state === 'started' || state === 'unknown';
}

/** skipped: the run ended, or the journal failed, before anything was sent. */
export function statusOf({ kind, failure: { outcome } }: DocsError): 'failed' | 'unknown' | 'skipped' {
  const ending = kind === 'interrupted' || kind === 'terminated' || kind === 'local-io';
  if (ending && outcome !== 'unknown' && outcome !== 'done') return 'skipped';
  return outcome === 'unknown' ? 'unknown' : 'failed';
}

/** @throws what is not a DocsError: a bug */
export function failed(step: JobItem, cause: unknown): Outcome {
  if (!(cause instanceof DocsError)) throw cause;
  const status = statusOf(cause);
  // Where an earlier process sent the request, a failed lookup leaves its outcome unknown.
  return { status: status === 'failed' && wasSent(step) ? 'unknown' : status, failure: cause };
}

/** Why an answer with a success status is a failure; undefined where it is none. */
export function refusedIn(rule: Rule, answer: unknown): DocsError | undefined {
  const refusal = rule.refusedBy?.(answer);
  return refusal === undefined
    ? undefined
    : new DocsError('conflict', 'conflicts', refusal, { outcome: 'refused' });
}

export function heldBack(id: string): Outcome {
  // An id that the other item would have made is still a placeholder.
  const what = id.includes('{') ? 'it' : id;
  const message = `${what} was not sent: an item that must come first was not done`;
  const failure = new DocsError('partial', 'held_back', message, { outcome: 'not-sent' });
  return { status: 'skipped', failure };
}

/** A failed read before a change, as the failure of the change. */
export function notSent(failure: DocsError): DocsError {
  return failure.changed({ outcome: 'not-sent' });
}

export function changed(id: string, how: string): DocsError {
  const message = `${id} has changed since: ${how}`;
  return new DocsError('conflict', 'changed_since', message, { outcome: 'not-sent' });
}

export function unknownOutcome(
  { change: { item, id, op } }: JobItem,
  why: string,
  { candidates, hint }: { candidates: readonly string[]; hint: string | undefined },
): DocsError {
  const what = id === '' || candidates.length > 0 ? `item ${item} (${op.id})` : id;
  const message = `the outcome of ${what} is unknown: ${why}`;
  const details = { item, ...(candidates.length > 0 && { candidates }) };
  return new DocsError('unknown-outcome', 'outcome_unknown', message, {
    outcome: 'unknown',
    details,
    ...defined({ hint }),
  });
}

export type Settled =
  /** @param answer what it created, where it created something */
  | { is: 'done'; answer?: unknown }
  /** It certainly had no effect. */
  | { is: 'not-done'; before: State | undefined }
  /** @param candidates ids of what it may have created */
  | { is: 'unknown'; why: string; candidates?: readonly string[] };

/**
 * Looks up by a read whether a request without an answer took effect (RELIABILITY.md, "Many items"). Creations
 * are looked up together: creations.ts.
 * @param before the state before it, where the journal has it
 * @throws DocsError where the read fails
 */
export async function settle(
  rule: Rule,
  reads: Reads,
  input: LooseInput,
  before: State | undefined,
): Promise<Settled> {
  if (rule.harmless) return { is: 'not-done', before };
  if (rule.read === undefined || rule.wanted === undefined || rule.tells?.(input, before) === false)
    return { is: 'unknown', why: 'the platform does not show its effect' };
  const now = await rule.read(reads, input);
  const wanted = rule.wanted(input, before);
  if (wanted !== undefined && matches(now, wanted)) return { is: 'done' };
  const unchanged = before !== undefined && matches(now, wanted ? narrowed(before, wanted) : before);
  if (unchanged || rule.oneWay) return { is: 'not-done', before: before ?? now };
  if (before && (await rule.took?.(reads, input, before))) return { is: 'done' };
  return { is: 'unknown', why: 'the current state is neither the one before nor the requested one' };
}

/** @param path absolute */
export function sourceOf(path: string, bytes: Uint8Array): Source {
  return { path, hash: sha256(bytes) };
}

/**
 * Why the file of a job forbids resuming it: it was edited, so something else is wanted now. A deleted
 * file does not matter, since the journal holds the whole plan.
 */
export function sourceIssue(source: Source | undefined): string | undefined {
  if (source === undefined) return undefined;
  let bytes: Uint8Array | undefined;
  try {
    bytes = readOwnFile(source.path, { follow: true });
  } catch {
    return undefined; // A pipe, which cannot be read again, or gone.
  }
  return bytes === undefined || sourceOf(source.path, bytes).hash === source.hash
    ? undefined
    : `${source.path} was edited after the job was created`;
}
