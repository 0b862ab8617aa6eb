import { usageError } from '../../../base/errors.js';
import { mistakeWords, type Rows } from '../../../jobs/rows.js';
import { counted } from '../../../output/counted.js';
import type { Command, GroupEntry, ManualInput } from '../../declare/command.js';
import type { Session } from '../../declare/session.js';
import { commandAt } from '../../declare/tree.js';
import { namedCommand } from '../../parse/named-command.js';
import { warnReader } from '../output-flags.js';
import { readRowsFile } from '../rows-file.js';
import { carryOut } from '../send-changes.js';
import type { CheckedRows } from './checked-rows.js';
import { checkColumns, columnsOf } from './columns.js';
import { checkRows } from './rows.js';

/**
 * `docs bulk`: runs a command for each row of a file, as one job.
 * @throws DocsError usage where the command or a row is wrong: nothing was sent; as `carryOut`
 */
export async function runBulk(
  session: Session,
  input: ManualInput,
  groups: readonly GroupEntry[],
): Promise<void> {
  const { args, options } = input;
  const path = await namedCommand([args.command ?? []].flat(), groups, session.io.platform);
  const { command, ...place } = await commandAt(groups, path);
  refuseUnfit(command, path);
  if (session.gate !== undefined) {
    const { passGate } = await import('../pass-gate.js');
    await passGate(session, path, command, { args: {}, options: {} });
  }
  if (typeof options.from !== 'string')
    throw usageError('missing_flag', '--from is required: a file with the rows, or -.');
  const keepBlanks = options.keepBlanks === true;
  const { rows, source } = await readRowsFile(session, options.from, '--from', { keepBlanks });
  tellBlanks(session, rows, keepBlanks);
  const columns = columnsOf(command);
  const constant = constants(input, columns.known);
  checkColumns(command, columns, rows, [...constant.keys()]);
  if (rows.rows.length === 0 && options.allowEmpty !== true)
    throw usageError('no_items', 'There are no rows; add --allow-empty if that is intended.');
  const base = { args: {}, options: {}, ...place };
  const checked = await checkRows(session, command, columns, rows, constant, base);
  refuseMistakes(session, checked, rows.rows.length, options.skipInvalid === true);
  warnReader(session, checked.repeats.map(mistakeWords));
  await carryOut(
    session,
    command,
    { calls: checked.calls, many: true },
    { ...base, options },
    { ...checked, ...(source && { source }) },
  );
}

/** Blanks belong to CSV, whose cells have no quotes to show them. @throws usage `contradiction` for JSON */
function tellBlanks(session: Session, { header, trimmed = 0 }: Rows, keepBlanks: boolean): void {
  if (keepBlanks && header === undefined)
    throw usageError(
      'contradiction',
      '--keep-blanks is for CSV and TSV; the texts of JSON keep their blanks.',
    );
  if (trimmed > 0)
    session.printer.note(
      `Removed blanks at the ends of ${counted(trimmed, 'cell')}; --keep-blanks keeps them.`,
    );
}

function refuseUnfit(command: Command, path: string): void {
  const changes = command.spec !== undefined && command.operations.every(({ method }) => method !== 'GET');
  if (changes) return;
  const message = `docs ${path} changes nothing on the platform, so it cannot be run in bulk.`;
  throw usageError('not_bulk', message, { hint: 'docs commands' });
}

/** `--set role=read`: a value for every row. */
function constants({ options }: ManualInput, known: readonly string[]): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const pair of (options.set as string[] | undefined) ?? []) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(0, at));
    if (!known.includes(name)) {
      const what =
        at < 1
          ? 'expected column=value'
          : `${name} is not a positional or flag of this command; known: ${known.join(', ')}`;
      throw usageError('bad_value', `--set ${JSON.stringify(pair)}: ${what}.`);
    }
    values.set(name, [...(values.get(name) ?? []), pair.slice(at + 1)]);
  }
  return values;
}

/** Warns of every mistake; then the rows at fault are skipped, or nothing is sent. */
function refuseMistakes(
  session: Session,
  { mistakes, leftOut }: CheckedRows,
  total: number,
  skip: boolean,
): void {
  const [first] = mistakes;
  if (first === undefined) return;
  warnReader(session, mistakes.map(mistakeWords));
  if (skip) {
    session.printer.note(`Skipped ${leftOut.length} of ${counted(total, 'row')} with mistakes.`);
    return;
  }
  const rows = `${leftOut.length} of ${total} rows ${leftOut.length === 1 ? 'has a mistake' : 'have mistakes'}`;
  throw usageError('bad_rows', `${rows}; nothing was sent. ${mistakeWords(first)}`, {
    details: { mistakes },
  });
}
