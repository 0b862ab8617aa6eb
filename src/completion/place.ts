import { type GroupEntry, isGroup } from '../cli/declare/command.js';
import { globalOptions } from '../cli/declare/global-flags.js';
import {
  type CommandOutline,
  type GroupOutline,
  type OptionOutline,
  outlineOf,
} from '../cli/declare/outline.js';
import { isValueOptional } from '../cli/help/value-schema.js';
import { spellings } from '../cli/parse/walk.js';

/** The position of the cursor in a command line, from the words before it. */

/** The words before the cursor, parsed. */
export interface Place {
  /** The group whose command comes next; absent at the root and inside a command. */
  group?: GroupOutline;
  command?: CommandOutline;
  /** The full names of the group and command. */
  path: readonly string[];
  /** The positionals so far. */
  args: readonly string[];
  /** The values of the flags so far, by long name; empty for a flag without a value. */
  flags: ReadonlyMap<string, readonly string[]>;
  /** The flag whose value is at the cursor. */
  pending?: OptionOutline;
  /** Whether `--` was typed, after which there are no flags. */
  flagsEnded: boolean;
  /** Whether a word is unknown, so that nothing can be offered. */
  lost: boolean;
  /** Whether the words follow `docs help`. */
  help: boolean;
}

/** A place under construction. */
type Draft = { -readonly [K in keyof Place]: Place[K] };

/**
 * Parses the words before the cursor. Loads only the group that they name.
 * @param words the words after `docs`, without the one at the cursor
 */
export async function placeOf(words: readonly string[], groups: readonly GroupEntry[]): Promise<Place> {
  const flags = new Map<string, readonly string[]>();
  const draft: Draft = { path: [], args: [], flags, flagsEnded: false, lost: false, help: false };
  for (const word of words) {
    if (draft.pending !== undefined && standsAlone(draft.pending, word)) delete draft.pending;
    if (draft.pending !== undefined) {
      note(flags, draft.pending.name, word);
      delete draft.pending;
    } else if (!draft.flagsEnded && word === '--') {
      draft.flagsEnded = true;
    } else if (!draft.flagsEnded && word.startsWith('-') && word !== '-') {
      readFlag(draft, flags, word);
    } else if (draft.command !== undefined) {
      draft.args = [...draft.args, word];
    } else {
      await descend(draft, word, groups);
    }
  }
  return draft;
}

/** Whether a flag with an optional value has none before this word. */
export function standsAlone(option: OptionOutline, word: string): boolean {
  return isValueOptional(option) && word.startsWith('-');
}

/** The flags valid here. */
export function flagsAt({ command }: Pick<Place, 'command'>): readonly OptionOutline[] {
  return [...(command?.options ?? []), ...globalOptions];
}

function readFlag(draft: Draft, flags: Map<string, readonly string[]>, word: string): void {
  const [, name = word.slice(2), value] = /^--([^=]*)=(.*)$/s.exec(word) ?? [];
  const isLong = word.startsWith('--');
  const option = flagsAt(draft).find((known) =>
    isLong ? spellings(known).includes(`--${name}`) : known.short === word.charAt(1),
  );
  if (option === undefined) return;
  const attached = isLong ? value : word.slice(2) || undefined;
  if (option.boolean !== undefined) note(flags, option.name);
  else if (attached === undefined && option.value?.startsWith('[')) note(flags, option.name);
  else if (attached === undefined) draft.pending = option;
  else note(flags, option.name, attached);
}

function note(flags: Map<string, readonly string[]>, name: string, ...values: string[]): void {
  flags.set(name, [...(flags.get(name) ?? []), ...values]);
}

async function descend(draft: Draft, word: string, groups: readonly GroupEntry[]): Promise<void> {
  if (draft.lost) return;
  if (draft.path.length === 0 && word === 'help' && !draft.help) {
    draft.help = true;
    return;
  }
  const named = (entry: { name: string; aliases?: readonly string[] }): boolean =>
    entry.name === word || (entry.aliases?.includes(word) ?? false);
  const entry = draft.group === undefined ? groups.find(named) : undefined;
  const found = entry === undefined ? draft.group?.commands.find(named) : await outlineOf(entry);
  if (found === undefined) {
    draft.lost = true;
    return;
  }
  // A command at the root uses its name from there.
  draft.path = [...draft.path, entry?.name ?? found.name];
  if (isGroup(found)) draft.group = found;
  else draft.command = found;
}
