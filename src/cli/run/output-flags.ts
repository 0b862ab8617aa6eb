import { usageError } from '../../errors.js';
import type { Command } from '../declare/command.js';
import type { Session } from '../declare/session.js';

/** What the flags of output ask for: contradictions are refused before anything is done. */

/** Formats that `--jq` can be said to print: each output is JSON, or a text, on a line. */
const jqFormats: readonly (string | undefined)[] = [undefined, 'json', 'ndjson'];

/** Formats that have a header line, with or without `--header`. */
const headed: readonly string[] = ['tsv', 'csv', 'table'];

/** @throws usage `contradiction` */
export function refuseContradictions({ io, globals, settings }: Session): void {
  const { output, json, jq, header, csvRaw } = globals;
  const format = settings.output?.value ?? (io.stdout.isTTY ? 'table' : 'tsv');
  const faults: readonly (readonly [unknown, string])[] = [
    [json && output !== undefined && output !== 'json', `--json and -o ${output} contradict each other.`],
    [
      jq !== undefined && !jqFormats.includes(output),
      `--jq and -o ${output} contradict each other: --jq prints the output of its expression.`,
    ],
    [
      header && (jq !== undefined || !headed.includes(format)),
      `--header is for tsv; ${jq === undefined ? `-o ${format}` : '--jq'} has no header line.`,
    ],
    [csvRaw && (jq !== undefined || format !== 'csv'), '--csv-raw is for -o csv.'],
  ];
  for (const [wrong, message] of faults) if (wrong) throw usageError('contradiction', message);
}

/** Refuses fields that a hand-written change would not print. @throws usage `unknown_field` */
export async function refuseUnknownFields({ globals }: Session, command: Command): Promise<void> {
  if (globals.fields === undefined || command.spec !== undefined || command.danger === 'read') return;
  const { returns } = command;
  if (returns === undefined || returns.type !== 'object') return;
  const [{ checkFields }, { fieldPaths }] = await Promise.all([
    import('../../output/fields.js'),
    import('../../output/field-paths.js'),
  ]);
  const { fields, open } = fieldPaths(returns);
  checkFields(globals.fields.split(','), fields, open);
}

/** Warns a reader, one line each; with JSON the error that follows is the one line on stderr. */
export function warnReader({ printer, settings }: Session, lines: readonly string[]): void {
  if (['json', 'ndjson'].includes(settings.output?.value ?? '')) return;
  for (const line of lines) printer.warn(line);
}

/** Whether the output is one value for a program: JSON, YAML or the input of jq. */
export function isStructured({ settings, globals }: Session): boolean {
  return globals.jq !== undefined || ['json', 'ndjson', 'yaml'].includes(settings.output?.value ?? '');
}
