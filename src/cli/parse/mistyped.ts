import type { CommanderError } from 'commander';
import { type DocsError, usageError } from '../../errors.js';
import { nearest } from '../../nearest.js';
import { shellWord } from '../../settings/shell-word.js';
import { type GroupEntry, isGroup } from '../declare/command.js';
import { globalOptions } from '../declare/global-flags.js';
import { outlineOf, outlineTree } from '../declare/outline.js';
import { flagUsage, helpTopicNames } from '../help/help.js';
import { type Named, named, spellings, type Walked, walk } from './walk.js';

/** What was most likely meant by a command line that is none: the right word, or the words in order. */

/** The failure of the parser in words of docs, with what was most likely meant. */
export async function mistyped(
  cause: CommanderError,
  argv: readonly string[],
  groups: readonly GroupEntry[],
  platform: NodeJS.Platform,
): Promise<DocsError> {
  const walked = await walk(argv, groups);
  switch (cause.code) {
    case 'commander.unknownCommand':
      return unknownCommand(walked, groups, platform);
    case 'commander.excessArguments':
      return excessArguments(walked);
    case 'commander.unknownOption':
      return unknownFlag(walked, await belonging(argv, groups, quoted(cause.message)), quoted(cause.message));
    case 'commander.optionMissingArgument':
      return missingValue(walked, quoted(cause.message));
    default:
      return usageError('usage', `${cause.message.replace(/^error: /, '').split('\n')[0]}.`);
  }
}

/** `-x, --long <value>` of a message of the parser, as its long name. */
function quoted(message: string): string {
  const [, flag = ''] = /'([^']*)'/.exec(message) ?? [];
  return /--[\w-]+/.exec(flag)?.[0] ?? flag;
}

/** A word that names no command, group or topic, at the place that it stands. */
export async function unknownCommand(
  walked: Walked,
  groups: readonly GroupEntry[],
  platform: NodeJS.Platform,
): Promise<DocsError> {
  const { path, unknown = '', tail } = walked;
  const meant = near(walked, groups) ?? (await elsewhere(walked, groups)) ?? [];
  const where = path.length === 0 ? '' : ` of docs ${path.join(' ')}`;
  const what = `${JSON.stringify(unknown.slice(0, 60))} is no command${where}.`;
  const line = (words: readonly string[]) =>
    ['docs', ...words, ...tail].map((word) => shellWord(word, platform));
  const lines = meant.map((words) => line(words).join(' '));
  const suggestion = lines.length === 0 ? '' : ` Did you mean ${lines.join(', or ')}?`;
  return usageError('unknown_command', `${what}${suggestion}`, {
    hint: ['docs', ...path, '--help'].join(' '),
    ...(lines.length > 0 && { details: { nearest: lines } }),
  });
}

/** A word spelt almost so, at this place. */
function near(
  { path, node, unknown = '', rest }: Walked,
  groups: readonly GroupEntry[],
): string[][] | undefined {
  const here: readonly Named[] =
    node === undefined ? groups.filter(shown) : isGroup(node) ? node.commands : [];
  const words = new Map(
    here.flatMap((each) => [each.name, ...(each.aliases ?? [])].map((word) => [word, each.name])),
  );
  const topics = node === undefined ? helpTopicNames : [];
  const found = nearest(unknown, [...words.keys(), ...topics]);
  if (found === undefined) return undefined;
  const name = words.get(found);
  return [name === undefined ? ['help', found] : [...path, name, ...rest]];
}

function shown({ hidden }: GroupEntry): boolean {
  return hidden !== true;
}

