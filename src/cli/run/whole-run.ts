import { callOne } from '../../api/client.js';
import { DocsError } from '../../base/errors.js';
import type { Change } from '../../jobs/change.js';
import type { Gate, Send } from '../../policy/policy.js';
import type { PolicyFile, Settings } from '../../settings/settings.js';
import { type Command, camel, type ManualInput } from '../declare/command.js';
import { commandAt, withOutline } from '../declare/outline.js';
import type { Session } from '../declare/session.js';
import { viewOf } from '../declare/shown.js';
import { wholeNumber } from '../parse/plain-values.js';
import { refuseIdleEncoding } from '../parse/typed-text.js';
import { resolveIds } from '../resolve/resolve-ids.js';
import { assemble, refuseEditor, refuseWrongFlags, requireArguments } from './assemble.js';
import type { Typed } from './gather.js';
import type { Line } from './line.js';
import { refuseContradictions, refuseUnfitOutput } from './output.js';
import type { OutputFile } from './output-file.js';
import { printRead } from './print-read.js';
import { openSession, repeatedToken } from './session.js';
import { subjectOf } from './view.js';

/** What a line takes that is more than a recorded read (pipeline.ts): its declaration, checks, policies, changes. */

/** The command of a line as it is declared, and where it stands. */
async function declaredOf({ groups, outline }: Line, path: string, typed: ManualInput) {
  const { command, ...place } = await commandAt(groups, path);
  return { command: outline === undefined ? command : withOutline(command, outline, typed), place };
}

/** What a policy is opened with. */
interface Governed {
  settings: Settings;
  files: readonly PolicyFile[];
  send: Send;
}

/** Opens the gate of the policies that were found. */
export async function gateOf(
  line: Line,
  path: string,
  typed: ManualInput,
  { settings, files, send }: Governed,
  trial = false,
): Promise<Gate> {
  const { groups, runLine: _, outline: __, isPlain: ___, ...opened } = line;
  const [{ openGate }, { command }] = await Promise.all([
    import('./policy-gate.js'),
    declaredOf(line, path, typed),
  ]);
  return openGate({ ...opened, groups, path, command, settings, trial }, files, send);
}

/** Opens the session of a line, and runs it. */
export async function runWhole(line: Line, path: string, typed: ManualInput, trial: boolean): Promise<void> {
  const { groups: _, runLine: __, outline: ___, isPlain: ____, ...opened } = line;
  const { command, place } = await declaredOf(line, path, typed);
  const kept = await keptOutput(opened, command, typed);
  const page: Record<string, unknown> = kept?.html === undefined ? {} : { html: kept.html };
  const input = { ...typed, options: { ...typed.options, ...page }, ...place };
  const asked = { ...opened, ...kept, options: { ...opened.options, trial } };
  const session = await openSession(asked, input, command, (settings, files, send) =>
    gateOf(line, path, typed, { settings, files, send }, trial),
  );
  await runOpened(session, line, path, { command, input, kept });
}

/** A command as it is declared, and what was typed for it. */
interface Declared {
  command: Command;
  input: ManualInput;
  /** Where `--out` wants what is printed. */
  kept?: OutputFile | undefined;
}

/** Runs a recorded read that turned out to take more. */
export async function runDeclared(
  session: Session,
  line: Line,
  path: string,
  typed: ManualInput,
): Promise<void> {
  const { command, place } = await declaredOf(line, path, typed);
  await runOpened(session, line, path, { command, input: { ...typed, ...place } });
}

