import { Type } from '../api/type.js';
import {
  type Command,
  type Group,
  type GroupEntry,
  isGroup,
  type ManualInput,
} from '../cli/declare/command.js';
import { manual } from '../cli/declare/define.js';
import type { Session } from '../cli/declare/session.js';
import { manyOptions } from '../cli/declare/standing-flags.js';
import { checkColumns, columnsOf } from '../cli/run/bulk/columns.js';
import { type CheckedRows, checkRows } from '../cli/run/bulk/rows.js';
import { confirmChange } from '../cli/run/confirm.js';
import { checkResults } from '../cli/run/job-results.js';
import { preview } from '../cli/run/preview.js';
import { type RowsFile, readRowsFile } from '../cli/run/rows-file.js';
import { changeMany } from '../cli/run/send-changes.js';
import { changeText } from '../cli/run/wording.js';
import { usageError } from '../errors.js';
import type { Source } from '../jobs/journal.js';
import { mistakeWords } from '../jobs/rows/mistake.js';
import { nearest } from '../nearest.js';
import { ItemResult } from '../output/printed-shapes.js';

/** `docs bulk`: a command for each row of a file. */

export const bulk = manual({
  name: 'bulk',
  summary: 'Run a command for each row of a file',
  why:
    'Columns are the positionals and flags of the command; empty cells are skipped. All rows are checked ' +
    'before the first request, then run as one job that can be resumed and undone.',
  args: { '<command...>': 'The command that is run: teams members set' },
  options: [
    { name: 'from', value: '<file|->', description: 'Rows as CSV with a header, JSON list, or JSON lines' },
    { name: 'set', value: '<column=value>', variadic: true, description: 'A value for every row' },
    { name: 'skip-invalid', boolean: true, description: 'Leave out rows with mistakes instead of stopping' },
    ...manyOptions(),
  ],
  returns: Type.Array(ItemResult),
  exits: ['partial'],
  examples: [
    {
      run: 'bulk teams members set --from teams.csv --dry-run',
      does: 'check all rows and show the requests',
    },
    {
      run: 'bulk members update --from leavers.csv --set role=read --yes',
      does: 'set the same role for all rows',
    },
  ],
  danger: 'change',
  async run(session, input, { groups }) {
    const { command, base } = await target(input, groups);
    const { rows, source } = await readRows(session, input);
    const columns = columnsOf(command);
    const constant = constants(input, columns.known);
    checkColumns(command, columns, rows, [...constant.keys()]);
    if (rows.rows.length === 0 && input.options.allowEmpty !== true) {
      throw usageError('no_items', 'There are no rows; add --allow-empty if that is fine.');
    }
    const checked = await checkRows(session, command, columns, rows, constant, base);
    if (checked.mistakes.length > 0) report(session, checked, rows.rows.length, input);
    await send(session, command, { ...base, options: input.options }, checked, source);
  },
});

async function send(
  session: Session,
  command: Command,
  input: ManualInput,
  { calls, inputs, indexes, leftOut }: CheckedRows,
  source: Source | undefined,
): Promise<void> {
  if (session.globals.dryRun) return preview(session, calls, true);
  await checkResults(session);
  if (calls.length > 0) {
    await confirmChange(
      session,
      () => session.client(),
      command,
      calls,
      changeText(command, input, calls, 'ask'),
    );
  }
  await changeMany(session, command, calls, input, { inputs, indexes, leftOut, ...(source && { source }) });
}

/** The command that is run, found by its words. */
async function target(
  { args }: ManualInput,
  groups: readonly GroupEntry[],
): Promise<{ command: Command; base: ManualInput }> {
  const words = [args.command ?? []].flat();
  const [first, ...rest] = words;
  const entry = groups.find(({ name, aliases = [] }) => name === first || aliases.includes(first ?? ''));
  if (entry === undefined)
    throw unknownCommand(
      words,
      groups.map(({ name }) => name),
      first,
    );
  let node: Command | Group = await entry.load();
  let group: Group | undefined;
  const path = [entry.name];
  for (const word of rest) {
    if (!isGroup(node)) throw unknownCommand(words, [], undefined);
    group = node;
    const found: Command | Group | undefined = node.commands.find(
      (one) => one.name === word || (one.aliases ?? []).includes(word),
    );
    if (found === undefined)
      throw unknownCommand(
        words,
        group.commands.map(({ name }) => name),
        word,
      );
    node = found;
    path.push(node.name);
  }
  if (isGroup(node))
    throw unknownCommand(
      words,
      node.commands.map(({ name }) => name),
      undefined,
    );
  refuseUnfit(node, words);
  const groupPath = path.slice(0, -1).join(' ');
  return { command: node, base: { args: {}, options: {}, groupPath, ...(group && { group }) } };
}

function refuseUnfit(command: Command, words: readonly string[]): void {
  const changes = command.spec !== undefined && command.operations.every(({ method }) => method !== 'GET');
  if (changes) return;
  const message = `docs ${words.join(' ')} changes nothing on the platform, so it cannot be run in bulk.`;
  throw usageError('not_bulk', message, { hint: 'docs commands' });
}

function unknownCommand(words: readonly string[], known: readonly string[], word: string | undefined) {
  const meant = word === undefined ? undefined : nearest(word, known);
  const near = meant === undefined ? '' : ` Did you mean ${meant}?`;
  if (words.length === 0)
    return usageError(
      'missing_argument',
      '<command...> is required: docs bulk teams members set --from teams.csv.',
    );
  return usageError('unknown_command', `There is no command docs ${words.join(' ')}.${near}`, {
    hint: 'docs commands',
  });
}

async function readRows({ io }: Session, { options }: ManualInput): Promise<RowsFile> {
  const { from } = options;
  if (typeof from !== 'string')
    throw usageError('missing_flag', '--from is required: a file with the rows, or -.');
  return readRowsFile(io, from, '--from');
}

/** `--set role=read`: a value for every row. */
function constants({ options }: ManualInput, known: readonly string[]): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const pair of (options.set as string[] | undefined) ?? []) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(0, at));
    if (!known.includes(name)) {
      const what =
        at < 1 ? 'write column=value' : `there is no positional or flag ${name}; known: ${known.join(', ')}`;
      throw usageError('bad_value', `--set ${JSON.stringify(pair)}: ${what}.`);
    }
    values.set(name, [...(values.get(name) ?? []), pair.slice(at + 1)]);
  }
  return values;
}

/** All mistakes, each on a line of its own; then either they are left out, or nothing is sent. */
function report(
  session: Session,
  { mistakes, leftOut }: CheckedRows,
  total: number,
  input: ManualInput,
): void {
  const [first] = mistakes;
  const json = session.settings.output?.value === 'json' || session.settings.output?.value === 'ndjson';
  if (first === undefined) return;
  const rows = `${leftOut.length} of ${total} rows ${leftOut.length === 1 ? 'has a mistake' : 'have mistakes'}`;
  if (!json) for (const mistake of mistakes) session.printer.warn(mistakeWords(mistake));
  if (input.options.skipInvalid === true) {
    session.printer.note(`${rows} and ${leftOut.length === 1 ? 'is' : 'are'} left out.`);
    return;
  }
  throw usageError('bad_rows', `${rows}; nothing was sent. ${mistakeWords(first)}`, {
    details: { mistakes },
  });
}
