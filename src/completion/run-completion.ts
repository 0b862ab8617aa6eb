import { existsSync } from 'node:fs';
import type { Io } from '../base/io.js';
import { shellWords } from '../base/shell-word.js';
import { type GroupEntry, isGroup } from '../cli/declare/command.js';
import { spellings } from '../cli/declare/global-flags.js';
import { isOfOperations, type Outline, outlineOf } from '../cli/declare/outline.js';
import { placedIn, rootEntries } from '../cli/declare/ways.js';
import { flagsAt, named, standsAlone, type Walk, walk } from '../cli/parse/walk.js';
import { safeLine } from '../output/text.js';
import { type Candidate, type Completion, files, isPlainWord, nothing, startingWith } from './candidate.js';
import type { ValueSources } from './values.js';

/** The completion of a command needs none of what flags and positionals take. */
const values = () => import('./values.js');

/**
 * `docs __complete <words…>` prints one candidate per line, `word` or `word<TAB>note`, then instructions
 * for the shell, each on a line that starts with a colon:
 *
 *     :files <before>     offer files, after this part of the current word
 *     :folders <before>   offer folders only
 *     :goes-on            add no space after the word
 *     :by-title           the words fit by their notes: put one in place of what was typed
 *     :shown              list the words with their notes, even a single one, and insert none
 *
 * A first word `:titles` asks for titles as words where they fit, with ids as notes: fish drops words that
 * do not begin like what was typed, and quotes those that it inserts.
 *
 * Prints nothing on an error, since the user is typing.
 */
export async function runCompletion(
  words: readonly string[],
  groups: readonly GroupEntry[],
  io: Io,
): Promise<void> {
  try {
    const wantsTitles = words[0] === ':titles';
    const typed = words.slice(wantsTitles ? 1 : 0).map(unquoted);
    const found = await complete(typed, groups, sourcesOf(io, groups));
    io.stdout.write(textOf(wantsTitles && found.byTitle ? titlesAsWords(found, typed.at(-1) ?? '') : found));
  } catch {
    // An error message would disturb the command line.
  }
}

/** Each title once, without those that were cut or would pass for a flag; ids that fit stay as they are. */
function titlesAsWords(found: Completion, typed: string): Completion {
  const [before = ''] = /^--[^=]+=/.exec(typed) ?? [];
  const candidates = found.candidates.flatMap(({ word, note = '', said }, _, all) => {
    const meant = all.filter((other) => other.said === said).map((other) => `docs ${other.word}`);
    if (said !== undefined) return [{ word: said, note: meant.join(', ') }];
    if (word.startsWith(typed)) return [{ word, note }];
    return note.endsWith('…') || note.startsWith('-')
      ? []
      : [{ word: before + note, note: word.slice(before.length) }];
  });
  return { candidates: [...new Map(candidates.map((one) => [one.word, one])).values()] };
}

function textOf({ candidates, files, goesOn, byTitle, shown }: Completion): string {
  const lines = candidates.map(({ word, note = '' }) => (note === '' ? word : `${word}\t${note}`));
  if (files !== undefined) lines.push(`:${files.foldersOnly ? 'folders' : 'files'} ${files.before}`);
  if (goesOn) lines.push(':goes-on');
  // First, since it says how to take the words.
  if (byTitle) lines.unshift(':by-title');
  if (shown) lines.unshift(':shown');
  return lines.map((text) => `${text}\n`).join('');
}

/** Removes quotes and escapes: shells pass the words as typed. */
function unquoted(word: string): string {
  if (!/['"\\]/.test(word)) return word;
  return word.replace(/'([^']*)'?|"((?:[^"\\]|\\.)*)"?|\\(.)/gs, (_, single, double, escaped) =>
    String(single ?? (double as string | undefined)?.replace(/\\(.)/gs, '$1') ?? escaped),
  );
}

/** The sources of values, loaded on first use, since most completions need none. */
function sourcesOf(io: Io, groups: readonly GroupEntry[]): ValueSources {
  return {
    async ids(kind, place) {
      const { cachedIds, inBackground } = await import('./ids.js');
      return cachedIds(io, inBackground(io))(kind, place);
    },
    async profiles() {
      const { readSettings } = await import('../settings/settings.js');
      return readSettings(io, {}).profiles;
    },
    fields: (place) => knownFields(place, groups),
    aliases: () => knownAliases(io, groups),
    async offered(offer, place) {
      if (offer === 'aliases') {
        return aliasNames(await storedAliases(io));
      }
      const { offeredOf } = await import('./offered.js');
      return offeredOf(io, offer, place);
    },
  };
}

