import { DocsError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import type { Trail } from '../../jobs/trail.js';
import type { Actor } from '../actor.js';
import { appendEvents } from './append.js';

/**
 * The audit chain as jobs write it. Under a policy nothing begins that cannot be recorded; without one a warning says
 * that it was not. The end of a job is never refused: what was sent was sent.
 * @param actor who acts now; its policies are those in force
 * @param warn shows a sentence on stderr; called once
 */
export function auditTrail(io: Io, actor: Actor, warn: (line: string) => void): Trail {
  const isStrict = (actor.policy ?? []).length > 0;
  let warned = false;
  return {
    async record(events, use = {}) {
      const isEnd = events.every(({ event }) => event === 'job-ended');
      const happened = events.map((one) => ({ ...one, actor: ('actor' in one && one.actor) || actor }));
      try {
        // The line of an end is on the disk with the next one; lost with the power, it is written again.
        await appendEvents(io, happened, { sync: !isEnd });
        return true;
      } catch (cause) {
        if (!(cause instanceof DocsError)) throw cause;
        if (isStrict && !isEnd) throw refused(cause);
        if (!warned && use.quiet === undefined) warn(`${cause.message}; docs audit verify will say so.`);
        warned ||= use.quiet === undefined;
        return false;
      }
    },
  };
}

function refused(cause: DocsError): DocsError {
  const { kind, code, message, failure } = cause;
  const why = 'under a policy nothing is changed without a record';
  return new DocsError(kind, code, `${message}; ${why}, so nothing was sent.`, failure);
}
