import { pathParameters } from '../../api/operation-facts.js';
import { isTypedId } from '../../base/ids.js';
import { nextTurn } from '../../base/turn.js';
import type { Change } from '../../jobs/change.js';
import { isAttended } from '../../output/terminal.js';
import type { Ahead, Command, ManualInput } from '../declare/command.js';
import { contextFlags } from '../declare/global-flags.js';
import type { CommandOutline, GroupOutline } from '../declare/outline.js';
import { groupOutlineOf, recordAt } from '../declare/read-record.js';
import { isRecorded, type ReadRecord } from '../declare/record.js';
import type { Globals, Session } from '../declare/session.js';
import type { Line } from './line.js';
import { printRead } from './print-read.js';
import { openSession, repeatedToken } from './session.js';

/** From a parsed command line to the platform and back: everything a command does passes through here. */

/** Switches of which a recorded read knows nothing. */
const further = ['header', 'csvRaw', 'byTitle', 'dryRun'] as const satisfies (keyof Globals)[];

/**
 * Runs a command. A read of which nothing but ids was typed needs only its record; all else loads its declaration, and
 * what checks and completes the line (whole-run.ts).
 * @param path the words of the command
 * @param trial whether what policies deny is not recorded: it is only tested
 * @throws DocsError whatever it fails with
 */
export async function runCommand(line: Line, path: string, typed: ManualInput, trial = false): Promise<void> {
  const { outline, isPlain, globals } = line;
  if (outline !== undefined && !trial && !further.some((name) => globals[name] === true)) {
    if (isPlain === true && isRecorded(outline)) return runRecorded(line, outline, path, typed);
    if (outline.danger !== 'read' && (await isRecordedChange(outline)))
      return runChange(line, outline, path, typed);
    const ahead = aheadOf(line, path, typed);
    if (ahead !== undefined) return runAhead(line, outline, path, typed, await ahead);
  }
  return (await import('./whole-run.js')).runWhole(line, path, typed, trial);
}

/** What is asked before a command is loaded; nothing where its output may go into a file, which the whole run opens. */
function aheadOf({ groups, globals }: Line, path: string, typed: ManualInput): Promise<Ahead> | undefined {
  if (globals.output !== undefined || typed.options.out !== undefined) return undefined;
  const [root] = path.split(' ', 1);
  return groups.find(({ name }) => name === root)?.ahead?.(path, typed);
}

/** In the sources it is found by trying. */
async function isRecordedChange(outline: CommandOutline | Command): Promise<boolean> {
  if (!('spec' in outline)) return 'recorded' in outline && outline.recorded === 'change';
  const { changeRecordOf } = await import('./change-record.js');
  return changeRecordOf(outline) !== undefined;
}

/** Opens the session and changes, as `runRecorded`. */
async function runChange(
  line: Line,
  outline: CommandOutline,
  path: string,
  typed: ManualInput,
): Promise<void> {
  const { changeRecordAt, recordedChange } = await import('./recorded-change.js');
  const record = await changeRecordAt(path, outline);
  const group = record.group ?? (await groupOutlineOf(path, line.groups));
  const session = await sessionOf(line, path, typed, outline);
  const input = placed(typed, group, path);
  const run = recordedChange(session, outline, record, input);
  if (run === undefined) return (await import('./whole-run.js')).runDeclared(session, line, path, typed);
  return closing(session, run);
}

/** Opens the session and reads; where that takes more than the record, such as a policy, the whole takes over. */
async function runRecorded(
  line: Line,
  outline: CommandOutline,
  path: string,
  typed: ManualInput,
): Promise<void> {
  const { groups } = line;
  const record = await recordAt(path, groups);
  const group = record.group ?? (await groupOutlineOf(path, groups));
  const opened = { ...outline, alone: isAlone(line, outline, record, typed) };
  const session = await sessionOf(line, path, typed, opened);
  const call = recordedCall(session, outline, record, typed);
  if (call === undefined) return (await import('./whole-run.js')).runDeclared(session, line, path, typed);
  const view = record.views[record.operations.indexOf(call.op)] ?? { columns: [], fields: [] };
  const input = placed(typed, group, path);
  const command = { name: outline.name, spec: record.spec };
  return closing(session, () => printRead(session, { command, input, call, view }));
}

/** Opens the session, and loads the command once its first reads are sent. */
async function runAhead(
  line: Line,
  outline: CommandOutline,
  path: string,
  typed: ManualInput,
  ahead: Ahead,
): Promise<void> {
  const session = await sessionOf(line, path, typed, outline);
  await ahead(session, typed);
  // So that they leave.
  await nextTurn();
  return (await import('./whole-run.js')).runDeclared(session, line, path, typed);
}

/** A session for what runs from a record; what a policy needs of the declaration is loaded where there is one. */
function sessionOf(
  line: Line,
  path: string,
  typed: ManualInput,
  outline: Parameters<typeof openSession>[2],
): Promise<Session> {
  return openSession(line, typed, outline, async (settings, files, send) =>
    (await import('./whole-run.js')).gateOf(line, path, typed, { settings, files, send }),
  );
}

/** What was typed, with the group that its command is in. */
function placed(typed: ManualInput, group: GroupOutline | undefined, path: string): ManualInput {
  return group === undefined ? typed : { ...typed, group, groupPath: parentOf(path) };
}

async function closing(session: Session, run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
    if (session.sawToken()) throw repeatedToken();
  } catch (cause) {
    throw session.outcome(cause);
  } finally {
    await session.close();
  }
}

/**
 * Whether a recorded read runs to its end without showing the address of the platform: what was typed names it, it needs
 * no context but the organization, and neither a browser nor `--debug` was asked for.
 */
function isAlone(
  { io, globals }: Line,
  { args }: CommandOutline,
  { operations }: ReadRecord,
  { args: typed, options }: ManualInput,
): boolean {
  const isDebug = globals.debug === true || (io.env.DOCS_DEBUG ?? '') !== '';
  if (isDebug || options.web === true || options.savePlan !== undefined) return false;
  const isGiven = (parameter: string) =>
    parameter === 'organizationId' ||
    args.some(({ name, field }) => field === parameter && typed[name] !== undefined);
  const attended = isAttended(io, globals);
  return (
    args.every(({ name }) => typed[name] === undefined || isTypedId(typed[name], attended)) &&
    operations.some(({ path }) => pathParameters(path).every(isGiven))
  );
}

/**
 * The request of a recorded read.
 * @returns undefined where something has to be looked up, asked for or refused, or is governed by more than settings
 */
function recordedCall(
  { settings, gate, savePlan, attended }: Session,
  { args }: CommandOutline,
  { operations }: ReadRecord,
  { args: typed }: ManualInput,
): Change | undefined {
  if ((gate ?? savePlan ?? settings.rehearsal) !== undefined) return undefined;
  const path: Record<string, string> = {};
  for (const { name, field = '', required } of args) {
    const id = typed[name];
    if (id === undefined && !required) continue;
    if (!isTypedId(id, attended)) return undefined;
    path[field] = id;
  }
  for (const [parameter, flag] of Object.entries(contextFlags)) {
    const parent = flag === 'change-request' ? undefined : settings[flag]?.value;
    if (parent !== undefined) path[parameter] ??= parent;
  }
  const op = operations.find((each) => pathParameters(each.path).every((name) => path[name] !== undefined));
  if (op === undefined) return undefined;
  const parameters = pathParameters(op.path);
  const own = Object.fromEntries(parameters.map((name) => [name, path[name] ?? '']));
  return { op, input: { path: own, query: {} }, id: own[parameters.at(-1) ?? ''] ?? '' };
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf(' '));
}
