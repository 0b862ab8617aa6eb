import { manual } from './define.js';
import { describe } from './describe.js';
import { DescribedCommand } from './described-command.js';
import { commandTree } from './tree.js';
import { fieldPaths } from './view.js';

export { describe } from './describe.js';
export { commandTree, type TreeEntry } from './tree.js';

/** `docs commands`: the whole tree, for people, scripts and agents. */

export const commands = manual({
  name: 'commands',
  summary: 'List all commands, for people and agents',
  why:
    'With --json, everything that is needed to drive every command without reading help: arguments, flags with ' +
    'types, limits and choices, requests, schemas of input and result, exit codes.',
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
  async run(session) {
    const items = (await commandTree()).map(describe);
    const columns = ['path', 'summary', 'danger'].map((path) => ({ path }));
    const view = { columns, ...fieldPaths(DescribedCommand), id: 'path' };
    await session.printer.check(view);
    await session.printer.list(items, view);
  },
});
