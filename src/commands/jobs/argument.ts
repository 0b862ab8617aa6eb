import type { CompletedHere } from '../../cli/declare/completes.js';

/** The positional of every command on one job. */
export const jobArgument = jobThat('jobs');

/** The same, where completion completes only some of them. */
export function jobThat<const O extends CompletedHere>(completes: O) {
  const description = 'Name of the job, a unique prefix of it, or last';
  return { '<job>': { description, listedBy: 'jobs list', completes } } as const;
}
