/** What can stand where the cursor is. */

/** A word that fits, and what it is. */
export interface Candidate {
  /** Never anything that a shell reads as more than a word; see `isPlainWord`. */
  word: string;
  note?: string;
}

/** What the shell is told. */
export interface Completion {
  candidates: readonly Candidate[];
  /** Files of this machine fit, too: what of the current word stands before the path, such as `@`. */
  files?: { before: string; foldersOnly: boolean };
  /** No blank after the word: more of it follows. */
  goesOn?: boolean;
}

export const nothing: Completion = { candidates: [] };

/**
 * Whether a word means itself in every shell, with no quoting: what the platform sends is offered only
 * then. Ids are letters, digits, `_` and `-` (platform-facts, "Shapes").
 */
export function isPlainWord(word: string): boolean {
  return /^\w[\w.@-]*$/.test(word) && word.length <= 200;
}

/** Those that begin with what is typed. */
export function startingWith(typed: string, candidates: readonly Candidate[]): Completion {
  return { candidates: candidates.filter(({ word }) => word.startsWith(typed)) };
}
