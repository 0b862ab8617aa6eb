import type { Offers } from '../../cli/declare/offers.js';

/** The positional of every command on one job; on a terminal without it, the jobs that fit are listed. */
export function jobArgument(
  offers: () => Promise<Offers>,
  description = 'Name of the job, a unique prefix of it, or last',
) {
  return { '<job>': { description, listedBy: 'jobs list', offers } } as const;
}
