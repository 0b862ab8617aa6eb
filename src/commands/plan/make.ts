import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { DocsError, usageError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import { defined } from '../../base/values.js';
import type { GroupEntry, ManualInput } from '../../cli/declare/command.js';
import { atPlace } from '../../cli/declare/global-flags.js';
import type { Session } from '../../cli/declare/session.js';
import { applyPlan } from '../../cli/run/apply-plan.js';
import { beginChange } from '../../cli/run/carry-out.js';
import { editFile } from '../../cli/run/editor.js';
import { leftError, printUnsent } from '../../cli/run/job-results.js';
import { savedFile } from '../../cli/run/plan-approval.js';
import { reportPage } from '../../cli/run/report-page.js';
import type { Report } from '../../cli/run/run-report.js';
import { savedText } from '../../cli/run/save-plan.js';
import { counted, safeLine } from '../../output/text.js';
import { refusedText } from '../../plans/check.js';
import { loadPlan, writePlan } from '../../plans/file.js';
import { updateLock } from '../../plans/lock.js';
import { sends } from '../../plans/operation.js';
import type { Plan } from '../../plans/plan.js';
import { isConflict, summaryOf } from '../../plans/show/summary.js';
import {
  completeLock,
  defaultFolder,
  folderOf,
  type planAspects,
  takesOf,
  typedFolder,
} from '../shared/organization-files.js';
import { fileOf, planForms, type ShownPlan } from '../shared/print-plan.js';
import { showMade } from '../shared/propose.js';
import { compare, openFolder, planToApply } from './compare.js';

/** `docs plan` and `docs plan drift`. */

/** How a plan of a folder is made. */
interface FolderPlan {
  /** Its words: `plan`. */
  command: string;
  only?: 'change' | 'drift';
  /** Whether it exits 17 if there is anything in the plan. */
  exitCode: boolean;
}

/**
 * Makes the plan of a folder and shows it; with `--save-plan` writes it, too. Sends nothing but GET.
 * @throws DocsError findings (exit 17) with `exitCode` if there is anything in it; as `compare`
 */
export function folderPlanReport({ command, exitCode, ...how }: FolderPlan): Report<ShownPlan> {
  return {
    ...planForms,
    async read({ session, input }) {
      const { io, savePlan } = session;
      const only = how.only ?? (input.options.only as FolderPlan['only']);
      const take = takesOf(input);
      const folder = await openFolder(session, folderOf(io, input), typedFolder(input), only);
      const missed: string[] = [];
      const onMissed = (sentences: readonly string[]) => void missed.push(...sentences);
      const choices = { prune: input.options.prune === true, take, onMissed, ...defined({ only }) };
      const plan = await compare(session, command, folder, choices);
      if (savePlan !== undefined) await writePlan(io, resolve(io.cwd, savePlan), plan);
      return { plan, missed };
    },
    async end({ plan }, { session, input }) {
      const { savePlan } = session;
      if (savePlan !== undefined) session.printer.note(await savedText(session, plan, savePlan));
      if (plan.operations.length === 0) return undefined;
      if (command === 'plan' && plan.operations.some(sends)) notePreviewed(session);
      if (exitCode || fails(plan, input)) return { failure: foundSomething(session, plan, input, command) };
      return { note: savePlan === undefined ? await nextNote(session, plan, input) : undefined };
    },
  };
}

/** What a plan of a folder shows, `docs apply` would make. */
function notePreviewed({ previewed, savePlan, line }: Session): void {
  const words = ['apply', ...line.slice(line.indexOf('plan') + 1)];
  previewed?.push({ shown: savePlan === undefined ? '--dry-run' : '--save-plan', words });
}

/** Whether `--fail-on` names something that the plan has. */
function fails({ operations }: Plan, { options: { failOn } }: ManualInput): boolean {
  const asked = [failOn ?? []].flat();
  return operations.some((one) => asked.includes(aspectOf(one)));
}

function aspectOf(operation: Plan['operations'][number]): (typeof planAspects)[number] {
  if (operation.action === 'drift') return 'drift';
  if (operation.action !== 'finding') return 'change';
  return isConflict(operation) ? 'conflict' : 'finding';
}

function foundSomething(session: Session, plan: Plan, input: ManualInput, command: string): DocsError {
  const isDrift = command === 'plan drift';
  const code = isDrift ? 'drift_found' : 'changes_found';
  const isOld = plan.operations.some(({ finding }) => finding?.code === 'unwatched');
  const pull = `docs pull${isOld ? '' : ' --only drift'}${dirWords(session, input)}`;
  const hint = isDrift ? pull : undefined;
  const message = isDrift ? driftFound(plan) : `changes found: ${summaryOf(plan)}`;
  return new DocsError('findings', code, message, {
    outcome: 'not-sent',
    ...(hint !== undefined && { hint }),
  });
}

/** `drift found: 2 changes made by hand`, and what else `docs plan drift` shows. */
function driftFound({ operations, ...head }: Plan): string {
  const drift = operations.filter(({ action }) => action === 'drift');
  const others = operations.filter(({ action }) => action !== 'drift');
  const rest = others.length === 0 ? '' : summaryOf({ ...head, operations: others });
  if (drift.length === 0) return `drift found: ${rest}`;
  return `drift found: ${counted(drift.length, 'change')} made by hand${rest === '' ? '' : `; ${rest}`}`;
}

/** What to run next, where there is something to apply. */
async function nextNote(session: Session, plan: Plan, input: ManualInput): Promise<string | undefined> {
  const { operations } = plan;
  const sent = operations.filter(sends);
  if (sent.length === 0) return undefined;
  const { io, globals } = session;
  const refused = refusedText({ operations });
  if (refused !== undefined) return refused;
  const dir = dirWords(session, input);
  const here = (command: string) => atPlace(command, globals, io.platform);
  const apply = here(`docs apply${choiceWords(session, input)}${dir}`);
  const keep = `"${here(`docs pull --only drift${dir}`)}" keeps it in the files instead.`;
  const drift = sent.filter(({ action }) => action === 'drift').length;
  const reverts = `reverts changes made by hand; ${keep}`;
  const asking = (await session.gate?.asking(plan)) ?? [];
  const save = here(`docs plan --save-plan plan.json${choiceWords(session, input)}${dir}`);
  const saves = `The policy requires an approval of these changes: "${save}" saves them for it.`;
  const also = drift === 0 ? '' : ` It also ${reverts}`;
  if (asking.length > 0) return drift === 0 ? saves : `${saves} The plan ${reverts}`;
  const makes = `"${apply}" makes these changes; --save-plan keeps them for approval.`;
  return drift === sent.length ? `"${apply}" ${reverts}` : makes + also;
}

/** `--prune` and `--take`, as they were typed. */
function choiceWords({ io }: Session, { options }: ManualInput): string {
  const takes = [options.take ?? []].flat().map((take) => ` --take ${shellWord(String(take), io.platform)}`);
  return `${options.prune === true ? ' --prune' : ''}${takes.join('')}`;
}

/** `--dir`, where it is not the usual one. */
export function dirWords({ io }: Pick<Session, 'io'>, { options }: Pick<ManualInput, 'options'>): string {
  return typeof options.dir === 'string' && options.dir !== 'org'
    ? ` --dir ${shellWord(options.dir, io.platform)}`
    : '';
}

/**
 * `docs plan --editor [file]`: opens org.yaml, or another file of the folder, before the files are read. What was
 * written stays, whatever the plan says of it.
 * @throws DocsError usage `no_terminal`, `no_such_file`; local-io `editor_failed`
 */
export async function editOrganizationFile(session: Session, input: ManualInput): Promise<void> {
  const { editor } = input.options;
  if (editor === undefined) return;
  if (!session.interactive) {
    const message = '--editor needs a terminal, and questions are off here; nothing was opened';
    throw usageError('no_terminal', message);
  }
  const { platform } = session.io;
  const folder = folderOf(session.io, input);
  const name = typeof editor === 'string' ? editor : 'org.yaml';
  const path = resolve(folder, name);
  const inside = relative(folder, path);
  const stats = await stat(path).catch(() => undefined);
  if (inside.startsWith('..') || isAbsolute(inside) || stats?.isFile() !== true) {
    const message = `${name} is not a file in ${typedFolder(input)}; nothing was opened`;
    throw usageError('no_such_file', message, {
      hint: `${platform === 'win32' ? 'dir' : 'ls'} ${shellWord(typedFolder(input), platform)}`,
    });
  }
  // A page that cannot be written is refused before somebody has written a text.
  await reportPage(session, input);
  const hint = `EDITOR=nano docs ${session.line.join(' ')}`;
  await editFile(session.io, path, { hint, instead: `Edit ${name} yourself, and leave out --editor.` });
}

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
