import type { Client } from '../api/client.js';
import { DocsError } from '../base/errors.js';
import { defined, isObject } from '../base/values.js';

/** A line for each thing that was not read: `Not read: space Handbook (s1): The platform answered 500.` */
export function notReadLines(unread: readonly Unread[]): string[] {
  return unread.map((one) => `Not read: ${unreadWords(one)}`);
}

interface Facts {
  /** What was not read, which says whether another try may read it. */
  unread?: readonly { error: DocsError }[];
  retryable?: boolean;
  details: Record<string, unknown>;
  hint?: string | undefined;
  /** Where it is not that of most commands. */
  code?: 'not_all_known' | 'unread';
}

/**
 * The failure (exit 3) of a command that has printed what it could read.
 * @param message what it lacks, or what was read all the same
 */
export function notAllRead(message: string, { unread = [], code, ...facts }: Facts): DocsError {
  const { retryable = unread.some(({ error }) => error.failure.retryable === true), details, hint } = facts;
  return new DocsError('partial', code ?? 'not_all_read', message, defined({ details, retryable, hint }));
}

/** All items of a list. @throws as it does */
export async function allItems<T>(list: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of list) items.push(item);
  return items;
}

/**
 * As many items of a list as can be read, and why there are no more.
 * @param what names the list where it fails
 * @throws as `readFailure`
 */
export async function readPartly<T>(
  list: AsyncIterable<T>,
  { signal }: Pick<Reading, 'signal'>,
  what: Omit<Unread, 'error'>,
): Promise<{ items: T[]; unread: Unread[] }> {
  const items: T[] = [];
  try {
    for await (const item of list) items.push(item);
    return { items, unread: [] };
  } catch (cause) {
    return { items, unread: [unreadOf(cause, signal, what)] };
  }
}

/** Whether an answer can be told from others of its kind; whatever else it lacks. */
export function hasId(value: unknown): value is { id: string } {
  return isObject(value) && typeof value.id === 'string' && value.id !== '';
}

export function itemWithoutId(noun: string): DocsError {
  const message = `the platform listed a ${noun} without an id`;
  return new DocsError('bad-response', 'wrong_shape', message, { outcome: 'done', hint: 'docs doctor' });
}

export interface Reading {
  client: Client;
  organizationId: string;
  concurrency: number;
  signal: AbortSignal;
}

/** Reads of many things: what cannot be read is reported, and the rest goes on. */

export interface Unread {
  kind: string;
  id: string;
  title?: string;
  space?: string;
  error: DocsError;
}

/** Turns a failed read into a report. @throws as `readFailure` */
export function unreadOf(cause: unknown, signal: AbortSignal, what: Omit<Unread, 'error'>): Unread {
  return { ...what, error: readFailure(cause, signal) };
}

/**
 * The failure of one read among many.
 * @throws what all other reads would meet, too: a bug, an interruption, a token that does not work, a
 *   disk that is not writable
 */
export function readFailure(cause: unknown, signal: AbortSignal): DocsError {
  if (!(cause instanceof DocsError) || signal.aborted) throw cause;
  if (cause.kind === 'unauthenticated' || cause.kind === 'local-io') throw cause;
  return cause;
}

/** `space Handbook (s1): The platform answered 500.`; the error may be that of a manifest. */
export function unreadWords(what: Omit<Unread, 'error'> & { error: { message?: unknown } }): string {
  const { kind, id, title, space, error } = what;
  const name = title === undefined ? id : `${title} (${id})`;
  const place = space === undefined ? '' : ` of space ${space}`;
  return `${kind.replaceAll('-', ' ')} ${name}${place}: ${String(error.message)}`;
}

/** @throws every failure but that there is none */
export function unlessNotFound(cause: unknown): undefined {
  if (!(cause instanceof DocsError) || cause.kind !== 'not-found') throw cause;
}

export function unreadFacts({ error, ...what }: Unread): Record<string, unknown> {
  return { ...what, error: error.toJSON() };
}
