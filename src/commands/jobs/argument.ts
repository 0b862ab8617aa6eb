/** The positional of every command on one job. */
export const jobArgument = {
  '<job>': { description: 'Name of the job, a unique prefix of it, or last', listedBy: 'jobs list' },
} as const;
