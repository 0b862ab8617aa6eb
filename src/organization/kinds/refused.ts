import { prepare } from '../../api/client.js';
import { type AnyOperation, pathParameters } from '../../api/operation.js';
import { DocsError } from '../../base/errors.js';
import type { Resource } from '../../jobs/request.js';
import type { LiveReading } from '../kind.js';
import type { Missed } from '../model.js';

/** Reads that the platform refuses: of what it does not show, nobody knows whether it is there. */

/** Whether a read was refused: 404 stands for "not visible", too. */
export function isRefused(cause: unknown): boolean {
  return cause instanceof DocsError && (cause.kind === 'forbidden' || cause.kind === 'not-found');
}

/**
 * What is read, or undefined where the platform refuses that, which is then missed.
 * @param what the token may not read, for the sentence: `the members of the team Writers`
 * @throws every other failure
 */
export async function unlessRefused<T>(
  reading: Pick<LiveReading, 'missed'>,
  { what, ...missed }: Omit<Missed, 'message'> & { what: string },
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (cause) {
    if (!isRefused(cause)) throw cause;
    reading.missed({ ...missed, message: mayNotRead(what, cause) }, cause);
    return undefined;
  }
}

export function mayNotRead(what: string, cause: unknown): string {
  return `The token may not read ${what}: ${(cause as Error).message}`;
}

/** All items of a list; 404 is not an empty one. @throws DocsError not-found; as the reads */
export async function allOf(
  { reads, organizationId }: Pick<LiveReading, 'reads' | 'organizationId'>,
  op: AnyOperation,
  ids: Readonly<Record<string, string>> = {},
): Promise<Resource[]> {
  const names = pathParameters(op.path);
  const all = { organizationId, ...ids };
  const path = Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
  const found = await reads.all(op, { path });
  if (found === null) throw notFound(op, path);
  return found;
}

/** What a read that answers null means where what it is about was listed. */
export function notFound(op: AnyOperation, path: Readonly<Record<string, string>>): DocsError {
  return new DocsError('not-found', 'not_found', `${op.method} ${prepare(op, { path }).path}: not found`);
}
