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

/** Whether what a change comes to is told in a sentence: on a terminal, where nothing else is asked for. */
export function tellsSentence(
  { io, globals, settings }: Session,
  input: Pick<ManualInput, 'options'>,
): boolean {
  const { output, fields } = settings;
  const isTable = output === undefined || output.value === 'table';
  return io.stdout.isTTY === true && isTable && fields === undefined && !asksForRecord(globals, input);
}
