import type { Command, ManualInput } from '../declare/command.js';
import type { Session } from '../declare/session.js';
import type { Assembled, PlannedCall } from './assemble.js';
import { changeMany, changeOne } from './change.js';
import { confirmChange } from './confirm.js';
import { checkResults } from './job-results.js';
import { preview } from './preview.js';
import { sentence } from './sentence.js';
import { viewOf } from './view.js';

/**
 * A command that changes something, once its requests are known: check → preview or confirm → send as a
 * job → print. Loaded for changes alone, since it knows the undo of every operation.
 * @returns what a single change was answered; undefined for previews and many items
 */
export async function runChange(
  session: Session,
  command: Command,
  input: ManualInput,
  { calls, many }: Assembled,
): Promise<unknown> {
  const [first] = calls;
  if (many || first === undefined) await checkResults(session);
  else await session.printer.check(viewOf(command, first.op));
  if (session.globals.dryRun) return preview(session, calls, many);
  await confirmChange(
    session,
    // Thinking takes time: where somebody is asked, the time limit holds for each request.
    () => session.client({ timeoutPerRequest: true }),
    command,
    calls,
    sentence(command, input, calls, 'ask'),
  );
  return many
    ? changeMany(session, command, calls, input)
    : changeOne(session, command, first as PlannedCall, input);
}
