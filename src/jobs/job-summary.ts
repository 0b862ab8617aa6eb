import { defined } from '../base/values.js';
import { countsOf, type Job, stateOf } from './journal.js';
import { undoneItems } from './undo.js';

/** A job as lists show it. @param undoing jobs that undo others */
export function summarizeJob(job: Job, workers: ReadonlyMap<string, string>, undoing: readonly Job[]) {
  const { job: id, command, at, profile, origin, org, undoes, total, source } = job.header;
  const { evidence, plan, actor } = job.header;
  const undone = undoneItems(id, undoing);
  const { ok, ...others } = countsOf(job);
  // What only reads has nothing to undo.
  const changed = job.items.filter(
    ({ state, change }) => state === 'ok' && change.proves === undefined,
  ).length;
  const state = undone.size > 0 && undone.size >= changed ? 'undone' : stateOf(job);
  return defined({
    id,
    command,
    state: workers.has(id) ? 'running' : state,
    total,
    ok,
    ...others,
    at,
    profile,
    origin,
    org,
    file: source?.path,
    undoes,
    evidence,
    plan,
    actor,
  });
}
