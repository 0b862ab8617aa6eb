import type { DocsError } from '../../base/errors.js';
import { commandLine, shellWord, shellWords } from '../../base/shell-word.js';
import { type GroupEntry, isGroup } from '../declare/command.js';
import { atPlace, contextFlags } from '../declare/global-flags.js';
import type { CommandOutline } from '../declare/outline.js';
import { outlineBefore } from '../declare/read-record.js';
import { type Walk, walk } from '../parse/walk.js';

/** The command to run next, as it has to be typed after this one: with its flags, and never the same one. */

/** What was typed: the words after `docs`, and all commands there are. */
export interface Line {
  argv: readonly string[];
  groups: readonly GroupEntry[];
  platform: NodeJS.Platform;
}

/**
 * The same failure with its command to run next as it has to be typed: with the caller's profile and parents,
 * and another one where it would only repeat the command that failed. One that was stopped goes on.
 */
export async function withNextCommand(error: DocsError, line: Line): Promise<DocsError> {
  const { hint } = error.failure;
  const typed = await walk(line.argv, line.groups, outlineBefore);
  if (error.code === 'bad_encoding' && typed.command !== undefined) {
    const { withEncodingHint } = await import('../parse/typed-text.js');
    return withEncodingHint(error, line.argv, typed.command, line.platform);
  }
  if (hint === undefined || !hint.startsWith('docs ')) return error;
  if (goesOn(error)) return error.changed({ hint: await completed(hint, typed, line) });
  // Some commands are to be typed again with a further flag.
  const own = typed.args.map((word) => shellWord(word, line.platform)).join(' ');
  const other = async (command: string) => unlessSame(await completed(command, typed, line), typed, line);
  const longer = withTimeout(hint, typed, line);
  if (longer !== undefined) return error.changed({ hint: longer });
  let next = await other(hint.replace('…', () => own));
  if (next !== undefined) return error.changed({ hint: next });
  for (const command of await othersFor(typed, line)) next ??= await other(command);
  return error.changed({ hint: next });
}

/** The same read with the time limit that a hint sets: a setting would not count beside the flag that was typed. */
function withTimeout(hint: string, { command, flags }: Walk, { argv, platform }: Line): string | undefined {
  const [, needed] = /^docs config set timeout (\S+)$/.exec(hint) ?? [];
  if (needed === undefined || !flags.has('timeout') || command?.danger !== 'read') return undefined;
  const at = argv.findLastIndex((word) => /^--timeout(?:=|$)/.test(word));
  if (at === -1) return undefined;
  const words = argv[at] === '--timeout' ? argv.with(at + 1, needed) : argv.with(at, `--timeout=${needed}`);
  return commandLine(words, platform);
}

/** Whether the same command goes on where it stopped, and is not to be replaced by another: `backup run`. */
function goesOn({ kind, failure: { retryable } }: DocsError): boolean {
  return kind === 'interrupted' || kind === 'terminated' || (kind === 'partial' && retryable === true);
}

/** A command with the flags of the one that failed: those of its platform, and those of the parents it takes. */
export async function completed(command: string, typed: Walk, { groups, platform }: Line): Promise<string> {
  const next = await walk(shellWords(command).slice(1), groups, outlineBefore);
  const value = (flag: string) => typed.flags.get(flag)?.at(-1);
  const isHelp = next.help || next.flags.has('help');
  const taken = Object.values(contextFlags).filter(
    (flag) => !isHelp && next.command?.options.some(({ name }) => name === flag) && !next.flags.has(flag),
  );
  const parents = taken.flatMap((flag) => {
    const given = typed.flags.get(flag) ?? [];
    return given.length === 1 ? [`--${flag}`, shellWord(given[0] ?? '', platform)] : [];
  });
  const place = {
    profile: value('profile'),
    baseUrl: value('base-url'),
    policy: value('policy'),
    sandbox: typed.flags.has('sandbox'),
  };
  return atPlace([command, ...parents].join(' '), place, platform);
}

/** The command, unless all that it says was typed just now. */
export async function unlessSame(
  command: string,
  typed: Walk,
  { groups }: Line,
): Promise<string | undefined> {
  const next = await walk(shellWords(command).slice(1), groups, outlineBefore);
  const isSame =
    next.help === typed.help &&
    String(next.path) === String(typed.path) &&
    String(next.args) === String(typed.args) &&
    String(unknownWords(next)) === String(unknownWords(typed)) &&
    [...next.flags].every(([flag, values]) => String(typed.flags.get(flag)) === String(values));
  return isSame ? undefined : command;
}

/** Behind `help`: the words of a topic, or of a page of the guide. */
function unknownWords({ unknown }: Walk): readonly string[] {
  return unknown === undefined ? [] : [unknown.word, ...unknown.rest];
}

/** What else tells more after a failure: the list that the resource is in, those of its parents, the checks. */
async function othersFor(typed: Walk, { groups, platform }: Line): Promise<string[]> {
  const { path, args } = typed;
  const [plan] = path[0] === 'apply' ? args : [];
  const plans = plan === undefined ? 'docs plan' : `docs plan show ${shellWord(plan, platform)}`;
  const [job] = path[0] === 'undo' || path[0] === 'jobs' ? args : [];
  return [
    ...(path[0] === 'apply' ? [plans] : []),
    ...(job === undefined ? [] : [`docs jobs show ${shellWord(job, platform)}`]),
    ...(await listsAround(typed, groups)),
    ...['docs auth status', 'docs doctor', 'docs help exit-codes'],
  ];
}

/** The lists in which the resource of a command and its parents are found, the nearest first. */
export async function listsAround({ path, command }: Walk, groups: readonly GroupEntry[]): Promise<string[]> {
  const parents = command?.operations[0]?.path.match(/\w+(?=\})/g) ?? [];
  // Loaded here: most failures have a command of their own to run next.
  const { resources, resourceOfField } = await import('../../model/resources.js');
  const lists = parents.toReversed().flatMap((parameter) => {
    const kind = resourceOfField(parameter);
    return kind === undefined ? [] : [`docs ${resources[kind].command.words}`];
  });
  return [...(await listBeside(path, groups)), ...lists];
}

/** The list of the innermost group of a path, where it needs no arguments. */
async function listBeside(path: readonly string[], groups: readonly GroupEntry[]): Promise<string[]> {
  const above = path.slice(0, -1);
  const [own, around] = [await walk(path, groups), await walk(above, groups)];
  const [{ group }, words] = own.group === undefined ? [around, above] : [own, path];
  const list = group?.commands.find((one): one is CommandOutline => one.name === 'list' && !isGroup(one));
  const isFree = list !== undefined && !list.args.some(({ required }) => required);
  return isFree ? [['docs', ...words, 'list'].join(' ')] : [];
}
