import type { TypedLine } from '../../agents/mcp/world.js';
import { usageError } from '../../base/errors.js';
import type { GroupEntry } from '../../cli/declare/command.js';
import { commandAt } from '../../cli/declare/tree.js';
import { parseCommand } from '../../cli/parse/parser.js';
import { mistakeIn } from '../../cli/parse/suggest.js';
import { walk } from '../../cli/parse/walk.js';

/**
 * Parses a command line as the program does.
 * @throws DocsError usage: an unknown command or flag, no command, or a wrong value
 */
export async function parseLine(
  argv: readonly string[],
  groups: readonly GroupEntry[],
  platform: NodeJS.Platform,
): Promise<TypedLine> {
  const walked = await walk(argv, groups);
  const { path, pathAt, command: outline } = walked;
  const mistake = await mistakeIn(walked, argv, groups, platform);
  if (mistake !== undefined) throw mistake;
  const asksHelp = walked.help || walked.flags.has('help') || walked.flags.has('version');
  if (outline === undefined || asksHelp || argv[0]?.startsWith('__')) {
    const message = `argv must name a command, without "docs" before it and without --help; docs_describe explains one.`;
    throw usageError('unknown_command', message);
  }
  const typed = parseCommand(argv, { path, pathAt, command: outline });
  const { command } = await commandAt(groups, path.join(' '));
  return { path: path.join(' '), end: (pathAt.at(-1) ?? -1) + 1, command, ...typed };
}
