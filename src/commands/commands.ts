import type { AnyOperation } from '../api/operation.js';
import { type Command, type Group, isGroup, type Option } from './command.js';
import { manual } from './define.js';
import { flagUsage } from './help.js';
import { groups } from './index.js';

/** `docs commands`: the whole tree, for people, scripts and agents. */

/** A command and the words after `docs` that reach it. */
export interface TreeEntry {
  path: string;
  command: Command;
  group?: Group;
}

/** Loads every group and walks the tree, in the order of the root help. */
export async function commandTree(): Promise<TreeEntry[]> {
  const loaded = await Promise.all(
    groups.map(async (entry) => ({ name: entry.name, node: await entry.load() })),
  );
  return loaded.flatMap(({ name, node }) => entriesOf(node, name));
}

function entriesOf(node: Command | Group, path: string, group?: Group): TreeEntry[] {
  if (!isGroup(node)) return [{ path, command: node, ...(group && { group }) }];
  return node.commands.flatMap((child) => entriesOf(child, `${path} ${child.name}`, node));
}

/** One command as data (command-tree, "Commands that are not one operation"). */
export function describe({ path, command }: TreeEntry): Record<string, unknown> {
  return {
    path,
    summary: command.summary,
    aliases: command.aliases,
    args: command.args.map(({ name, required, variadic, description }) => ({
      name,
      required,
      variadic,
      description,
    })),
    options: command.options.map(describeOption),
    operations: command.operations.map(describeOperation),
    examples: command.examples.map(({ run, does }) => ({ run: `docs ${run}`, does })),
    danger: command.danger,
  };
}

function describeOption(option: Option): Record<string, unknown> {
  const { name, required, variadic, choices, nullable, description } = option;
  return {
    flags: flagUsage(option),
    name,
    required,
    variadic,
    ...(choices !== undefined && { choices }),
    nullable,
    description,
  };
}

function describeOperation({ method, path, success, returns }: AnyOperation): Record<string, unknown> {
  return { method, path, success: typeof success === 'number' ? success : success[0], returns: returns.kind };
}

export const commands = manual({
  name: 'commands',
  summary: 'List all commands, for people and agents',
  why: 'With --json, everything that is needed to drive every command without reading help.',
  examples: [
    { run: 'commands', does: 'every command with a line' },
    {
      run: 'commands --jq \'.[] | select(.danger != "read") | .path\'',
      does: 'the commands that change something',
    },
  ],
  local: true,
  async run(session) {
    const items = (await commandTree()).map(describe);
    async function* pages() {
      yield { items, count: items.length };
    }
    const fields = ['path', 'summary', 'aliases', 'args', 'options', 'operations', 'examples', 'danger'];
    const view = { columns: ['path', 'summary', 'danger'].map((path) => ({ path })), fields, id: 'path' };
    await session.printer.check(view);
    await session.printer.list(pages(), view);
  },
});
