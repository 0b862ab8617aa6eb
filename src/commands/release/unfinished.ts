import { duplicateSpace, updateSpace } from '../../api/resources/spaces.js';
import { usageError } from '../../base/errors.js';
import { isObject } from '../../base/values.js';
import type { Session } from '../../cli/declare/session.js';
import { originOf } from '../../cli/run/session-job.js';
import { JobFolder } from '../../jobs/job-folder.js';
import { countsOf, type Job, stateOf } from '../../jobs/journal.js';
import { undoneItems } from '../../jobs/undo.js';
import { doneOf } from '../../output/text.js';

/** What a cut is about. */
interface About {
  /** Ids of the spaces that are duplicated. */
  sources: readonly string[];
  titles: readonly string[];
}

/**
 * Refuses to begin a cut that a job of this machine began and did not finish: what it made would be made again.
 * @throws DocsError usage `unfinished_job`
 */
export function refuseUnfinished(session: Session, about: About): void {
  const folder = new JobFolder(session.io);
  const origin = originOf(session);
  const jobs = folder.readAll(() => {});
  const undoing = jobs.filter(({ header }) => header.undoes !== undefined);
  const open = jobs.find((job) => {
    const { header } = job;
    if (header.command !== 'release cut' || header.undoes !== undefined || header.origin !== origin)
      return false;
    return stateOf(job) !== 'done' && isAbout(job, about) && leftSomething(job, undoing);
  });
  if (open === undefined) return;
  const { job, total } = open.header;
  const message = `Job ${job} began to cut this version and is not finished: ${doneOf(countsOf(open).ok, total)}. Resume it, or take it back with docs undo ${job}; nothing was sent.`;
  throw usageError('unfinished_job', message, { hint: `docs jobs resume ${job}` });
}

function isAbout({ items }: Job, { sources, titles }: About): boolean {
  const has = (op: string, fits: (plan: Job['items'][number]['plan']) => boolean) =>
    items.some(({ plan }) => plan.op === op && fits(plan));
  const titled = has(
    updateSpace.id,
    ({ input: { body } }) => isObject(body) && titles.includes(String(body.title)),
  );
  return titled && has(duplicateSpace.id, ({ input }) => sources.includes(String(input.path?.spaceId)));
}

/** Whether something that it made, or may have made, is there. */
function leftSomething({ header, items }: Job, undoing: readonly Job[]): boolean {
  const undone = undoneItems(header.job, undoing);
  return items.some(
    ({ plan, state }) =>
      plan.op === duplicateSpace.id && ['ok', 'started', 'unknown'].includes(state) && !undone.has(plan.item),
  );
}
