import { DocsError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import { defined } from '../../base/values.js';
import { type GroupEntry, isGroup } from '../declare/command.js';
import { contextFlags } from '../declare/context-flags.js';
import { type CommandOutline, outlineOf } from '../declare/outline.js';
import { atPlace, wordsOf } from '../declare/place-flags.js';
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
  const typed = await walk(line.argv, line.groups);
  if (error.code === 'bad_encoding' && typed.command !== undefined) {
    const { withEncodingHint } = await import('../parse/encoding-hint.js');
    return withEncodingHint(error, line.argv, typed.command, line.platform);
  }
  if (hint === undefined || !hint.startsWith('docs ')) return error;
  if (goesOn(error)) return hinting(error, await completed(hint, typed, line));
  // Some commands are to be typed again with a further flag.
  const own = typed.args.map((word) => shellWord(word, line.platform)).join(' ');
  const other = async (command: string) => unlessSame(await completed(command, typed, line), typed, line);
  let next = await other(hint.replace('…', () => own));
  if (next !== undefined) return hinting(error, next);
  for (const command of await othersFor(typed, line)) next ??= await other(command);
  return hinting(error, next);
}

/** Whether the same command goes on where it stopped, and is not to be replaced by another: `backup run`. */
function goesOn({ kind, failure: { retryable } }: DocsError): boolean {
  return kind === 'interrupted' || kind === 'terminated' || (kind === 'partial' && retryable === true);
}

function hinting({ kind, code, message, failure }: DocsError, hint: string | undefined): DocsError {
  const { hint: _, ...facts } = failure;
  return new DocsError(kind, code, message, { ...facts, ...defined({ hint }) });
}

/** A command with the flags of the one that failed: those of its platform, and those of the parents it takes. */
export async function completed(command: string, typed: Walk, { groups, platform }: Line): Promise<string> {
  const next = await walk(wordsOf(command).slice(1), groups);
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
  return atPlace([command, ...parents].join(' '), defined(place), platform);
}

/** The command, unless all that it says was typed just now. */
export async function unlessSame(
  command: string,
  typed: Walk,
  { groups }: Line,
): Promise<string | undefined> {
  const next = await walk(wordsOf(command).slice(1), groups);
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
  const entry = groups.find(({ name }) => name === path[0]);
  const outline = entry && (await outlineOf(entry));
  let group = outline !== undefined && isGroup(outline) ? outline : undefined;
  let depth = 1;
  for (const word of path.slice(1)) {
    const below = group?.commands.find(({ name }) => name === word);
    if (below === undefined || !isGroup(below)) break;
    group = below;
    depth += 1;
  }
  const list = group?.commands.find((one): one is CommandOutline => one.name === 'list' && !isGroup(one));
  const isFree = list !== undefined && !list.args.some(({ required }) => required);
  return isFree ? [['docs', ...path.slice(0, depth), 'list'].join(' ')] : [];
}
