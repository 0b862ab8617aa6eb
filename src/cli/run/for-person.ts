import { agentOf } from '../../callers.js';
import { isAttended } from '../../output/terminal.js';
import type { Session } from '../declare/session.js';

/** Whether a person reads what is printed: a table on a terminal that no flag shaped, and neither agent nor CI. */
export function isForPerson({
  io,
  globals,
  settings,
}: Pick<Session, 'io' | 'globals' | 'settings'>): boolean {
  const shaped = settings.fields !== undefined || globals.jq !== undefined;
  const isTable = (settings.output?.value ?? 'table') === 'table';
  return (
    !shaped && isTable && io.stdout.isTTY === true && isAttended(io, globals) && agentOf(io) === undefined
  );
}
