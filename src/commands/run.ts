import type { Client, LooseInput } from '../api/client.js';
import type { AnyOperation } from '../api/operation.js';
import { assemble, type PlannedCall } from './assemble.js';
import type { Command, ManualInput } from './command.js';
import { wholeNumber } from './gather.js';
import { itemsOf } from './listed.js';
import { nothingListed } from './sentence.js';
import type { Session } from './session.js';
import { subjectOf } from './subject.js';
import { viewOf } from './view.js';

export { statusOf } from './sentence.js';

/**
 * The one way from a command to the platform: context → check → preview or confirm → call → print.
 * @returns what a single change was answered; undefined for reads, previews and many items
 */
export async function runOperation(session: Session, command: Command, input: ManualInput): Promise<unknown> {
  const assembled = await assemble(session, command, input);
  const [call] = assembled.calls;
  if (call?.op.method === 'GET') {
    await session.printer.check(viewOf(command, call.op));
    return read(session, command, call, input);
  }
  const { runChange } = await import('./run-change.js');
  return runChange(session, command, input, assembled);
}

/**
 * Reads the one resource that a command names and prints nothing: for commands that save it, or show
 * a part of it. Errors as in `runOperation`.
 */
export async function readResource(session: Session, command: Command, input: ManualInput): Promise<unknown> {
  const { calls } = await assemble(session, command, input);
  const call = calls[0] as PlannedCall;
  const subject = subjectOf(input, call, session.io.platform);
  return callLoose(await session.client(), call.op, call.input, subject);
}

async function read(
  session: Session,
  command: Command,
  call: PlannedCall,
  input: ManualInput,
): Promise<void> {
  const view = { ...viewOf(command, call.op), empty: nothingListed(command, input, call) };
  const most = input.options.limit === undefined ? undefined : wholeNumber('--limit', input.options.limit);
  const client = await session.client({ timeoutPerRequest: call.op.returns.kind === 'page' });
  const options = { ...subjectOf(input, call, session.io.platform), ...(most !== undefined && { most }) };
  if (call.op.returns.kind === 'page') {
    const pages = callLoose(client, call.op, call.input, options) as {
      pages(): AsyncIterable<{ items: unknown[] }>;
    };
    await session.printer.list(pages.pages(), view, most === undefined ? {} : { limit: most });
    return;
  }
  const answer = await callLoose(client, call.op, call.input, options);
  const items = itemsOf(session, command, answer);
  if (items === undefined) await session.printer.one(answer, view);
  else await session.printer.list(items, view);
}

/**
 * The one seam where types end: a command holds its operation as data, so the client's typed call is
 * entered with an input that `assemble` has checked against the operation's own schemas.
 */
function callLoose(
  client: Client,
  op: AnyOperation,
  input: LooseInput,
  options?: Parameters<Client['call']>[2],
): Promise<unknown> | { pages(): AsyncIterable<{ items: unknown[] }> } {
  // biome-ignore lint/suspicious/noExplicitAny: the one seam; see above.
  return (client.call as any)(op, input, options);
}
