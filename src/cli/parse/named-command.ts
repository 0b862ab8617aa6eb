import { usageError } from '../../base/errors.js';
import type { GroupEntry } from '../declare/command.js';
import { unknownCommand } from './suggest.js';
import { walk } from './walk.js';

/** A command or a group, by the words after `docs` that reach it. */
export interface NamedEntry {
  path: string;
  isCommand: boolean;
  /** Of a group, the paths of what it holds. */
  below: readonly string[];
}

/**
 * The group or command that words name, aliases included: for commands about commands.
 * @throws DocsError usage `unknown_command`, with the nearest
 */
export async function namedEntry(
  typed: readonly string[],
  groups: readonly GroupEntry[],
  platform: NodeJS.Platform,
): Promise<NamedEntry> {
  const words = typed.flatMap((word) => word.split(/\s+/));
  const walked = await walk(words[0] === 'docs' ? words.slice(1) : words, groups);
  const { path, command, group, unknown, args } = walked;
  if (unknown !== undefined) throw await unknownCommand(walked, groups, platform);
  if (args[0] !== undefined) {
    const name = ['docs', ...path].join(' ');
    const message = `unknown command ${JSON.stringify(args[0])} for "${name}"`;
    throw usageError('unknown_command', message, { hint: `${name} --help` });
  }
  const below = group?.commands.map((one) => [...path, one.name].join(' ')) ?? [];
  return { path: path.join(' '), isCommand: command !== undefined, below };
}

/**
 * The path of the command that words name.
 * @throws DocsError as `namedEntry`; usage `unknown_command` for a group, with its commands
 */
export async function namedCommand(
  typed: readonly string[],
  groups: readonly GroupEntry[],
  platform: NodeJS.Platform,
): Promise<string> {
  const { path, isCommand, below } = await namedEntry(typed, groups, platform);
  if (isCommand) return path;
  const name = `docs ${path}`.trim();
  const list = below.length === 0 ? '' : `; its commands: ${below.join(', ')}`;
  throw usageError('unknown_command', `${name} is a group${list}.`, { hint: `${name} --help` });
}
