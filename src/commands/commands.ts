import { Type } from '../api/type.js';
import { usageError } from '../base/errors.js';
import type { Group } from '../cli/declare/command.js';
import { manual } from '../cli/declare/define.js';
import { option } from '../cli/declare/option.js';
import { commandTree } from '../cli/declare/outline.js';
import type { Session } from '../cli/declare/session.js';
import { describe, fullFields, inBrief, ListedCommand } from '../cli/help/describe.js';
import { namedEntry } from '../cli/parse/suggest.js';
import { isStructured } from '../cli/run/output.js';
import type { View } from '../output/printer.js';

const listed = manual({
  name: 'commands',
  summary: 'List all commands, or those of a group',
  why:
    '--json describes arguments, flags, requests and examples, and what a command can do: danger, undo, exposes, ' +
    'here. --full adds the schemas of input and result, the global flags and the exit codes.',
  args: { '[command...]': 'Group or command, such as spaces or members update' },
  options: [option('--full', 'Print schemas, global flags and exit codes too')],
  returns: Type.Array(ListedCommand),
  columns: ['path', 'summary'],
  id: 'path',
  examples: {
    'commands spaces': 'list the commands of a group',
    'commands members update --full --json': 'describe a command completely',
    'commands --jq \'.[] | select(.danger != "read") | .path\'': 'list the commands that change something',
  },
  local: true,
  async run(session, { args, options }, { groups, view }) {
    const full = options.full === true;
    refuseIdleFull(session, full);
    await session.printer.check(full ? view : brief(session, view));
    const typed = [args.command ?? []].flat();
    const { path } = typed.length === 0 ? { path: '' } : await namedEntry(typed, groups, session.io.platform);
    const isWanted = (one: string) => path === '' || one === path || one.startsWith(`${path} `);
    const tree = (await commandTree(groups)).filter((entry) => isWanted(entry.path));
    const items = tree.map(describe);
    await session.printer.list(full ? items : items.map(inBrief), view);
  },
});

export const commands: Group = {
  name: 'commands',
  summary: 'List all commands; print their JSON Schemas',
  why: 'For scripts and agents: the input, requests and output of each command.',
  own: listed,
  commands: [],
};

/** The text has a line a command, with or without `--full`. @throws usage `contradiction` */
function refuseIdleFull(session: Session, full: boolean): void {
  if (!full || isStructured(session) || session.settings.fields !== undefined) return;
  throw usageError('contradiction', '--full is for --json, -o yaml, --jq and --fields', {
    hint: 'docs commands --full --json',
  });
}

/** The view without the fields of `--full`. @throws usage `unknown_field` where one of these is asked for */
function brief({ settings }: Session, view: View): View {
  const isFull = (path: string) => fullFields.includes(path.split('.')[0] ?? '');
  const field = settings.fields?.value.find(isFull);
  if (field !== undefined)
    throw usageError('unknown_field', `the field ${JSON.stringify(field)} comes with --full only`);
  const open = (view.open ?? []).filter((path) => !isFull(path));
  return { ...view, open, fields: view.fields.filter((path) => !isFull(path)) };
}