/** A verb before its group, `list spaces`; or a command of other groups, `login`. */
async function elsewhere(
  { path, unknown = '', rest }: Walked,
  groups: readonly GroupEntry[],
): Promise<string[][] | undefined> {
  const verb = path.length === 0 ? await verbFirst(unknown, rest, groups) : undefined;
  if (verb !== undefined) return verb;
  const places = (await outlineTree(groups)).flatMap(({ path: words, node: command }) => {
    const way = words.split(' ');
    const at = way.indexOf(unknown, 1);
    const byAlias = command.aliases.includes(unknown) && way.length > 1;
    if (byAlias) return [[...way, ...rest]];
    const below = way.slice(at + 1);
    const fits = at > 0 && below.every((word, index) => word === rest[index]);
    return fits ? [[...way, ...rest.slice(below.length)]] : [];
  });
  return places.length === 0 || places.length > 3 ? undefined : places;
}

/** `list spaces` is `spaces list`; its other words stay behind it. */
async function verbFirst(
  verb: string,
  [noun, ...rest]: readonly string[],
  groups: readonly GroupEntry[],
): Promise<string[][] | undefined> {
  if (noun === undefined) return undefined;
  const names = groups.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  const entry = named(groups, noun) ?? named(groups, nearest(noun, names) ?? '');
  const node = entry && (await outlineOf(entry));
  if (entry === undefined || node === undefined || !isGroup(node)) return undefined;
  const command = named(node.commands, verb);
  return command === undefined ? undefined : [[entry.name, command.name, ...rest]];
}

function excessArguments({ path, node, rest }: Walked): DocsError {
  const args = node === undefined || isGroup(node) ? [] : node.args;
  const words = `docs ${path.join(' ')}`;
  const extra = rest.slice(args.length).map((word) => JSON.stringify(word.slice(0, 60)));
  const takes = args.map(({ name, required }) => (required ? `<${name}>` : `[${name}]`)).join(' ');
  const limit = takes === '' ? 'takes no arguments' : `takes ${takes}`;
  const many =
    extra.length === 0
      ? 'there are more'
      : extra.length === 1
        ? `${extra[0]} is one too many`
        : `${extra.join(', ')} are too many`;
  return usageError('excess_arguments', `${words} ${limit}: ${many}.`, { hint: `${words} --help` });
}

/** The command that knows a flag which was typed in front of it; undefined where there is none. */
async function belonging(
  argv: readonly string[],
  groups: readonly GroupEntry[],
  flag: string,
): Promise<readonly string[] | undefined> {
  const at = argv.findIndex((word) => word.split('=')[0] === flag);
  for (const length of [1, 2]) {
    const { path, node } = await walk([...argv.slice(0, at), ...argv.slice(at + length)], groups);
    const options = node === undefined || isGroup(node) ? [] : node.options;
    if (options.flatMap(spellings).includes(flag)) return path;
  }
  return undefined;
}

function unknownFlag({ path, node }: Walked, place: readonly string[] | undefined, flag: string): DocsError {
  const options = node === undefined || isGroup(node) ? [] : node.options;
  const meant = nearest(flag, [...options, ...globalOptions].flatMap(spellings));
  const words = ['docs', ...path].join(' ');
  const suggestion =
    place !== undefined
      ? ` It belongs behind the command: docs ${place.join(' ')} ${flag}.`
      : meant === undefined
        ? ''
        : ` Did you mean ${meant}?`;
  return usageError('unknown_flag', `Unknown flag ${JSON.stringify(flag)} of ${words}.${suggestion}`, {
    hint: ['docs', ...(place ?? path), '--help'].join(' '),
    ...(meant !== undefined && { details: { nearest: meant } }),
  });
}

function missingValue({ path, node }: Walked, flag: string): DocsError {
  const options = [...(node === undefined || isGroup(node) ? [] : node.options), ...globalOptions];
  const option = options.find(({ name }) => flag === `--${name}`);
  const choices =
    option?.choices === undefined
      ? ''
      : `: ${option.closed ? 'one of' : 'such as'} ${option.choices.join(', ')}`;
  const usage = option === undefined ? flag : flagUsage(option);
  return usageError('flag_missing_value', `${flag} needs a value, ${usage}${choices}.`, {
    hint: ['docs', ...path, '--help'].join(' '),
  });
}
