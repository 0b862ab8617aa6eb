import { usageError } from '../../errors.js';
import type { GroupEntry } from '../declare/command.js';
import { unknownCommand } from './suggest.js';
import { walk } from './walk.js';

/**
 * The path of the command that words name, aliases included: for commands about commands.
 * @throws DocsError usage `unknown_command`, with the commands of a group, or the nearest
 */
export async function namedCommand(
  typed: readonly string[],
  groups: readonly GroupEntry[],
  platform: NodeJS.Platform,
): Promise<string> {
  const words = typed.flatMap((word) => word.split(/\s+/));
  const walked = await walk(words[0] === 'docs' ? words.slice(1) : words, groups);
  const { path, command, group, unknown, args } = walked;
  if (unknown !== undefined) throw await unknownCommand(walked, groups, platform);
  const name = ['docs', ...path].join(' ');
  const hint = `${name} --help`;
  if (args[0] !== undefined)
    throw usageError('unknown_command', `unknown command ${JSON.stringify(args[0])} for "${name}"`, { hint });
  if (command !== undefined) return path.join(' ');
  const below = group?.commands.map((one) => [...path, one.name].join(' ')) ?? [];
  const list = below.length === 0 ? '' : `; its commands: ${below.join(', ')}`;
  throw usageError('unknown_command', `${name} is a group${list}.`, { hint });
}
