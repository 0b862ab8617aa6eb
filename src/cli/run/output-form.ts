import { agentOf } from '../../base/callers.js';
import { isAttended } from '../../output/terminal.js';
import type { ManualInput } from '../declare/command.js';
import type { Globals, Session } from '../declare/session.js';

/** The form of output: which format holds, whether a person or a program reads it, a whole or rows. */

type Asked = Pick<Session, 'io' | 'globals' | 'settings'>;

/** The format that holds: of a flag or setting, else a table on a terminal and TSV elsewhere. */
export function outputFormat({ io, settings }: Pick<Session, 'io' | 'settings'>): string {
  return settings.output?.value ?? (io.stdout.isTTY === true ? 'table' : 'tsv');
}

/** Whether the output is one value for a program: JSON, YAML or the input of jq. */
export function isStructured({ settings, globals }: Pick<Asked, 'settings' | 'globals'>): boolean {
  return globals.jq !== undefined || ['json', 'ndjson', 'yaml'].includes(settings.output?.value ?? '');
}

/** Formats of one row a line. */
const rowFormats: readonly (string | undefined)[] = ['ndjson', 'csv', 'tsv', 'id'];

/**
 * Whether a whole that has rows, such as a plan, is asked for by row: by a format, by `--fields`, by `--header`, or by
 * `--sort-by`.
 */
export function wantsRows({ settings, globals, sorts }: Session): boolean {
  if (globals.jq !== undefined) return false;
  if (sorts === true) return true;
  const { output, fields } = settings;
  const table = output?.value === 'table' && output.source === 'flag';
  return fields?.source === 'flag' || table || globals.header === true || rowFormats.includes(output?.value);
}

/** Whether no form of output was asked for. A table as the default of a profile is what a terminal shows anyway. */
export function asksForNoForm({ settings: { output, fields }, globals }: Session): boolean {
  const format = output !== undefined && (output.value !== 'table' || output.source === 'flag');
  return !format && fields === undefined && globals.jq === undefined;
}

/** Whether what is printed is a table on a terminal that `--fields` and `--jq` did not shape. */
function isPlainTable({ io, globals, settings }: Asked): boolean {
  const shaped = settings.fields !== undefined || globals.jq !== undefined;
  return !shaped && io.stdout.isTTY === true && outputFormat({ io, settings }) === 'table';
}

/** Whether a person reads what is printed: a table on a terminal that no flag shaped, and neither agent nor CI. */
export function isForPerson(asked: Asked): boolean {
  const { io, globals } = asked;
  return isPlainTable(asked) && isAttended(io, globals) && agentOf(io) === undefined;
}

/** Whether a text is read by a person, who has not even asked for a table: it may be set for reading. */
export function isReading(session: Session): boolean {
  return asksForNoForm(session) && isForPerson(session);
}

/** Whether the command line asks for the record of what it changes, in place of a sentence on a terminal. */
export function asksForRecord(
  { output, header, json, fields, jq }: Globals,
  { options }: Pick<ManualInput, 'options'>,
): boolean {
  const flags = [options.show === true, output !== undefined, header === true, json === true];
  return flags.includes(true) || fields !== undefined || jq !== undefined;
}

/** Whether a sentence says what a change did: on a terminal, unless a flag asks for another output. */
export function tellsSentence(session: Session, input: Pick<ManualInput, 'options'>): boolean {
  return isPlainTable(session) && !asksForRecord(session.globals, input);
}
