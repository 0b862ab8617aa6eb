/** A word that fits, with a description. */
export interface Candidate {
  /** Needs no quoting in any shell; see `isPlainWord`. */
  word: string;
  note?: string;
}

/** The answer to the shell. */
export interface Completion {
  candidates: readonly Candidate[];
  /** Local files fit too; `before` is the part of the current word before the path, such as `@`. */
  files?: { before: string; foldersOnly: boolean };
  /** The word is incomplete, so the shell adds no space. */
  goesOn?: boolean;
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

/** The candidates that start with the typed text. */
export function startingWith(typed: string, candidates: readonly Candidate[]): Completion {
  return { candidates: candidates.filter(({ word }) => word.startsWith(typed)) };
}
