import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { usageError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import { defined } from '../../base/values.js';
import type { GroupEntry, ManualInput } from '../../cli/declare/command.js';
import { atPlace } from '../../cli/declare/global-flags.js';
import type { Session } from '../../cli/declare/session.js';
import { applyPlan } from '../../cli/run/apply-plan.js';
import { beginChange } from '../../cli/run/carry-out.js';
import { leftError, printUnsent } from '../../cli/run/job-results.js';
import { defaultFolder, folderOf, typedFolder } from '../../cli/run/organization-folder.js';
import { savedFile } from '../../cli/run/plan-approval.js';
import { safeLine } from '../../output/text.js';
import { loadPlan } from '../../plans/file.js';
import { updateLock } from '../../plans/lock.js';
import type { Plan } from '../../plans/plan.js';
import { summaryOf } from '../../plans/show/summary.js';
import { completeLock, dirWords, takesOf } from '../shared/organization-files.js';
import { fileOf } from '../shared/print-plan.js';
import { showMade } from '../shared/propose.js';
import { planToApply } from './compare.js';

/** `docs apply`: a plan from its file, or the one that the folder makes now. */

/** @throws DocsError as `applyPlan`; as `compare` */
export async function apply(
  session: Session,
  input: ManualInput,
  groups: readonly GroupEntry[],
): Promise<void> {
  const { io } = session;
  if (typeof input.args.plan !== 'string') return applyFolder(session, input, folderOf(io, input), groups);
  const unfit = ['prune', 'take'].find((name) => input.options[name] !== undefined);
  if (unfit !== undefined) {
    const message = `--${unfit} is for making a plan; ${input.args.plan} is made already`;
    throw usageError('contradiction', message, { hint: `docs plan --${unfit}` });
  }
  const { plan, reasons, bytes } = await loadPlan(io, input.args.plan);
  const saved = await savedFile(session, input.args.plan, bytes);
  const folder = folderOf(io, besidePlan(plan, input));
  if (plan.lock !== undefined) requireLockFolder(session, besidePlan(plan, input), folder);
  const beside = { folder, groups, ...(plan.lock !== undefined && { file: fileOf }) };
  const at = { ...beside, reasons, path: input.args.plan, ...defined({ saved }) };
  const shown = typedFolder(besidePlan(plan, input));
  const after = plan.lock === undefined ? undefined : () => completeLock(session, folder, shown);
  await applyPlan(session, plan, input, { ...at, after });
}

/** The folder that a plan names, unless another one was typed. */
function besidePlan({ folder }: Plan, input: ManualInput): ManualInput {
  if (typeof folder !== 'string' || typedFolder(input) !== defaultFolder) return input;
  return { ...input, options: { ...input.options, dir: folder } };
}

/** A plan of a folder is applied beside it, since it changes its lock. @throws DocsError usage `no_org_folder` */
function requireLockFolder({ io }: Session, input: ManualInput, folder: string): void {
  if (existsSync(join(folder, 'org.yaml'))) return;
  const message = `${typedFolder(input)} has no org.yaml, and the plan changes the lock beside it; nothing was sent`;
  const file = shellWord(String(input.args.plan), io.platform);
  throw usageError('no_org_folder', message, { hint: `docs apply ${file} --dir <folder>` });
}

async function applyFolder(
  session: Session,
  input: ManualInput,
  path: string,
  groups: readonly GroupEntry[],
): Promise<void> {
  if (input.options.olderThan !== undefined)
    throw usageError('contradiction', '--older-than requires a plan: without one, it is made now');
  const take = takesOf(input);
  await beginChange(session, { results: { plan: true } });
  const shown = typedFolder(input);
  const { plan, isComplete } = await planToApply(session, path, shown, {
    prune: input.options.prune === true,
    take,
  });
  const complete = () => (isComplete ? Promise.resolve() : completeLock(session, path, shown));
  await applyPlan(session, plan, input, {
    folder: path,
    groups,
    file: fileOf,
    show: () => showMade(session, plan, input),
    tellNothing: () => tellNothing(session, plan, input, { path, complete }),
    after: complete,
  });
}

/** A folder that makes no change may still refresh its lock. */
async function tellNothing(
  session: Session,
  plan: Plan,
  input: ManualInput,
  { path, complete }: { path: string; complete: () => Promise<void> },
): Promise<void> {
  settle(path, plan);
  await complete();
  await printUnsent(session, plan, nothing(plan));
  for (const { item, message, hint = '' } of plan.notes ?? [])
    session.printer.note(safeLine(`${item}: ${message} ${hint}`.trimEnd()));
  const left = leftError(session, plan, 0);
  if (left !== undefined) throw left;
  const next = atPlace(`docs plan${dirWords(session, input)}`, session.globals, session.io.platform);
  if (plan.operations.length > 0) session.printer.note(`${summaryOf(plan)}; "${next}" shows them.`);
}

/** Refreshes the entries of the lock that are out of date although files and platform agree. */
function settle(folder: string, { lock = [], organization = '', origin }: Plan): void {
  if (lock.length > 0) updateLock(folder, { org: organization, origin }, lock);
}

function nothing({ operations, notes = [] }: Plan): string {
  if (operations.length > 0) return 'Nothing was applied: nothing in this plan can be sent.';
  return notes.length > 0 ? 'Nothing to apply.' : 'Nothing to apply: the platform is as the files say.';
}
