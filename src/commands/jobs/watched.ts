import { DocsError } from '../../base/errors.js';
import { isObject } from '../../base/values.js';
import { atPlace } from '../../cli/declare/place-flags.js';
import type { FailureOf, Watched } from '../../cli/declare/watched.js';
import { counted, doneOf } from '../../output/counted.js';

/** `--watch` of a job that another process runs: until no process does. */
export const watchedJob: Watched = {
  field: 'state',
  moving: ['running'],
  final: ['done', 'failed', 'unfinished', 'undone'],
  failure: async () => failed,
  exits: ['partial'],
};

/** The list is the history of 90 days, of which most ended long ago. */
export const watchedJobs: Watched = { ...watchedJob, history: true };

const failed: FailureOf = ({ io: { platform }, globals }, jobs) => {
  const open = jobs.filter(isObject).filter(({ state }) => state === 'failed' || state === 'unfinished');
  const [first] = open;
  if (first === undefined) return undefined;
  const ids = open.map(({ id }) => String(id));
  const message =
    ids.length === 1
      ? `job ${ids[0]} is ${String(first.state)}: ${doneOf(Number(first.ok), Number(first.total))}`
      : `${counted(ids.length, 'job')} ended without finishing: ${ids.join(', ')}`;
  const hint = atPlace(`docs jobs ${ids.length === 1 ? `resume ${ids[0]}` : 'list'}`, globals, platform);
  return new DocsError('partial', 'job_not_finished', message, {
    outcome: 'done',
    hint,
    details: { jobs: ids },
  });
};
