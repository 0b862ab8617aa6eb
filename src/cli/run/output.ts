import type { Refusal } from '../../access/guards.js';
import { agentOf } from '../../base/callers.js';
import { usageError } from '../../base/errors.js';
import type { Document, TerminalPart } from '../../document/document.js';
import type { JobRun } from '../../jobs/run-job.js';
import type { Palette } from '../../output/colors.js';
import { OutputFailed } from '../../output/printer.js';
import { colorLevel, isAttended, terminalWidth, writeStandardError } from '../../output/terminal.js';
import { grouped } from '../../output/text.js';
import type { Command, ManualInput } from '../declare/command.js';
import type { Globals, Session } from '../declare/session.js';

/** Text that a command lays out itself, for people at a terminal. */

/** Whether a person reads it: on a terminal, unless a format or an order of rows was asked for. */
export function wantsText({ io, settings, globals, sorts }: Session): boolean {
  const { output, fields } = settings;
  return io.stdout.isTTY === true && (output ?? fields ?? globals.jq ?? sorts) === undefined;
}

/** How text looks on standard output. */
export async function paletteOf({ io, globals }: Pick<Session, 'io' | 'globals'>): Promise<Palette> {
  const { loadPalette } = await import('../../output/colors.js');
  return loadPalette(colorLevel(io, globals, 'stdout'));
}

/** Columns of standard output. */
export function columnsOf({ io }: Pick<Session, 'io'>): number {
  return terminalWidth(io);
}

/** Nothing is cut outside a terminal. */
const uncut = 10_000;

/** Columns of a text that is for a terminal, a pipe and a file alike. */
export function pageColumnsOf({ io }: Pick<Session, 'io'>): number {
  return terminalWidth(io, { otherwise: uncut });
}

/** How pictures are drawn on standard output; undefined where no person sees them. */
export async function drawingOf({ io }: Pick<Session, 'io'>): Promise<'unicode' | 'ascii' | undefined> {
  if (io.stdout.isTTY !== true) return undefined;
  return (await import('../../document/lines.js')).isAsciiOnly(io) ? 'ascii' : 'unicode';
}

/**
 * Prints a document as text.
 * @param options.columns default: those of the terminal
 * @param options.nowMs from when ages are counted
 * @param options.seeAll said where rows were left out
 */
export async function printDocument(
  session: Session,
  document: Document<TerminalPart>,
  { columns = columnsOf(session), nowMs, seeAll }: { columns?: number; nowMs?: number; seeAll?: string } = {},
): Promise<void> {
  const { io, printer } = session;
  const [palette, { isAsciiOnly }, { renderTerminal }] = await Promise.all([
    paletteOf(session),
    import('../../document/lines.js'),
    import('../../document/terminal.js'),
  ]);
  const look = { columns, palette, ascii: isAsciiOnly(io), nowMs, folds: io.stdout.isTTY === true };
  await printer.painted(renderTerminal(document, look, seeAll));
}

/** What the flags of output ask for: contradictions are refused before anything is done. */

/** Formats that `--jq` can be said to print: each output is JSON, or a text, on a line; of CSV a row. */
const jqFormats: readonly (string | undefined)[] = [undefined, 'json', 'ndjson', 'csv'];

/** Formats that have a header line, with or without `--header`. */
const headed: readonly string[] = ['tsv', 'csv', 'table'];

/** @throws usage `contradiction` */
export function refuseContradictions({ io, globals, settings }: Session): void {
  const { output, json, jq, header, csvRaw } = globals;
  const format = outputFormat({ io, settings });
  const faults: readonly (readonly [unknown, string])[] = [
    [json && output !== undefined && output !== 'json', `--json and -o ${output} contradict each other.`],
    [
      jq !== undefined && !jqFormats.includes(output),
      `--jq and -o ${output} contradict each other: --jq prints the output of its expression.`,
    ],
    [
      header && (!headed.includes(format) || (jq !== undefined && output !== 'csv')),
      `--header is for tsv; ${jq === undefined ? `-o ${format}` : '--jq'} has no header line.`,
    ],
    [csvRaw && (format !== 'csv' || (jq !== undefined && output !== 'csv')), '--csv-raw is for -o csv.'],
  ];
  for (const [wrong, message] of faults) if (wrong) throw usageError('contradiction', message);
}

/**
 * Refuses a filter that does not compile; of a hand-written change also fields that it would not print.
 * @throws usage `unknown_field`, `bad_jq`, `jq_failed`
 */
