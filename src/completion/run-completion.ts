import { existsSync } from 'node:fs';
import type { Io } from '../base/io.js';
import type { GroupEntry } from '../cli/declare/command.js';
import type { Walk } from '../cli/parse/walk.js';
import type { Completion } from './candidate.js';
import { complete } from './complete.js';
import type { ValueSources } from './values.js';

/**
 * `docs __complete <words…>` prints one candidate per line, `word` or `word<TAB>note`, then instructions
 * for the shell, each on a line that starts with a colon:
 *
 *     :files <before>     offer files, after this part of the current word
 *     :folders <before>   offer folders only
 *     :goes-on            add no space after the word
 *     :by-title           the words fit by their notes: put one in place of what was typed
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
  const candidates = found.candidates.flatMap(({ word, note = '' }) => {
    if (word.startsWith(typed)) return [{ word, note }];
    return note.endsWith('…') || note.startsWith('-')
      ? []
      : [{ word: before + note, note: word.slice(before.length) }];
  });
  return { candidates: [...new Map(candidates.map((one) => [one.word, one])).values()] };
}

function textOf({ candidates, files, goesOn, byTitle }: Completion): string {
  const lines = candidates.map(({ word, note = '' }) => (note === '' ? word : `${word}\t${note}`));
  if (files !== undefined) lines.push(`:${files.foldersOnly ? 'folders' : 'files'} ${files.before}`);
  if (goesOn) lines.push(':goes-on');
  // First, since it says how to take the words.
  if (byTitle) lines.unshift(':by-title');
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
      const { cachedIds } = await import('./ids.js');
      const { inBackground } = await import('./background.js');
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
        const { aliasNames } = await import('./aliases.js');
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
  const { commandAt } = await import('../cli/declare/tree.js');
  const { command } = await commandAt(groups, path.join(' '));
  const { spec, operations, returns } = command;
  const [operation] = operations;
  if (spec !== undefined && operation !== undefined) {
    return (await import('../cli/run/view.js')).viewOf(command, operation).fields;
  }
  if (returns === undefined) return [];
  const { fieldPaths } = await import('../output/field-paths.js');
  return fieldPaths(returns.type === 'array' ? returns.items : returns).fields;
}
