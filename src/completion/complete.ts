import { type GroupEntry, isGroup } from '../cli/declare/command.js';
import { isOfOperations, type Outline, outlineOf } from '../cli/declare/outline.js';
import { flagsAt, named, spellings, standsAlone, type Walk, walk } from '../cli/parse/walk.js';
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
  if (place.unknown !== undefined)
    return place.help ? guideWords(typed, place) : behindAlias(words, place, groups, sources);
  if (place.pending !== undefined && !standsAlone(place.pending, typed)) {
    return optionValues(place.pending, typed, place, sources);
  }
  if (!place.flagsEnded && typed.startsWith('-')) return flagOrValue(typed, place, sources);
  if (place.help) return helpWords(typed, place, groups);
  if (place.command === undefined || place.group !== undefined) {
    const found = startingWith(typed, commandsAt(place, groups, typed));
    return place.group === undefined ? withAliases(found, typed, sources) : found;
  }
  return positional(typed, place, groups, sources);
}

/** Commands, and the names that a person gave to some. */
async function withAliases(found: Completion, typed: string, sources: ValueSources): Promise<Completion> {
  const aliases = await sources.aliases();
  if (aliases.size === 0) return found;
  const { aliasNames } = await import('./aliases.js');
  const candidates = [...found.candidates, ...startingWith(typed, aliasNames(aliases)).candidates];
  return { ...found, candidates };
}

/** Completes what is typed behind an alias as if the command that it stands for had been typed. */
async function behindAlias(
  words: readonly string[],
  { path, unknown }: Walk,
  groups: readonly GroupEntry[],
  sources: ValueSources,
): Promise<Completion> {
  if (path.length > 0 || unknown === undefined) return nothing;
  const { word, rest, tail } = unknown;
  const expansion = (await sources.aliases()).get(word);
  if (expansion === undefined) return nothing;
  const { inPlaceOf } = await import('./aliases.js');
  const args = [...rest, ...tail];
  const typed = words.at(-1) ?? '';
  const { line, before } = inPlaceOf(expansion, args, typed);
  const first = words.slice(0, words.length - args.length - 2);
  const found = await complete([...first, ...line], groups, withoutAliases(sources));
  if (before === '') return found;
  const candidates = found.candidates.map((one) => ({ ...one, word: one.word.slice(before.length) }));
  const { files: paths, ...others } = found;
  const shorter = paths && { ...paths, before: paths.before.slice(before.length) };
  return { ...others, candidates, ...(shorter && { files: shorter }) };
}

/** For words that name a command of docs alone. */
function withoutAliases(sources: ValueSources): ValueSources {
  return { ...sources, aliases: async () => new Map() };
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
  const { guideTopic, helpTopicNames } = await import('../cli/help/help.js');
  const topics = helpTopicNames.map((word) => ({ word, note: 'Help topic' }));
  const all = [...topics, { word: guideTopic.name, note: guideTopic.summary }, ...commands];
  const { guideCandidates } = await import('./guide-words.js');
  // A page of the same name is found under `docs help guide`.
  const isTaken = (word: string) => named(groups, word) !== undefined || all.some((one) => one.word === word);
  return startingWith(typed, [...all, ...guideCandidates().filter(({ word }) => !isTaken(word))]);
}

/** Completes the page behind `docs help guide`, and the section behind a page. */
async function guideWords(typed: string, { path, unknown }: Walk): Promise<Completion> {
  if (path.length > 0 || unknown === undefined) return nothing;
  const { behindGuide } = await import('./guide-words.js');
  return startingWith(typed, behindGuide([unknown.word, ...unknown.rest]));
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
  if (argument?.completes === 'commands') return complete([...args, typed], groups, withoutAliases(sources));
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
