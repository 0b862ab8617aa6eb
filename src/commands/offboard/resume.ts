import { usageError } from '../../errors.js';
import type { Job } from '../../jobs/job.js';
import { JobFolder } from '../../jobs/job-folder.js';
import { counted } from '../../output/counted.js';
import { concurrencyOf } from '../change.js';
import type { ManualInput } from '../command.js';
import { refuseOther, resumeJob } from '../jobs.js';
import type { Session } from '../session.js';
import { complete, recordsOf, unprinted, withOutcomes } from './carry-out.js';
import { type EvidenceFiles, readEvidence } from './evidence.js';
import { checkPrinting, printOffboarding } from './printing.js';
import { nameOf, type Offboarding } from './report.js';
import { conclude } from './run.js';

/**
 * Goes on with an offboarding by its evidence: does what is left of its job, whoever worked on it
 * meanwhile, looks again, and completes the evidence.
 * @throws DocsError usage `contradiction`, `no_job`, `job_mismatch`; as `runOffboard`
 */
export async function resumeOffboarding(session: Session, input: ManualInput): Promise<void> {
  refuseMore(input);
  await checkPrinting(session);
  const { files, report } = await readEvidence(session.io, String(input.options.resume));
  if (report.state === 'complete') {
    await printOffboarding(session, { ...report, files });
    session.printer.note(`${files.json} is complete: nothing is left to do.`);
    return;
  }
  const folder = new JobFolder(session.io);
  const job = jobOf(folder, files, report);
  refuseOther(session, job);
  if (session.globals.dryRun) return show(session, report, job);
  const left = job.items.filter(({ state }) => state !== 'ok').length;
  const concurrency = concurrencyOf(input);
  const client = await session.client({ connections: concurrency, timeoutPerRequest: true });
  const failure =
    left === 0
      ? undefined
      : await resumeJob(unprinted(session), folder, job, input).then(
          () => undefined,
          (cause: unknown) => cause,
        );
  const reading = { client, organizationId: report.organization.id, concurrency, signal: session.io.signal };
  const finished = await complete(session, reading, { files, report }, job.header.job);
  await conclude(session, finished, files, failure);
}

function refuseMore({ args, options }: ManualInput): void {
  const others = [
    ...(args.user !== undefined && args.user.length > 0 ? ['<user...>'] : []),
    ...(options.from === undefined ? [] : ['--from']),
    ...(options.reassignTeamsTo === undefined ? [] : ['--reassign-teams-to']),
    ...(options.evidence === undefined ? [] : ['--evidence']),
    ...(options.allowUnseen === true ? ['--allow-unseen'] : []),
    ...(options.again === true ? ['--again'] : []),
  ];
  const [first] = others;
  if (first === undefined) return;
  throw usageError('contradiction', `--resume goes on with what was begun: leave out ${first}.`);
}

/** The job of the evidence: named in it, or, where it was cut short in that very moment, naming it. */
function jobOf(folder: JobFolder, { json }: EvidenceFiles, report: Offboarding): Job {
  if (report.job !== undefined && recordsOf(folder, report.job).length > 0) return folder.find(report.job);
  const [found] = folder
    .readAll(
      () => {},
      () => report.job === undefined,
    )
    .filter(({ header }) => header.evidence === json);
  if (found !== undefined) return found;
  const names = report.people.map(({ user }) => nameOf(user)).join(', ');
  const message = `This machine has no job of ${json}: none was begun, or its journal is gone. Offboard ${names} anew; what is done is left out.`;
  throw usageError('no_job', message, { hint: 'docs jobs list' });
}

/** `--dry-run`: what was done, and what is left. */
async function show(session: Session, report: Offboarding, job: Job): Promise<void> {
  await printOffboarding(session, withOutcomes(report, job.items, job.header.job));
  const left = job.items.filter(({ state }) => state !== 'ok').length;
  session.printer.note(
    `Dry run: nothing was sent. ${counted(left, 'request')} of job ${job.header.job} ${left === 1 ? 'is' : 'are'} left; what was sent without an answer is looked up first.`,
  );
}
