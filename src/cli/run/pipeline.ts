import { callOne, listOf } from '../../api/call-loose.js';
import type { Io } from '../../io.js';
import type { Command, GroupEntry, ManualInput } from '../declare/command.js';
import type { Globals, Session } from '../declare/session.js';
import { commandAt } from '../declare/tree.js';
import { wholeNumber } from '../parse/values.js';
import { resolveIds } from '../resolve/resolve-ids.js';
import { type Assembled, assemble, type PlannedCall, refuseWrongFlags } from './assemble.js';
import { requireArguments } from './gather.js';
import { itemsOf } from './listed.js';
import { nothingListed, sentence } from './sentence.js';
import { type ContextFlags, openSession } from './session.js';
import { subjectOf } from './subject.js';
import { refuseUnfitFlags, refuseUnknownFields } from './unfit-flags.js';
import { viewOf } from './view.js';

/** From a parsed command line to the platform and back: everything a command does passes through here. */

/** What a run starts with. */
export interface Run {
  io: Io;
  globals: Globals;
  groups: readonly GroupEntry[];
}

/**
 * Runs a command: opens the session, refuses flags that do not apply, turns titles into ids, then runs the
 * hand-written command, or the operation of the declaration.
 * @param path the words of the command
 * @throws DocsError whatever it fails with
 */
export async function runCommand(
  { io, globals, groups }: Run,
  path: string,
  typed: ManualInput,
): Promise<void> {
  const { command, ...place } = await commandAt(groups, path);
  const input = { ...typed, ...place };
  const session = await openSession(io, globals, contextOf(input), command);
  try {
    const view = command.view ?? { columns: [], fields: [] };
    refuseUnfitFlags(globals, session.settings, io.stdout.isTTY === true);
    await refuseUnknownFields(globals, command);
    const named = await resolveIds(session, command, input, refuseWrongFlags);
    if (command.run === undefined) await runOperation(named.session, command, named.input);
    else {
      const complete = await requireArguments(named.session, command, named.input);
      await command.run(named.session, complete, { groups, view });
    }
  } finally {
    await session.close();
  }
}

/** The context flags as typed. A repeatable flag is a filter, not part of the context. */
function contextOf({ options: { org, space, site } }: ManualInput): ContextFlags {
  return {
    ...(typeof org === 'string' && org !== '' && { org }),
    ...(typeof space === 'string' && space !== '' && { space }),
    ...(typeof site === 'string' && site !== '' && { site }),
  };
}

/**
 * Runs the operation of a command: checks the input, then reads and prints; or previews or confirms, sends
 * as a job, and prints.
 * @returns the answer to a single change; undefined for reads, previews and many items
 */
export async function runOperation(session: Session, command: Command, input: ManualInput): Promise<unknown> {
  const assembled = await assemble(session, command, input);
  const [call] = assembled.calls;
  if (call?.op.method === 'GET') return read(session, command, call, input);
  return change(session, command, input, assembled);
}

/** Reads the resource that a command names and prints nothing: for commands that save or show part of it. */
export async function readResource(session: Session, command: Command, input: ManualInput): Promise<unknown> {
  const { calls } = await assemble(session, command, input);
  const call = calls[0] as PlannedCall;
  return callOne(await session.client(), call, subjectOf(input, call, session.io.platform));
}

async function read(
  session: Session,
  command: Command,
  call: PlannedCall,
  input: ManualInput,
): Promise<void> {
  const { op } = call;
  const isPaged = op.returns.kind === 'page';
  const view = { ...viewOf(command, op), empty: nothingListed(command, input, call) };
  await session.printer.check(view);
  const most = input.options.limit === undefined ? undefined : wholeNumber('--limit', input.options.limit);
  const client = await session.client({ timeoutPerRequest: isPaged });
  const options = { ...subjectOf(input, call, session.io.platform), ...(most !== undefined && { most }) };
  if (isPaged) {
    const pages = listOf(client, op, call.input, options).pages();
    await session.printer.list(pages, view, most === undefined ? {} : { limit: most });
    return;
  }
  const answer = await callOne(client, call, options);
  const items = itemsOf(session, command, answer);
  if (items === undefined) await session.printer.one(answer, view);
  else await session.printer.list(items, view);
}

async function change(
  session: Session,
  command: Command,
  input: ManualInput,
  { calls, many }: Assembled,
): Promise<unknown> {
  // Loaded for changes alone: these know the undo of every operation.
  const [{ checkResults }, { preview }, { confirmChange }, { changeMany, changeOne }] = await Promise.all([
    import('./job-results.js'),
    import('./preview.js'),
    import('./confirm.js'),
    import('./send-changes.js'),
  ]);
  const [first] = calls;
  if (many || first === undefined) await checkResults(session);
  else await session.printer.check(viewOf(command, first.op));
  if (session.globals.dryRun) return preview(session, calls, many);
  // An answer takes time, so --timeout then applies to each request.
  const client = () => session.client({ timeoutPerRequest: true });
  await confirmChange(session, client, command, calls, sentence(command, input, calls, 'ask'));
  return many
    ? changeMany(session, command, calls, input)
    : changeOne(session, command, first as PlannedCall, input);
}
