import { redactQuery, redactStrings } from '../base/redaction.js';
import { defined } from '../base/values.js';
import type { CopyRequest } from '../copy/copy.js';
import { outlooks } from '../jobs/undo.js';
import { changesOf, changing, isRefused } from './changes.js';
import type { Rehearsed } from './shape.js';
import type { RehearsedJob, Stage } from './stage.js';

/** What came of a rehearsal. */

/** What the caller knows of it. */
export interface ReportFacts
  extends Pick<Rehearsed, 'command' | 'exitCode' | 'origin' | 'source' | 'watched'> {
  backup?: string | undefined;
  plan?: string | undefined;
  next?: string | undefined;
  /** Requests in a minute that the platform allows, where it told. */
  limit?: number | undefined;
  /** Requests at the beginning that are no part of the command's own. */
  asked?: number;
  nowMs: number;
}

export async function reportOf(
  stage: Stage,
  { nowMs, limit, asked = 0, ...facts }: ReportFacts,
): Promise<Rehearsed> {
  const { copy } = stage;
  const requests = copy.requests();
  const changes = changing(requests);
  const changed = await changesOf(requests, (path) => copy.look(path));
  const { command, exitCode, origin, source, watched, backup, plan, next } = facts;
  return redactStrings(
    defined({
      command,
      exitCode,
      organization: { id: copy.organization.id, title: copy.organization.title },
      origin,
      source,
      backup,
      plan,
      requests: changes.map(plain),
      changes: changed.map((one) => ({ ...one, path: redactQuery(one.path) })),
      failed: changes.filter(isRefused).map(plain),
      reads: copy.reads().map(plain),
      watched,
      // A command of docs itself goes nowhere else.
      elsewhere: (watched === 'all' ? [] : stage.elsewhere()).map(({ header: { job, command: by } }) => ({
        job,
        command: by,
      })),
      calls: callsOf(changes.length, requests.length - asked, limit),
      undo: undoOf(stage.jobs(), nowMs),
      gaps: copy.gaps(),
      next,
    }),
  ) as Rehearsed;
}

function plain({ method, path, status }: Pick<CopyRequest, 'method' | 'path' | 'status'>) {
  return { method, path: redactQuery(path), status };
}

/** The platform tells how many requests it takes until a reset, which is counted as a minute. */
function callsOf(changes: number, total: number, limit: number | undefined): Rehearsed['calls'] {
  const reads = total - changes;
  if (limit === undefined || limit <= 0) return { changes, reads, total, limit: null, seconds: null };
  return { changes, reads, total, limit, seconds: Math.floor(Math.max(0, total - 1) / limit) * 60 };
}

/** What undo could do about what the jobs of the rehearsal did, by their journals. */
function undoOf(jobs: readonly RehearsedJob[], nowMs: number): Rehearsed['undo'] {
  const items = jobs.flatMap(({ job, before }) => {
    const forecasts = outlooks(job, nowMs);
    return job.items.flatMap(({ state, plan }, at) => {
      const forecast = forecasts[at];
      return state === 'ok' && forecast && !before.has(plan.item)
        ? [{ command: job.header.command, id: plan.id, ...forecast }]
        : [];
    });
  });
  const count = (undo: string) => items.filter((item) => item.undo === undo).length;
  const shown = items.map(({ command, id, undo, why }) => defined({ command, id, undo, why }));
  return { exact: count('exact'), 'best-effort': count('best-effort'), none: count('none'), items: shown };
}
