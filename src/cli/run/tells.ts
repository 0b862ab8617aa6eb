import type { ManualInput } from '../declare/command.js';
import type { Globals, Session } from '../declare/session.js';

/** Who gets a sentence after a change, and who the record (VOICE.md, 7). */

/** Whether the command line asks for the record of what it changes, in place of a sentence on a terminal. */
export function asksForRecord(
  { output, header, json, fields, jq }: Globals,
  { options }: Pick<ManualInput, 'options'>,
): boolean {
  const flags = [options.show === true, output !== undefined, header === true, json === true];
  return flags.includes(true) || fields !== undefined || jq !== undefined;
}

/** Whether a sentence says what a change did: on a terminal, unless a flag asks for another output. */
export function tellsSentence(
  { io, globals, settings }: Session,
  input: Pick<ManualInput, 'options'>,
): boolean {
  const { output, fields } = settings;
  const isTable = output === undefined || output.value === 'table';
  return io.stdout.isTTY === true && isTable && fields === undefined && !asksForRecord(globals, input);
}
