import { usageError } from '../../base/errors.js';
import { OutputFailed } from '../../output/printer.js';
import { grouped } from '../../output/text.js';
import type { Command } from '../declare/command.js';
import type { Session } from '../declare/session.js';
import { outputFormat } from './output-form.js';

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
  const [{ checkFields, isRelative }, { checkRelative }, { fieldPaths }] = await Promise.all([
    import('../../output/fields.js'),
    import('../../output/fields.js'),
    import('../../output/printed-shapes.js'),
  ]);
  const { fields, open } = fieldPaths(returns);
  const asked = globals.fields.split(',');
  if (isRelative(asked)) checkRelative(asked, { columns: command.view?.columns ?? [], fields, open });
  else checkFields(asked, fields, open);
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

/** As `warnReader`, of the first things that were not read, and of how many there are more. */
export function warnOfMost(session: Session, lines: readonly string[]): void {
  const more = lines.length - mostTold;
  const rest = more > 0 ? [`Not read: ${grouped(more)} more; --json lists all.`] : [];
  warnReader(session, [...lines.slice(0, mostTold), ...rest]);
}
