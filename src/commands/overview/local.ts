import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DocsError } from '../../base/errors.js';
import type { Session } from '../../cli/declare/session.js';
import { originOf } from '../../cli/run/session-job.js';
import { JobFolder } from '../../jobs/job-folder.js';
import { manifestName } from '../../workflows/backup/folder/manifest.js';
import { lastRun, type Place } from '../../workflows/last-runs/last-runs.js';
import {
  type Missing,
  mostJobs,
  type Overview,
  type OverviewJob,
  type Part,
} from '../../workflows/overview/report.js';
import { summary } from '../jobs/show.js';

/** What this machine knows of an organization: its last link check and backup, and its jobs. */

type LocalFacts = Pick<Overview, 'links' | 'backup' | 'jobs'>;

export function localFacts(
  session: Session,
  organization: string,
): { facts: LocalFacts; missing: Missing[] } {
  const place = { origin: originOf(session), organization };
  const missing: Missing[] = [];
  const told = <T>(part: Part, read: () => T): T | null => {
    try {
      return read();
    } catch (cause) {
      if (!(cause instanceof DocsError)) throw cause;
      missing.push({ part, what: cause.message, error: cause });
      return null;
    }
  };
  const facts = {
    links: told('links', () => linksOf(session, place)),
    backup: told('backup', () => backupOf(session, place)),
    jobs: told('jobs', () =>
      jobsOf(session, place, (error) => missing.push({ part: 'jobs', what: error.message, error })),
    ),
  };
  return { facts, missing };
}

function linksOf({ io }: Session, place: Place): Overview['links'] {
  const run = lastRun(io, place, 'links');
  if (run === undefined) return null;
  const { at, broken, spaces, of, unread } = run;
  return { checkedAt: at, ageSeconds: ageOf(at, io.now()), broken, spaces, of, unread };
}

function backupOf({ io }: Session, place: Place): Overview['backup'] {
  const run = lastRun(io, place, 'backup');
  if (run === undefined) return null;
  const { at, folder, state, failed } = run;
  const folderExists = existsSync(join(folder, manifestName));
  return { finishedAt: at, ageSeconds: ageOf(at, io.now()), folder, folderExists, state, failed };
}

/** A clock that was set back makes no age negative. */
function ageOf(at: string, nowMs: number): number {
  return Math.max(0, Math.floor((nowMs - Date.parse(at)) / 1000));
}

/** The jobs of the platform that name this organization, or none. */
function jobsOf(
  { io }: Session,
  { origin, organization }: Place,
  onIssue: (issue: DocsError) => void,
): Overview['jobs'] {
  const folder = new JobFolder(io);
  // Before the journals, so that a job which ends meanwhile is running, not unfinished.
  const workers = folder.workers();
  const all = folder.readAll(onIssue);
  const own = all.filter(
    ({ header }) => header.origin === origin && (header.org ?? organization) === organization,
  );
  const undoing = all.filter(({ header }) => header.undoes !== undefined);
  const jobs = own.map((job): OverviewJob => {
    const { id, command, state, at, unknown, left } = summary(job, workers, undoing);
    return { id, command, state, at, left: unknown + left };
  });
  const unfinished = jobs.filter(isUnfinished);
  const last = [...unfinished, ...jobs.filter((job) => !isUnfinished(job))].slice(0, mostJobs);
  return { total: jobs.length, unfinished: unfinished.length, last };
}

function isUnfinished({ state }: OverviewJob): boolean {
  return state === 'unfinished' || state === 'running';
}
