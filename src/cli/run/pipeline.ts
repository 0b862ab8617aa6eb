import { callOne, listOf } from '../../api/call-loose.js';
import type { Command, ManualInput } from '../declare/command.js';
import type { Session } from '../declare/session.js';
import { wholeNumber } from '../parse/values.js';
import { type Assembled, assemble, type PlannedCall } from './assemble.js';
import { itemsOf } from './listed.js';
import { nothingListed, sentence } from './sentence.js';
import { subjectOf } from './subject.js';
import { viewOf } from './view.js';

/**
 * From a command in an open session to the platform: check the input, then read and print; or preview or
 * confirm, send as a job, and print.
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
