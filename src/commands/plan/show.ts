import { resolve } from 'node:path';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { JobFolder } from '../../jobs/job-folder.js';
import { stateOf } from '../../jobs/journal.js';
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
function standing({ io }: Session, { id, operations }: Plan, file: string): string {
  throw new Error(
    `to do ${id} ${operations.length} ${file} ${io.cwd} ${String([JobFolder, stateOf, shellWord])}`,
  );
}
