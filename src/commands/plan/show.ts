import { resolve } from 'node:path';
import type { ManualInput } from '../../cli/declare/command.js';
import { atPlace } from '../../cli/declare/place-flags.js';
import type { Session } from '../../cli/declare/session.js';
import { JobFolder } from '../../jobs/job-folder.js';
import { readPlan } from '../../plans/file.js';
import type { Plan } from '../../plans/plan.js';
import { shellWord } from '../../settings/shell-word.js';
import { checkPrinting, printPlan } from './print.js';

/** `docs plan show`: a plan from its file. Sends nothing, and needs neither settings nor the platform. */

/** @throws DocsError as `readPlan` */
export async function showPlan(session: Session, input: ManualInput): Promise<void> {
  await checkPrinting(session);
  const file = String(input.args.file);
  const plan = await readPlan(session.io, resolve(session.io.cwd, file));
  await printPlan(session, plan, { full: input.options.full === true, made: true });
  session.printer.note(standing(session, plan, file));
}

/** Whether a plan was applied on this machine, and what to run next. */
function standing({ io, globals }: Session, plan: Plan, file: string): string {
  const applied = appliedBy(new JobFolder(io), plan.id);
  const at = (command: string) => atPlace(command, globals, io.platform);
  if (applied === 'unknown job')
    return 'Applied on this machine by a job whose journal is removed; it cannot be applied again.';
  if (applied !== undefined) {
    const [job, undo] = [`docs jobs show ${applied}`, `docs undo ${applied}`].map(at);
    return `Applied on this machine by job ${applied}; "${job}" shows what came of it, "${undo}" takes it back.`;
  }
  if (!plan.operations.some(({ request }) => request !== undefined))
    return 'Nothing in this plan can be applied.';
  return `Not applied on this machine; "${at(`docs apply ${shellWord(file, io.platform)}`)}" applies it.`;
}

/** The job that applied a plan on this machine. */
function appliedBy(folder: JobFolder, plan: string): string | undefined {
  return folder.readAll(() => {}).find(({ header }) => header.plan === plan)?.header.job;
}
