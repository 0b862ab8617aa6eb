import { Type } from '../api/type.js';
import { manual } from '../cli/declare/define.js';
import { manyOptions } from '../cli/declare/flags.js';
import { option } from '../cli/declare/option.js';
import { ItemResult } from '../output/printed-shapes.js';

export const bulk = manual({
  name: 'bulk',
  summary: 'Run a command for each row of a file',
  guide: 'bulk',
  why:
    'Columns are the positionals and flags of the command; empty cells are skipped. All rows are checked ' +
    'before the first request, then run as one job that can be resumed and undone.',
  args: {
    '<command...>': { description: 'Command to run, such as teams members set', completes: 'bulk-commands' },
  },
  options: [
    option('--from <file|->', 'Rows: CSV with a header, a JSON list, or NDJSON', { reads: 'path' }),
    option('--set <column=value>...', 'Value for every row'),
    option('--keep-blanks', 'Keep blanks at the ends of CSV and TSV cells'),
    option('--skip-invalid', 'Skip rows with mistakes instead of stopping'),
    ...manyOptions(),
  ],
  returns: Type.Array(ItemResult),
  exits: ['partial'],
  examples: {
    'bulk teams members set --from teams.csv --dry-run': 'check all rows and show the requests',
    'bulk members update --from leavers.csv --set role=read --yes': 'set the same role for all rows',
  },
  danger: 'change',
  carrier: true,
  plannable: true,
  async run(session, input, { groups }) {
    await (await import('../cli/run/bulk.js')).runBulk(session, input, groups);
  },
});
