import { stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import { DocsError, usageError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import { defined } from '../../base/values.js';
import type { ManualInput } from '../../cli/declare/command.js';
import { atPlace } from '../../cli/declare/global-flags.js';
import type { Session } from '../../cli/declare/session.js';
import { editFile } from '../../cli/run/editor.js';
import { reportPage } from '../../cli/run/report-page.js';
import { savedText } from '../../cli/run/save-plan.js';
import { counted } from '../../output/text.js';
import { refusedText } from '../../plans/check.js';
import { writePlan } from '../../plans/file.js';
import { sends } from '../../plans/operation.js';
import type { Plan } from '../../plans/plan.js';
import { summaryOf } from '../../plans/show/summary.js';
import { folderOf, takesOf, typedFolder } from '../shared/plan-options.js';
import { checkPrinting, fileOf, loadPicture, printPlan, writePage } from '../shared/print-plan.js';
import { compare, openFolder } from './compare.js';

/** `docs plan` and `docs drift`. */

/**
 * Makes the plan of a folder and shows it; with `--save-plan` writes it, too. Sends nothing but GET.
 * @param how.command its words: `plan`
 * @throws DocsError findings (exit 17) with `--exit-code` if there is anything in it; as `compare`
 */
export async function makeFolderPlan(
  session: Session,
  input: ManualInput,
  how: { command: string; only?: 'change' | 'drift'; exitCode: boolean },
): Promise<void> {
  const { io } = session;
  const take = takesOf(input);
  await checkPrinting(session);
  const page = await reportPage(session, input);
  const only = how.only ?? (input.options.only as 'change' | 'drift' | undefined);
  const folder = await openFolder(session, folderOf(io, input), typedFolder(input), only);
  const missed: string[] = [];
  const onMissed = (sentences: readonly string[]) => void missed.push(...sentences);
  const choices = { prune: input.options.prune === true, take, onMissed, ...defined({ only }) };
  // Loaded while the platform answers.
  const [plan] = await Promise.all([compare(session, how.command, folder, choices), loadPicture(session)]);
  if (session.savePlan !== undefined) await writePlan(io, resolve(io.cwd, session.savePlan), plan);
  const write = () => writePage(page, plan, { missed, file: fileOf });
  await printPlan(session, plan, { full: input.options.full === true }).finally(write);
  if (session.savePlan !== undefined) session.printer.note(await savedText(session, plan, session.savePlan));
  const found = plan.operations.length > 0;
  if (found && how.exitCode) throw foundSomething(session, plan, input, how.command);
  if (found && session.savePlan === undefined) await noteNext(session, plan, input);
}

function foundSomething(session: Session, plan: Plan, input: ManualInput, command: string): DocsError {
  const code = command === 'drift' ? 'drift_found' : 'changes_found';
  const isOld = plan.operations.some(({ finding }) => finding?.code === 'unwatched');
  const pull = `docs pull${isOld ? '' : ' --only drift'}${dirWords(session, input)}`;
  const hint = command === 'drift' ? pull : undefined;
  const message = command === 'drift' ? driftFound(plan) : `changes found: ${summaryOf(plan)}`;
  return new DocsError('findings', code, message, {
    outcome: 'not-sent',
    ...(hint !== undefined && { hint }),
  });
}

/** `drift found: 2 changes made by hand`, and what else `docs drift` shows. */
function driftFound({ operations, ...head }: Plan): string {
  const drift = operations.filter(({ action }) => action === 'drift');
  const others = operations.filter(({ action }) => action !== 'drift');
  const rest = others.length === 0 ? '' : summaryOf({ ...head, operations: others });
  if (drift.length === 0) return `drift found: ${rest}`;
  return `drift found: ${counted(drift.length, 'change')} made by hand${rest === '' ? '' : `; ${rest}`}`;
}

/** What to run next, where there is something to apply. */
async function noteNext(session: Session, plan: Plan, input: ManualInput): Promise<void> {
  const { operations } = plan;
  const sent = operations.filter(sends);
  if (sent.length === 0) return;
  const { io, globals, printer } = session;
  const refused = refusedText({ operations });
  if (refused !== undefined) {
    printer.note(refused);
    return;
  }
  const dir = dirWords(session, input);
  const here = (command: string) => atPlace(command, globals, io.platform);
  const apply = here(`docs apply${choiceWords(session, input)}${dir}`);
  const keep = `"${here(`docs pull --only drift${dir}`)}" keeps it in the files instead.`;
  const drift = sent.filter(({ action }) => action === 'drift').length;
  const reverts = `reverts what was changed by hand; ${keep}`;
  const asking = (await session.gate?.asking(plan)) ?? [];
  const save = here(`docs plan --save-plan plan.json${choiceWords(session, input)}${dir}`);
  const saves = `The policy requires an approval of these changes: "${save}" saves them for it.`;
  const also = drift === 0 ? '' : ` It also ${reverts}`;
  if (asking.length > 0) return printer.note(drift === 0 ? saves : `${saves} The plan ${reverts}`);
  const makes = `"${apply}" makes these changes; --save-plan keeps them for approval.`;
  printer.note(drift === sent.length ? `"${apply}" ${reverts}` : makes + also);
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
    const message = '--editor needs a terminal, and questions are off here; nothing was opened.';
    throw usageError('no_terminal', message);
  }
  const { platform } = session.io;
  const folder = folderOf(session.io, input);
  const name = typeof editor === 'string' ? editor : 'org.yaml';
  const path = resolve(folder, name);
  const inside = relative(folder, path);
  const stats = await stat(path).catch(() => undefined);
  if (inside.startsWith('..') || isAbsolute(inside) || stats?.isFile() !== true) {
    const message = `${name} is not a file in ${typedFolder(input)}; nothing was opened.`;
    throw usageError('no_such_file', message, {
      hint: `${platform === 'win32' ? 'dir' : 'ls'} ${shellWord(typedFolder(input), platform)}`,
    });
  }
  // A page that cannot be written is refused before somebody has written a text.
  await reportPage(session, input);
  await editFile(session.io, path, `EDITOR=nano docs ${session.line.join(' ')}`);
}
