import type { Client, LooseInput } from '../api/client.js';
import type { AnyOperation } from '../api/operation.js';
import type { DocsError } from '../errors.js';
import { failureOfRun, type ItemResult, runMany } from '../jobs/many.js';
import { assemble, type PlannedCall } from './assemble.js';
import type { Command, ManualInput } from './command.js';
import { confirmChange } from './confirm.js';
import { wholeNumber } from './gather.js';
import { itemsOf } from './listed.js';
import { preview } from './preview.js';
import type { Session } from './session.js';
import { subjectOf } from './subject.js';
import { viewOf } from './view.js';

/**
 * The one way from a command to the platform: context → check → preview or confirm → call → print.
 * @returns what a single change was answered; undefined for reads, previews and many items
 */
export async function runOperation(session: Session, command: Command, input: ManualInput): Promise<unknown> {
  const { calls, many } = await assemble(session, command, input);
  const op = calls[0]?.op ?? (command.operations[0] as AnyOperation);
  const view = viewOf(command, op);
  await session.printer.check(view);
  if (op.method === 'GET') return read(session, command, calls[0] as PlannedCall, input);
  if (session.globals.dryRun) return preview(session, calls);
  await confirmChange(
    session,
    () => session.client(),
    command,
    calls,
    sentence(command, input, calls, 'ask'),
  );
  return many
    ? changeMany(session, command, calls, input)
    : changeOne(session, command, calls[0] as PlannedCall, input);
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
  const view = viewOf(command, call.op);
  const most = input.options.limit === undefined ? undefined : wholeNumber('--limit', input.options.limit);
  const client = await session.client();
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
  else await session.printer.list(onePage(items), view);
}

async function* onePage(items: unknown[]) {
  yield { items, count: items.length };
}

async function changeOne(
  session: Session,
  command: Command,
  call: PlannedCall,
  input: ManualInput,
): Promise<unknown> {
  const client = await session.client();
  const answer = await callLoose(client, call.op, call.input, subjectOf(input, call, session.io.platform));
  if (call.op.returns.kind !== 'none') {
    await session.printer.one(answer, viewOf(command, call.op));
    return answer;
  }
  const status = statusOf(command, call.op);
  await session.printer.done({ id: call.id, status }, `${sentence(command, input, [call], 'done')}.`);
}

/** One result a line and item, in input order; the exit code tells whether all went well. */
async function changeMany(
  session: Session,
  command: Command,
  calls: readonly PlannedCall[],
  input: ManualInput,
): Promise<void> {
  const client = await session.client();
  const results: (ItemResult & { failure?: DocsError })[] = [];
  const act = async (_: string, index: number): Promise<void> => {
    const call = calls[index] as PlannedCall;
    await callLoose(client, call.op, call.input, subjectOf(input, call, session.io.platform));
  };
  const concurrency =
    input.options.concurrency === undefined ? 8 : wholeNumber('--concurrency', input.options.concurrency);
  const options = { concurrency, failFast: input.options.failFast === true, signal: session.io.signal };
  async function* pages() {
    const ids = calls.map((call) => call.id);
    for await (const result of runMany(ids, act, options)) {
      results.push(result);
      const { failure, ...shown } = result;
      yield { items: [shown] };
    }
  }
  const columns = [
    { path: 'id' },
    { path: 'status', as: 'state' as const },
    { path: 'error.message', label: 'ERROR' },
  ];
  await session.printer.list(pages(), {
    columns,
    fields: ['index', 'id', 'status', 'error'],
    open: ['error'],
  });
  const failure = failureOfRun(results);
  if (failure !== undefined) throw failure;
  session.printer.note(
    `${results.length} ${results.length === 1 ? 'item' : 'items'}: all ${statusOf(command, (calls[0] as PlannedCall).op)}.`,
  );
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

/** What a success is called where nothing comes back. */
export function statusOf(command: Command, op: AnyOperation): string {
  if (command.spec?.done !== undefined) return command.spec.done;
  return op.method === 'DELETE' ? 'deleted' : 'updated';
}

/** `Delete space s1` before, `Deleted space s1` after. */
function sentence(
  command: Command,
  input: ManualInput,
  calls: readonly PlannedCall[],
  when: 'ask' | 'done',
): string {
  const verb = command.name.replaceAll('-', ' ');
  const noun = input.group?.noun ?? 'item';
  const what = calls.length === 1 ? `${noun} ${calls[0]?.id}` : `${calls.length} ${noun}s`;
  const words = when === 'ask' ? verb : statusOf(command, (calls[0] as PlannedCall).op);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)} ${what}`;
}
