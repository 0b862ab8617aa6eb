import { searchKey } from '../base/name.js';

/** A word that fits, with a description. */
export interface Candidate {
  /** Needs no quoting in any shell; see `isPlainWord`. */
  word: string;
  note?: string;
  /** What people say for it, where the word takes the place of what was typed. */
  said?: string;
}

/** The answer to the shell. */
export interface Completion {
  candidates: readonly Candidate[];
  /** Local files fit too; `before` is the part of the current word before the path, such as `@`. */
  files?: { before: string; foldersOnly: boolean };
  /** The word is incomplete, so the shell adds no space. */
  goesOn?: boolean;
  /** Some fit by their title alone, so the shell puts the word in place of what was typed. */
  byTitle?: boolean;
  /** The notes are the answer, so the shell lists the words, even a single one, and inserts none. */
  shown?: boolean;
}

export const nothing: Completion = { candidates: [] };

export function files(before: string, foldersOnly = false): Completion {
  return { candidates: [], files: { before, foldersOnly } };
}

/**
 * Whether a word needs no quoting in any shell. Only such words from the platform are offered. Ids consist
 * of letters, digits, `_` and `-` (platform-facts, "Shapes").
 */
export function isPlainWord(word: string): boolean {
  return /^\w[\w.@-]*$/.test(word) && word.length <= 200;
}

/**
 * The ids that start with the typed text, and those of whose title a word does, whatever the case and the accents: `gui` for
 * `Legal Guide`.
 */
export function namedBy(typed: string, ids: readonly Candidate[]): Completion {
  const wanted = searchKey(typed);
  const candidates = ids.filter(({ word, note = '' }) => word.startsWith(typed) || hasTitle(note, wanted));
  const byTitle = candidates.some(({ word }) => !word.startsWith(typed));
  return byTitle ? { candidates, byTitle } : { candidates };
}

function hasTitle(title: string, wanted: string): boolean {
  if (wanted === '') return true;
  const text = searchKey(title);
  if (text.startsWith(wanted)) return true;
  for (const { index } of text.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu))
    if (text.startsWith(wanted, index)) return true;
  return false;
}

/** The candidates that start with the typed text. */
export function startingWith(typed: string, candidates: readonly Candidate[]): Completion {
  return { candidates: candidates.filter(({ word }) => word.startsWith(typed)) };
}
