import type { LocalOffer } from '../../cli/declare/offers.js';

/** The positional of every command on one job. */
export const jobArgument = jobThat('jobs');

/** The same, where completion offers only some of them. */
export function jobThat<const O extends LocalOffer>(offers: O) {
  const description = 'Name of the job, a unique prefix of it, or last';
  return { '<job>': { description, listedBy: 'jobs list', offers } } as const;
}
