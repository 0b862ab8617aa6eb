import { type GroupEntry, isGroup } from '../declare/command.js';
import { globalOptionsOf, isSpelled } from '../declare/global-flags.js';
import { lineFlags } from '../declare/global-options.js';
import {
  type CommandOutline,
  type GroupOutline,
  type OptionOutline,
  type Outline,
  outlineOf,
} from '../declare/outline.js';
import { wayOf } from '../declare/ways.js';

/** Which command a command line means, and what was typed for it so far. */
export interface Walk {
  /** The words after `docs` that name a group or a command, in full. */
  path: readonly string[];
  /** Where in the line the words of `path` stand. */
  pathAt: readonly number[];
  /** The group whose commands come next; absent at the root and inside a command other than the group's own. */
  group?: GroupOutline;
  command?: CommandOutline;
  /** The page of the guide on what was named so far. */
  guide?: string;
  /** Positionals of the command so far. */
  args: readonly string[];
  /** Values of the flags so far, by long name; a flag without a value has an empty list. */
  flags: ReadonlyMap<string, readonly string[]>;
  /** The flag whose value comes next. */
  pending?: OptionOutline;
  /** Whether `--` was typed: no flags follow. */
  flagsEnded: boolean;
  /** After `docs help`: commands are named, not run. */
  help: boolean;
  /** The word that names neither group nor command; the words behind it up to a flag; and from there on. */
  unknown?: { word: string; rest: readonly string[]; tail: readonly string[] };
  /** The first flag that is not known where it stands, and the path up to there. */
  stray?: { flag: string; at: number; path: readonly string[] };
}

/** What is being filled in. */
type Draft = { -readonly [K in keyof Walk]: Walk[K] } & { flags: Map<string, readonly string[]> };

export interface Named {
  name: string;
  aliases?: readonly string[];
}

/** What stands at the root under a name. @param next the word behind it */
type OutlineFor = (entry: GroupEntry, next?: string) => Promise<Outline>;

/**
 * Walks along the words after `docs`. Loads the one group that they name.
 * Never fails: `unknown` and `stray` say which word or flag makes no sense.
 */
export async function walk(
  words: readonly string[],
  groups: readonly GroupEntry[],
  outlineFor: OutlineFor = outlineOf,
): Promise<Walk> {
  const draft: Draft = { path: [], pathAt: [], args: [], flags: new Map(), flagsEnded: false, help: false };
  for (const [at, word] of words.entries()) {
    if (draft.pending !== undefined && standsAlone(draft.pending, word)) delete draft.pending;
    if (draft.pending !== undefined) {
      note(draft, draft.pending, word);
      delete draft.pending;
    } else if (!draft.flagsEnded && word === '--') draft.flagsEnded = true;
    else if (!draft.flagsEnded && word.startsWith('-') && word !== '-') readFlag(draft, word, at);
    else if (draft.command !== undefined) draft.args = [...draft.args, word];
    else if (draft.unknown === undefined) await descend(draft, words, at, groups, outlineFor);
  }
  const own = draft.group?.own;
  if (own !== undefined && draft.command === undefined && draft.unknown === undefined) draft.command = own;
  return draft;
}

/** The one of that name or alias. */
export function named<T extends Named>(all: readonly T[], word: string): T | undefined {
  return all.find(({ name, aliases = [] }) => name === word || aliases.includes(word));
}

/** Whether a flag whose value may be left out stands alone before this word. */
export function standsAlone({ value }: OptionOutline, word: string): boolean {
  return value?.startsWith('[') === true && word.startsWith('-');
}

/** The flags that can be typed here. */
export function flagsAt({ command, group }: Pick<Walk, 'command' | 'group'>): readonly OptionOutline[] {
  const here = command ?? group?.own;
  return [...(here?.options ?? []), ...globalOptionsOf(here)];
}

function readFlag(draft: Draft, word: string, at: number): void {
  const isLong = word.startsWith('--');
  const end = word.includes('=') ? word.indexOf('=') : word.length;
  const name = word.slice(2, end);
  const value = end < word.length ? word.slice(end + 1) : undefined;
  const isMeant = (known: OptionOutline) =>
    isLong ? isSpelled(known, name) : known.short === word.charAt(1);
  const option = flagsAt(draft).find(isMeant) ?? lineFlags.find(isMeant);
  if (option === undefined) {
    const flag = word.split('=')[0] ?? word;
    if (draft.unknown === undefined) draft.stray ??= { flag, at, path: draft.path };
    return;
  }
  const attached = isLong ? value : word.slice(2) || undefined;
  if (option.boolean !== undefined) note(draft, option);
  else if (attached !== undefined) note(draft, option, attached);
  else if (option.value?.startsWith('[')) note(draft, option);
  else draft.pending = option;
}

function note({ flags }: Draft, { name }: OptionOutline, ...values: string[]): void {
  flags.set(name, [...(flags.get(name) ?? []), ...values]);
}

async function descend(
  draft: Draft,
  words: readonly string[],
  at: number,
  groups: readonly GroupEntry[],
  outlineFor: OutlineFor,
): Promise<void> {
  const word = words[at] ?? '';
  if (draft.path.length === 0 && word === 'help' && !draft.help) {
    draft.help = true;
    return;
  }
  const entry = draft.group === undefined ? named(groups, word) : undefined;
  const known = draft.group?.commands ?? [];
  const found = entry === undefined ? named(known, word) : await outlineFor(entry, words[at + 1]);
  // A command at the root is known by the name it has there.
  if (found !== undefined) return enter(draft, at, found, [...draft.path, entry?.name ?? found.name]);
  const way = wayOf([...draft.path, word], groups)?.split(' ');
  if (way !== undefined) return enter(draft, at, await nodeAt(way, groups), way);
  const own = draft.group?.own;
  if (own !== undefined && own.args.length > 0) {
    draft.command = own;
    draft.args = [word];
    return;
  }
  const behind = words.slice(at + 1);
  const flagAt = behind.findIndex((next) => next.startsWith('-'));
  const end = flagAt === -1 ? behind.length : flagAt;
  draft.unknown = { word, rest: behind.slice(0, end), tail: behind.slice(end) };
}

function enter(draft: Draft, at: number, found: Outline | undefined, path: readonly string[]): void {
  draft.path = path;
  draft.pathAt = [...draft.pathAt, at];
  if (found === undefined) return;
  if (found.guide !== undefined) draft.guide = found.guide;
  if (isGroup(found)) draft.group = found;
  else {
    delete draft.group;
    draft.command = found;
  }
}

/** What stands at a path of the tree. */
async function nodeAt(
  [root = '', ...words]: readonly string[],
  groups: readonly GroupEntry[],
): Promise<Outline | undefined> {
  const entry = named(groups, root);
  let node = entry && (await outlineOf(entry));
  for (const word of words) node = node && isGroup(node) ? named<Outline>(node.commands, word) : undefined;
  return node;
}
