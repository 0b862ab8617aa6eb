import type { Session } from '../declare/session.js';

/** Whether no form of output was asked for. A table as the default of a profile is what a terminal shows anyway. */
export function asksForNoForm({ settings: { output, fields }, globals }: Session): boolean {
  const format = output !== undefined && (output.value !== 'table' || output.source === 'flag');
  return !format && fields === undefined && globals.jq === undefined;
}

/** Whether a person reads the result on a terminal and has not asked for fields. */
export function isForPerson(session: Session): boolean {
  return session.io.stdout.isTTY === true && asksForNoForm(session);
}
