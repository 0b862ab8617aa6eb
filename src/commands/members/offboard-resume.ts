import { dirname, resolve } from 'node:path';
import { usageError } from '../../base/errors.js';
import type { GroupEntry, ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { readSource } from '../../cli/parse/typed-text.js';
import { cautionOf } from '../../cli/run/confirm.js';
import { readingOf } from '../../cli/run/reading-of.js';
import { passJob, refuseOther } from '../../cli/run/resume-job.js';
import { JobFolder } from '../../jobs/job-folder.js';
import { restOf } from '../../jobs/step.js';
import { counted } from '../../output/counted.js';
import { evidenceOf, standingFiles } from '../../workflows/offboard/evidence.js';
import { makeEvidenceFolder } from '../../workflows/offboard/evidence-folder.js';
import { jobOf, leftOf, resume } from '../../workflows/offboard/execute.js';
import { withOutcomes } from '../../workflows/offboard/report.js';
import { offboardingPage } from './offboard-page.js';
import { checkPrinting, printOffboarding } from './offboard-print.js';
import { showExecution } from './offboard-run.js';

/**
 * `docs members offboard --resume`: does what is left of the job, reads again, and completes the evidence.
 * @throws DocsError usage `contradiction`, `no_job`, `job_mismatch`; as `runOffboard`
 */
export async function resumeOffboarding(
  session: Session,
  input: ManualInput,
  _groups: readonly GroupEntry[],
): Promise<void> {
  const { io, printer } = session;
  if (input.args.user !== undefined && input.args.user.length > 0)
    throw usageError('contradiction', '--resume and <user...> contradict each other.');
  const page = await offboardingPage(session, input);
  await checkPrinting(session);
  const typed = String(input.options.resume);
  const json = resolve(io.cwd, typed);
  const read = evidenceOf(await readSource(session, json, '--resume'), json, `--resume: ${typed}`);
  const evidence = { ...read, files: standingFiles(io, read.files) };
  const { report, files } = evidence;
  if (report.state === 'complete') {
    await printOffboarding(session, { ...report, files });
    await page?.write(evidence);
    return printer.note(`${json} is already complete; nothing was sent.`);
  }
  const job = jobOf(new JobFolder(io), evidence);
  refuseOther(session, job);
  const left = leftOf(job).length;
  if (session.globals.dryRun) {
    const outcomes = withOutcomes(report, job.items, job.header.job);
    await printOffboarding(session, outcomes);
    await page?.write({ report: outcomes });
    return printer.note(
      `Dry run: nothing was sent. Job ${job.header.job} has ${counted(left, 'request')} left; those sent without an answer are looked up first.`,
    );
  }
  const reading = await readingOf(session, input, report.organization.id);
  await passJob(session, job);
  await cautionOf(session, async () => reading.client, undefined, restOf(job));
  await makeEvidenceFolder(dirname(evidence.files.json));
  await showExecution(session, { total: left, input, reading, page }, (execution) =>
    resume(execution, job, evidence),
  );
}
