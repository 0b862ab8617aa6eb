import { type GroupEntry, isGroup } from '../cli/declare/command.js';
import { isOfOperations, type Outline, outlineOf } from '../cli/declare/outline.js';
import { flagsAt, spellings, standsAlone, type Walk, walk } from '../cli/parse/walk.js';
import { type Candidate, type Completion, files, nothing, startingWith } from './candidate.js';
import { argumentValues, optionValues, type ValueSources } from './values.js';

/** @param words the words after `docs`; the last is the one at the cursor and may be empty */
export async function complete(
  words: readonly string[],
  groups: readonly GroupEntry[],
  sources: ValueSources,
): Promise<Completion> {
  const typed = words.at(-1) ?? '';
  const place = await walk(words.slice(0, -1), groups);
  if (place.unknown !== undefined) return nothing;
  if (place.pending !== undefined && !standsAlone(place.pending, typed)) {
    return optionValues(place.pending, typed, place, sources);
  }
  if (!place.flagsEnded && typed.startsWith('-')) return flagOrValue(typed, place, sources);
  if (place.help) return helpWords(typed, place, groups);
  if (place.command === undefined || place.group !== undefined)
    return startingWith(typed, commandsAt(place, groups, typed));
  return positional(typed, place, groups, sources);
}

/** Completes a flag (`--ro`) or its value (`--role=ad`). */
async function flagOrValue(typed: string, place: Walk, sources: ValueSources): Promise<Completion> {
  const [, flag, value = ''] = /^(--[^=]+)=(.*)$/s.exec(typed) ?? [];
  if (flag === undefined) return startingWith(typed, openFlags(place));
  const option = flagsAt(place).find((known) => known.boolean === undefined && `--${known.name}` === flag);
  if (option === undefined) return nothing;
  const found = await optionValues(option, value, place, sources);
  const before = `${flag}=`;
  return {
    ...found,
    candidates: found.candidates.map(({ word, ...rest }) => ({ ...rest, word: before + word })),
    ...(found.files && { files: { ...found.files, before: before + found.files.before } }),
  };
}

/** Flags that can still be given, the command's own first. */
function openFlags(place: Walk): Candidate[] {
  return flagsAt(place)
    .filter(({ name, variadic }) => variadic || !place.flags.has(name))
    .flatMap((option) => spellings(option).map((word) => ({ word, note: option.description })))
    .concat(place.command === undefined ? [{ word: '--version', note: 'Print the version' }] : [])
    .concat([{ word: '--help', note: 'Show help' }]);
}

function commandsAt(place: Walk, groups: readonly GroupEntry[], typed: string): Candidate[] {
  const entries = place.group?.commands ?? groups.filter(({ hidden }) => !hidden);
  const named = entries.map(({ name, summary }) => ({ word: name, note: summary }));
  const root = place.group === undefined && !place.help;
  const all = root ? [...named, { word: 'help', note: 'Show help for a command or topic' }] : named;
  if (all.some(({ word }) => word.startsWith(typed))) return all;
  // Aliases are offered only if no full name matches.
  return entries.flatMap(({ aliases = [], summary }) => aliases.map((word) => ({ word, note: summary })));
}

async function helpWords(typed: string, place: Walk, groups: readonly GroupEntry[]): Promise<Completion> {
  if (place.command !== undefined && place.group === undefined) return nothing;
  const commands = commandsAt(place, groups, typed);
  if (place.group !== undefined) return startingWith(typed, commands);
  const { helpTopicNames } = await import('../cli/help/help.js');
  const topics = helpTopicNames.map((word) => ({ word, note: 'Help topic' }));
  return startingWith(typed, [...topics, ...commands]);
}

/** Completes a positional; if no more are expected, completes the flags. */
async function positional(
  typed: string,
  place: Walk,
  groups: readonly GroupEntry[],
  sources: ValueSources,
): Promise<Completion> {
  const { command, args } = place;
  if (command === undefined) return nothing;
  const last = command.args.at(-1);
  const argument = command.args[args.length] ?? (last?.variadic ? last : undefined);
  if (argument?.completes === 'commands') return complete([...args, typed], groups, sources);
  if (command.passThrough) return files('');
  if (argument?.completes === 'bulk-commands') return bulkWords(typed, place, groups);
  if (argument?.name === 'command') return commandWords(typed, place, groups);
  if (argument !== undefined) return argumentValues(argument, typed, place, sources);
  return typed === '' && !place.flagsEnded ? startingWith('', openFlags(place)) : nothing;
}

/** Completes a command that can be run for many rows, and the groups that hold one: `docs bulk teams update`. */
async function bulkWords(typed: string, place: Walk, groups: readonly GroupEntry[]): Promise<Completion> {
  const inner = await walk(place.args, groups);
  const { candidates } = await commandWords(typed, place, groups);
  const nodes: Outline[] = inner.group === undefined ? [] : [...inner.group.commands];
  for (const entry of inner.group === undefined ? groups : [])
    if (candidates.some(({ word }) => word === entry.name)) nodes.push(await outlineOf(entry));
  const fitting = new Set(nodes.filter(isForBulk).map(({ name }) => name));
  return { candidates: candidates.filter(({ word }) => fitting.has(word)) };
}

function isForBulk(node: Outline): boolean {
  if (isGroup(node)) return node.commands.some(isForBulk);
  return isOfOperations(node) && node.operations.every(({ method }) => method !== 'GET');
}

/** Completes the name of a command as a positional: `docs schema members update`. */
async function commandWords(
  typed: string,
  { args }: Walk,
  groups: readonly GroupEntry[],
): Promise<Completion> {
  const inner = await walk(args, groups);
  if (inner.unknown !== undefined || (inner.command !== undefined && inner.group === undefined))
    return nothing;
  return startingWith(typed, commandsAt({ ...inner, help: true }, groups, typed));
}
