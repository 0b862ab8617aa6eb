import { Type } from '../api/type.js';
import { manual } from '../cli/declare/define.js';
import { commandTree } from '../cli/declare/tree.js';
import { describe } from '../cli/help/describe.js';
import { DescribedCommand } from '../cli/help/described-command.js';

export const commands = manual({
  name: 'commands',
  summary: 'List all commands',
  why:
    '--json describes every command without its help: arguments, flags with types, limits and choices, ' +
    'requests, schemas of input and result, exit codes.',
  returns: Type.Array(DescribedCommand),
  columns: ['path', 'summary', 'danger'],
  id: 'path',
  examples: {
    commands: 'list every command with its summary',
    'commands --jq \'.[] | select(.danger != "read") | .path\'': 'list the commands that change something',
    'commands --json --fields path,usage,summary,danger,options.flags':
      'print a compact list for scripts and agents',
  },
  local: true,
  async run(session, _, { groups, view }) {
    await session.printer.check(view);
    const items = (await commandTree(groups)).map(describe);
    await session.printer.list(items, view);
  },
});