export async function refuseUnfitOutput(session: Session, command: Command): Promise<void> {
  const { globals, printer } = session;
  const { returns } = command;
  const isResult = command.danger !== 'read' && session.savePlan === undefined;
  const isKnown = returns !== undefined && command.spec === undefined && isResult;
  if (globals.jq !== undefined) await printer.compileFilter();
  if (!isKnown || globals.fields === undefined || returns.type !== 'object') return;
  const [{ checkAsked }, { fieldPaths }] = await Promise.all([
    import('../../output/fields.js'),
    import('../../output/printed-shapes.js'),
  ]);
  const { fields, open } = fieldPaths(returns);
  checkAsked(globals.fields.split(','), { columns: command.view?.columns ?? [], fields, open });
}

/** Whether more than a format was asked of the output, which may not fit what there is to print. */
export function mayNotFit({ globals, settings, sorts }: Session): boolean {
  return (settings.fields ?? globals.jq ?? sorts) !== undefined || settings.output?.value === 'id';
}

/** Prints what was changed. @returns why it could not be printed, for those who have worse to tell */
export async function failureToPrint(print: () => Promise<unknown>): Promise<OutputFailed | undefined> {
  try {
    await print();
    return undefined;
  } catch (cause) {
    if (cause instanceof OutputFailed) return cause;
    throw cause;
  }
}

/** Warns a reader, one line each; with JSON the error that follows is the one line on stderr. */
export function warnReader({ printer, settings }: Session, lines: readonly string[]): void {
  if (['json', 'ndjson'].includes(settings.output?.value ?? '')) return;
  for (const line of lines) printer.warn(line);
}

/** Lines on what was not read that a reader is warned of; the rest is for `--json`. */
const mostTold = 8;

/** The first of such lines, and how many there are more. */
export function firstLines(lines: readonly string[]): string[] {
  const more = lines.length - mostTold;
  const rest = more > 0 ? [`Not read: ${grouped(more)} more; --json lists all.`] : [];
  return [...lines.slice(0, mostTold), ...rest];
}

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

/** Whether it is one value, and not a row a line. */
export function asksForValue({ settings, globals }: Pick<Asked, 'settings' | 'globals'>): boolean {
  const isLines = globals.jq === undefined && settings.output?.value === 'ndjson';
  return isStructured({ settings, globals }) && !isLines;
}

/** Whether a request is printed as an object: for people as a text, unless a format asks for more. */
export function printsObject({ settings, globals }: Pick<Asked, 'settings' | 'globals'>): boolean {
  return globals.jq !== undefined || !['table', 'id', undefined].includes(settings.output?.value);
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

/** Notes about what was done, after its results. */

/**
 * Says what was done: on a terminal with the check mark, elsewhere as a plain note. Not with `--quiet`.
 * @param onTerminal where a person reads it, if that differs
 */
export async function noteSaid(
  { io, globals, printer }: Session,
  sentence: string,
  onTerminal = sentence,
): Promise<void> {
  if (io.stdout.isTTY !== true) return printer.note(sentence);
  if (globals.quiet === true) return;
  const { markedText, withMark } = await import('../../output/messages.js');
  const text = await markedText(withMark(onTerminal), io.stderr, colorLevel(io, globals, 'stderr'));
  writeStandardError(io, text);
}

/** Prints Markdown as it is meant to be read. @param title stands above it, unless it begins with it */
export async function printMarkdown(session: Session, markdown: string, title?: string): Promise<void> {
  const { io, globals, printer } = session;
  const [{ loadChalk }, { renderMarkdown }] = await Promise.all([
    import('../../output/colors.js'),
    import('../../output/markdown.js'),
  ]);
  const chalk = await loadChalk(colorLevel(io, globals, 'stdout'));
  const columns = io.stdout.columns ?? 0;
  await printer.painted(await renderMarkdown(markdown, { columns, chalk, title }));
}

/** @throws DocsError that of a refusal, after its reasons where there are several */
export function refuse(session: Session, refusal: Refusal | undefined): void {
  if (refusal === undefined) return;
  if (refusal.reasons.length > 1) warnReader(session, refusal.reasons);
  throw refusal.error;
}

/** Says which deletions a lost answer had hidden. (RELIABILITY.md, "Retries") */
export function noteAlreadyDone({ printer }: Session, { alreadyDone, total }: JobRun): void {
  const what = total === 1 ? 'It was' : alreadyDone === 1 ? '1 item was' : `${alreadyDone} items were`;
  if (alreadyDone > 0)
    printer.note(`${what} already deleted when the request was repeated after a lost answer.`);
}
