/** What is said after a change, where the sentence that follows from the declaration would read wrong (VOICE.md, 7). */

/** A change that was made, for the command that says it in its own words. */
export interface Change {
  /** What would be said, without the check mark and a full stop: `Updated team Writers (t1): title`. */
  readonly sentence: string;
  /** What the command is about: `team Writers (t1)`; of many items, `3 teams`. */
  readonly what: string;
  /** How many items were changed at once, where they came as many. */
  readonly count: number | undefined;
  /** A path parameter: `teamId`. */
  path(name: string): string;
  /** What the body that was sent has at a dotted path. Of many items: the first. */
  sent(path: string): unknown;
  /** What the answer has at a dotted path; undefined for many items, and where it has nothing there. */
  answered(path: string): unknown;
  /** The text that the answer has there, cleaned. */
  textOf(path: string): string | undefined;
  /** A resource with its title, where that is known: `space Handbook (s1)`. */
  named(noun: string, id: unknown, title?: unknown): string;
}

/** With a capital letter, as a sentence begins. */
export function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** The sentence; further lines say what to do next. */
export type Says = (change: Change) => string | readonly (string | undefined)[];