/** The aliases that can be typed. */
async function knownAliases(io: Io, groups: readonly GroupEntry[]): Promise<ReadonlyMap<string, string>> {
  const stored = await storedAliases(io);
  if (stored.size === 0) return new Map();
  const { isAliasName, isTaken } = await import('../cli/parse/alias.js');
  const usable = [...stored].filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && isAliasName(entry[0]) && !isTaken(entry[0], groups),
  );
  return new Map(usable);
}

/** Without a settings file nothing else is loaded. */
async function storedAliases(io: Io): Promise<ReadonlyMap<string, unknown>> {
  const { settingsPaths } = await import('../settings/paths.js');
  const paths = settingsPaths(io);
  if (!existsSync(paths.configFile)) return new Map();
  try {
    return (await import('../settings/settings-file.js')).readAliases(io, paths);
  } catch {
    return new Map();
  }
}

async function knownFields({ command: outline, path }: Walk, groups: readonly GroupEntry[]) {
  if (outline === undefined) return [];
  const { commandAt } = await import('../cli/declare/outline.js');
  const { command } = await commandAt(groups, path.join(' '));
  const { spec, operations, returns } = command;
  const [operation] = operations;
  if (spec !== undefined && operation !== undefined) {
    return (await import('../cli/declare/shown.js')).viewOf(command, operation).fields;
  }
  if (returns === undefined) return [];
  const { fieldPaths } = await import('../output/printed-shapes.js');
  return fieldPaths(returns.type === 'array' ? returns.items : returns).fields;
}

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
    return (await values()).optionValues(place.pending, typed, place, sources);
  }
  if (!place.flagsEnded && typed.startsWith('-')) return flagOrValue(typed, place, sources);
  if (place.help) return helpWords(typed, place, groups);
  if (place.command === undefined || place.group !== undefined) {
    const found = startingWith(typed, commandsAt(place, groups, typed));
    const named = place.group === undefined ? await withAliases(found, typed, sources) : found;
    const isBegun = named.candidates.some(({ word }) => !isOtherName(word, place, groups));
    return isBegun ? named : meant(typed, place, groups, named);
  }
  return positional(typed, place, groups, sources);
}

/** Other names of commands that fit, and what a word means that begins no name. */
async function meant(typed: string, place: Walk, groups: readonly GroupEntry[], others: Completion) {
  const { meantCommands } = await import('./meant.js');
  const found = await meantCommands(typed, place, groups);
  return found === undefined ? others : { ...found, candidates: [...others.candidates, ...found.candidates] };
}

/** Whether a command at the root has this name beside its own. */
function isOtherName(word: string, { group }: Walk, groups: readonly GroupEntry[]): boolean {
  return group === undefined && groups.some(({ aliases = [] }) => aliases.includes(word));
}

/** Commands, and the names that a person gave to some. */
async function withAliases(found: Completion, typed: string, sources: ValueSources): Promise<Completion> {
  const aliases = await sources.aliases();
  if (aliases.size === 0) return found;
  const candidates = [...found.candidates, ...startingWith(typed, aliasNames(aliases)).candidates];
  return { ...found, candidates };
}

function aliasNames(aliases: ReadonlyMap<string, unknown>): Candidate[] {
  return [...aliases].flatMap(([word, expansion]) =>
    isPlainWord(word) ? [{ word, note: safeLine(`Alias for ${String(expansion)}`) }] : [],
  );
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
  if (expansion === undefined) {
    const { meantByWords } = await import('./meant.js');
    return meantByWords([word, ...rest, words.at(-1) ?? '']) ?? nothing;
  }
  const args = [...rest, ...tail];
  const typed = words.at(-1) ?? '';
  const { line, before } = await inPlaceOf(expansion, args, typed);
  const first = words.slice(0, words.length - args.length - 2);
  const found = await complete([...first, ...line], groups, withoutAliases(sources));
  if (before === '') return found;
  const candidates = found.candidates.map((one) => ({ ...one, word: one.word.slice(before.length) }));
  const { files: paths, ...others } = found;
  const shorter = paths && { ...paths, before: paths.before.slice(before.length) };
  return { ...others, candidates, files: shorter };
}

/**
 * The words to complete for one that is typed behind an alias: up to its place, where the alias has one for it, else
 * all of them and those that have no place.
 * @param args the words behind the alias before the typed one
 * @returns `before`: what the last word has in front of what was typed, such as `--space=`
 */
