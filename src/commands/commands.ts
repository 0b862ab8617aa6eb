import { Type } from '../api/type.js';
import { manual } from '../cli/declare/define.js';
import { commandTree } from '../cli/declare/tree.js';
import { describe } from '../cli/help/describe.js';
import { DescribedCommand } from '../cli/help/described-command.js';

export { commandTree, type TreeEntry } from '../cli/declare/tree.js';
export { describe } from '../cli/help/describe.js';

/** `docs commands`: the whole tree, for people, scripts and agents. */

export const commands = manual({
  name: 'commands',
  summary: 'List all commands, for people and agents',
  why:
    'With --json, everything that is needed to drive every command without reading help: arguments, flags with ' +
    'types, limits and choices, requests, schemas of input and result, exit codes.',
  returns: Type.Array(DescribedCommand),
  columns: ['path', 'summary', 'danger'],
  id: 'path',
  examples: [
    { run: 'commands', does: 'every command with a line' },
    {
      run: 'commands --jq \'.[] | select(.danger != "read") | .path\'',
      does: 'the commands that change something',
    },
    {
      run: 'commands --json --fields path,usage,summary,danger,options.flags',
      does: 'a short form, for a reader with little room',
    },
  ],
  local: true,
  async run(session, _, { groups, view }) {
    await session.printer.check(view);
    const items = (await commandTree(groups)).map(describe);
    async function* pages() {
      yield { items, count: items.length };
    }
    await session.printer.list(pages(), view);
  },
});
