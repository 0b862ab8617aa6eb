import type { CompletedHere, Offers } from '../../cli/declare/takers.js';

/**
 * The positional of every command on one job; on a terminal without it, the jobs that fit are listed.
 * @param completes which of them completion offers
 */
export function jobArgument<const C extends CompletedHere>(
  completes: C,
  offers: () => Promise<Offers>,
  description = 'Name of the job, a unique prefix of it, or last',
) {
  return { '<job>': { description, listedBy: 'jobs list', completes, offers } } as const;
}
