import { type Command, type Group, type GroupEntry, isGroup, type Option } from './command.js';
import type { CommandOutline, OptionOutline, Outline } from './outline.js';

/** Makes the outlines; the build runs this. */

/** By name of the group, all that is known of it without its code. */
export async function outlines(groups: readonly GroupEntry[]): Promise<Map<string, Outline>> {
  const all = await Promise.all(groups.map(async ({ name, load }) => [name, await load()] as const));
  return new Map(all.map(([name, node]) => [name, withoutCode(node)]));
}

function withoutCode(node: Command | Group): Outline {
  return isGroup(node) ? { ...node, commands: node.commands.map(withoutCode) } : commandOutline(node);
}

function commandOutline(command: Command): CommandOutline {
  const { name, aliases, summary, why, args, examples, danger, passThrough } = command;
  return {
    ...{ name, aliases, summary, args, examples, danger },
    ...(why !== undefined && { why }),
    ...(passThrough !== undefined && { passThrough }),
    options: command.options.map(optionOutline),
    operations: command.operations.map(({ method, path }) => ({ method, path })),
  };
}

/** What help tells of a value. */
const limits = ['minLength', 'maxLength', 'minimum', 'maximum', 'pattern'] as const;

function optionOutline({ parse: _, schema, ...option }: Option): OptionOutline {
  if (schema === undefined) return option;
  const told = limits.flatMap((keyword) =>
    schema[keyword] === undefined ? [] : [[keyword, schema[keyword] as unknown]],
  );
  return told.length === 0 ? option : { ...option, schema: Object.fromEntries(told) };
}