async function inPlaceOf(
  expansion: string,
  args: readonly string[],
  typed: string,
): Promise<{ line: string[]; before: string }> {
  const { filled, placesIn } = await import('../cli/parse/alias.js');
  const words = shellWords(expansion);
  const own = `$${args.length + 1}`;
  const at = words.findIndex((word) => placesIn([word]).has(args.length + 1));
  if (at !== -1) {
    const word = words[at] ?? '';
    const [before = ''] = filled([word.slice(0, word.indexOf(own))], args);
    return { line: [...filled(words.slice(0, at), args), before + typed], before };
  }
  const places = placesIn(words);
  const behind = args.filter((_, index) => !places.has(index + 1));
  return { line: [...filled(words, args), ...behind, typed], before: '' };
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
  const found = await (await values()).optionValues(option, value, place, sources);
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
    .filter(({ name, variadic, hidden }) => !hidden && (variadic || !place.flags.has(name)))
    .flatMap((option) => spellings(option).map((word) => ({ word, note: option.description })))
    .concat(place.command === undefined ? [{ word: '--version', note: 'Print the version' }] : [])
    .concat([{ word: '--help', note: 'Show help' }]);
}

function commandsAt(place: Walk, groups: readonly GroupEntry[], typed: string): Candidate[] {
  const placed = place.path.length === 1 ? placedIn(place.path[0] ?? '', groups) : [];
  const entries = place.group === undefined ? rootEntries(groups) : [...place.group.commands, ...placed];
  const named = entries.map(({ name, summary }) => ({ word: name, note: summary }));
  const root = place.group === undefined && !place.help;
  const all = root ? [...named, { word: 'help', note: 'Show help for a command or topic' }] : named;
  if (all.some(({ word }) => word.startsWith(typed))) return all;
  // Aliases, and groups that are shown in another, are offered only if no full name matches.
  const others = root
    ? groups.map(({ name, aliases = [], summary }) => ({ aliases: [name, ...aliases], summary }))
    : entries;
  return others.flatMap(({ aliases = [], summary }) => aliases.map((word) => ({ word, note: summary })));
}

async function helpWords(typed: string, place: Walk, groups: readonly GroupEntry[]): Promise<Completion> {
  if (place.command !== undefined && place.group === undefined) return nothing;
  const commands = commandsAt(place, groups, typed);
  if (place.group !== undefined) return startingWith(typed, commands);
  const { guideTopic, helpTopicNames } = await import('../cli/help/topic-names.js');
  const topics = helpTopicNames.map((word) => ({ word, note: 'Help topic' }));
  const all = [...topics, { word: guideTopic.name, note: guideTopic.summary }, ...commands];
  // A page of the same name is found under `docs help guide`.
  const isTaken = (word: string) => named(groups, word) !== undefined || all.some((one) => one.word === word);
  return startingWith(typed, [...all, ...(await guideCandidates()).filter(({ word }) => !isTaken(word))]);
}

/** Completes the page behind `docs help guide`, and the section behind a page. */
async function guideWords(typed: string, { path, unknown }: Walk): Promise<Completion> {
  if (path.length > 0 || unknown === undefined) return nothing;
  return startingWith(typed, await behindGuide([unknown.word, ...unknown.rest]));
}

/** The pages of the guide, with their titles. */
async function guideCandidates(): Promise<Candidate[]> {
  const { guidePages, titleOfPage } = await import('../cli/help/guide.js');
  return guidePages().map((word) => ({ word, note: `Guide: ${titleOfPage(word)}` }));
}

/** What can stand behind these words of `docs help`: a page, then a section of it. */
async function behindGuide(words: readonly string[]): Promise<Candidate[]> {
  const [{ guidePages, readPage, sectionsOf }, { guideTopic }] = await Promise.all([
    import('../cli/help/guide.js'),
    import('../cli/help/topic-names.js'),
  ]);
  const [page, ...more] = words[0] === guideTopic.name ? words.slice(1) : words;
  if (page === undefined) return guideCandidates();
  if (more.length > 0 || !guidePages().includes(page)) return [];
  return sectionsOf(readPage(page)).map(({ slug, title }) => ({ word: slug, note: title }));
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
  if (argument !== undefined) return (await values()).argumentValues(argument, typed, place, sources);
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

/** Completes the name of a command as a positional: `docs commands schema members update`. */
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