async function runOpened(
  session: Session,
  { groups, runLine }: Line,
  path: string,
  { command, input: given, kept }: Declared,
): Promise<void> {
  // Of a list that is sorted, the printer cuts: the command reads all of it.
  const input = given.options.sortBy === undefined ? given : withoutLimit(given);
  try {
    if (session.gate !== undefined)
      await (await import('./policy-gate.js')).passGate(session, path, command, input);
    if (session.settings.rehearsal !== undefined)
      (await import('./rehearsal.js')).refuseLocal(path, command, input);
    const view = command.view ?? { columns: [], fields: [] };
    if (namesFiles(command, input))
      await (await import('./written-files.js')).refuseFiles(session, command, input);
    await kept?.check(session);
    refuseContradictions(session);
    if (session.savePlan !== undefined) await beginPlan(session, command);
    refuseEditor(session, command, input);
    refuseIdleEncoding(command, input);
    await refuseUnfitOutput(session, command);
    const named = await resolveIds(session, command, input, refuseWrongFlags);
    const complete = await requireArguments(named.session, command, named.input);
    const around = { groups, view, runLine };
    const run = (own: Session) =>
      command.run === undefined ? runOperation(own, command, complete) : command.run(own, complete, around);
    const { watch: interval } = complete.options;
    if (interval === undefined || command.watch === undefined) await run(named.session);
    else await (await import('./watch.js')).watch(named.session, command.watch, interval, run);
    if (hasDrafts(session)) await (await import('./editor.js')).settleDrafts(session);
    await kept?.write(session);
    if (wasPreviewed(session)) await (await import('./other-previews.js')).noteOtherPreviews(session, groups);
    if (session.sawToken()) throw repeatedToken();
  } catch (cause) {
    await kept?.write(session, cause);
    if (wasPreviewed(session) && endsShown(cause))
      await (await import('./other-previews.js')).noteOtherPreviews(session, groups);
    const told = session.outcome(cause);
    if (!hasDrafts(session)) throw told;
    const { keepDrafts, LeftAsItWas } = await import('./editor.js');
    if (!(told instanceof LeftAsItWas)) throw await keepDrafts(session, told);
  } finally {
    await session.close();
  }
}

/** Where `--out` wants what is printed; nothing of it is loaded without the flag. */
async function keptOutput(
  opened: Pick<Line, 'io' | 'globals'>,
  { options, formats = [] }: Command,
  { options: { out } }: ManualInput,
): Promise<OutputFile | undefined> {
  const takes = options.some(({ receives }) => receives === true);
  const hasPage = options.some(({ name, value }) => name === 'html' && value !== undefined);
  const lacksFile = hasPage && opened.globals.output === 'html';
  if (!takes || (out === undefined && !lacksFile)) return undefined;
  const about = { formats, hasPage };
  return (await import('./output-file.js')).outputFile(opened, out as string | undefined, about);
}

/** Whether a flag names a file or a folder to write. */
function namesFiles({ options }: Command, input: ManualInput): boolean {
  return options.some(({ name, path }) => path?.use === 'writes' && input.options[camel(name)] !== undefined);
}

/** Whether a text was written in an editor for this command. */
function hasDrafts({ drafts = [] }: Session): boolean {
  return drafts.length > 0;
}

/** Whether the command showed a change without making it. */
function wasPreviewed({ previewed = [] }: Session): boolean {
  return previewed.length > 0;
}

/** Whether what was asked for was shown all the same: it has findings, or not all could be read. */
function endsShown(cause: unknown): boolean {
  return cause instanceof DocsError && (cause.kind === 'findings' || cause.kind === 'partial');
}

function withoutLimit<T extends ManualInput>(input: T): T {
  const { limit: _, ...options } = input.options;
  return { ...input, options };
}

/** `--save-plan`: refuses what it cannot be, before anything is read. `docs plan` prints the plan itself. */
async function beginPlan(session: Session, command: Command): Promise<void> {
  const { beginPlan: begin, checkHead } = await import('./save-plan.js');
  await begin(session);
  if (command.danger !== 'read') await checkHead(session);
}

/**
 * Runs the operation of a command: checks the input, then reads and prints; or previews or confirms, sends
 * as a job, and prints.
 * @returns the answer to a single change; undefined for reads, previews and many items
 */
export async function runOperation(session: Session, command: Command, input: ManualInput): Promise<unknown> {
  const assembled = await assemble(session, command, input);
  const [call] = assembled.calls;
  const typed: Typed = { session, command, input };
  if (call?.op.method === 'GET') return read(typed, call);
  // Loaded for changes alone: it knows the undo of every operation.
  const { changeByOperation } = await import('./operation-proposal.js');
  return changeByOperation(session, command, assembled, input);
}

/** Reads the resource that a command names and prints nothing: for commands that save or show part of it. */
export async function readResource(session: Session, command: Command, input: ManualInput): Promise<unknown> {
  const [call] = (await assemble(session, command, input)).calls as [Change];
  return callOne(await session.client(), call, subjectOf(command, input, call, session.io.platform));
}

async function read({ session, command, input }: Typed, call: Change): Promise<void> {
  const limit = input.options.limit === undefined ? undefined : wholeNumber('--limit', input.options.limit);
  const own = command.spec?.pages;
  const pages = own === undefined || input.options[own.by] === undefined ? undefined : await own.load();
  return printRead(session, { command, input, call, view: viewOf(command, call.op), pages, limit });
}
