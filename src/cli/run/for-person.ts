import { agentOf } from '../../callers.js';
import { isAttended } from '../../output/terminal.js';
import type { Session } from '../declare/session.js';

/** Whether no form of output was asked for. A table as the default of a profile is what a terminal shows anyway. */
export function asksForNoForm({ settings: { output, fields }, globals }: Session): boolean {
  const format = output !== undefined && (output.value !== 'table' || output.source === 'flag');
  return !format && fields === undefined && globals.jq === undefined;
}

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

/** Whether a text is read by a person, who has not even asked for a table: it may be set for reading. */
export function isReading(session: Session): boolean {
  return asksForNoForm(session) && isForPerson(session);
}
