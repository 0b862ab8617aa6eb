import { usageError } from '../../errors.js';
import type { Settings } from '../../settings/settings.js';
import type { Command } from '../declare/command.js';
import type { Globals } from '../declare/session.js';

/** Global flags that the output of a command cannot follow: refused before anything is done, never ignored. */

/** Formats that `--jq` can be said to print: each output is JSON, or a text, on a line. */
const jqFormats: readonly (string | undefined)[] = [undefined, 'json', 'ndjson'];

/** Formats that have a line of names, with or without `--header`. */
const headed: readonly string[] = ['tsv', 'csv', 'table'];

/**
 * Refuses flags of output that contradict each other.
 * @param terminal whether standard output is one
 * @throws usage `contradiction`
 */
export function refuseUnfitFlags(globals: Globals, settings: Settings, terminal: boolean): void {
  const { output, json, jq, header, csvRaw } = globals;
  const format = settings.output?.value ?? (terminal ? 'table' : 'tsv');
  if (json && output !== undefined && output !== 'json') {
    throw contradiction(`--json and -o ${output} contradict each other.`);
  }
  if (jq !== undefined && !jqFormats.includes(output)) {
    throw contradiction(`--jq prints what its expression gives; -o ${output} does not go with it.`);
  }
  if (header && (jq !== undefined || !headed.includes(format))) {
    throw contradiction(
      `--header is for tsv; ${jq === undefined ? `-o ${format}` : '--jq'} has no line of names.`,
    );
  }
  if (csvRaw && (jq !== undefined || format !== 'csv')) {
    throw contradiction('--csv-raw is for -o csv.');
  }
}

/**
 * Refuses fields that a hand-written change does not print: it would be made, and print nothing.
 * @throws usage `unknown_field`
 */
export async function refuseUnknownFields(globals: Globals, command: Command): Promise<void> {
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

function contradiction(message: string): Error {
  return usageError('contradiction', message);
}
