import { DocsError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { redactQuery, redactText } from '../../base/redaction.js';
import { defined } from '../../base/values.js';
import type { Actor } from '../actor.js';
import type { Cause } from '../policy.js';
import { appendEvents } from './append.js';

/** What was denied. */
export interface Denial {
  actor: Actor;
  /** Words of the command, without ids and flags. */
  command: string;
  /** `DELETE /v1/spaces/x`; none where the command was denied as a whole. */
  request?: string;
  cause: Cause;
}

/** The longest request that is kept, in characters. */
const longest = 2000;

/**
 * Adds a denial to the audit chain of this machine.
 * @returns why it could not be written, where it could not: what was denied stays denied, so nothing is thrown
 */
export async function recordDenial(io: Io, denial: Denial): Promise<DocsError | undefined> {
  const { actor, command, cause } = denial;
  const request = denial.request && redactQuery(denial.request).slice(0, longest);
  const told = { ...cause, rule: redactText(cause.rule) };
  try {
    await appendEvents(io, [{ event: 'denied', actor, command, ...defined({ request }), cause: told }]);
    return undefined;
  } catch (error) {
    if (error instanceof DocsError) return error;
    throw error;
  }
}
