import { diffArrays } from 'diff';
import type { HunkPart } from './change.js';
import { countWords, tokensOf } from './tokens.js';

/** Edits after which a comparison is given up: its time grows with their square. */
const mostEdits = 400;
/** Lines that have fewer words in common than this are shown whole: single words of them would be confetti. */
const leastInCommon = 0.2;

/** Pieces of a page that may still be compared word by word, so that no page takes long. */
export interface Budget {
  tokens: number;
  /** Whether lines were too many, or differed in too much, to be compared. */
  exceeded: boolean;
}

/**
 * Two runs of lines, word by word.
 * @returns undefined where they are too large or have too little in common
 */
export function compareWords(before: string, after: string, budget: Budget): HunkPart[] | undefined {
  const [old, now] = [tokensOf(before), tokensOf(after)];
  const size = old.length + now.length;
  const fits = size <= budget.tokens;
  if (fits) budget.tokens -= size;
  const found = fits ? diffArrays(old, now, { maxEditLength: mostEdits }) : undefined;
  if (found === undefined) {
    budget.exceeded = true;
    return undefined;
  }
  const parts = found.map(({ value, added, removed }): HunkPart => {
    const change = added ? 'added' : removed ? 'removed' : 'same';
    return { change, text: value.join('') };
  });
  const same = parts.reduce((sum, { change, text }) => sum + (change === 'same' ? countWords(text) : 0), 0);
  const most = Math.max(countWords(before), countWords(after));
  return same < most * leastInCommon ? undefined : joined(parts);
}

/** Changes that only a space separates become one, and what was removed comes before what was added. */
function joined(parts: readonly HunkPart[]): HunkPart[] {
  const result: HunkPart[] = [];
  let [removed, added] = ['', ''];
  const flush = () => {
    // The space that ends both was taken in with the words before it.
    const end = commonSpace(removed, added);
    const cut = (text: string) => text.slice(0, text.length - end.length);
    if (cut(removed) !== '') result.push({ change: 'removed', text: cut(removed) });
    if (cut(added) !== '') result.push({ change: 'added', text: cut(added) });
    if (end !== '') result.push({ change: 'same', text: end });
    [removed, added] = ['', ''];
  };
  for (const [index, { change, text }] of parts.entries()) {
    if (change === 'removed') removed += text;
    else if (change === 'added') added += text;
    else if (isGap(text) && removed !== '' && added !== '' && index < parts.length - 1) {
      removed += text;
      added += text;
    } else {
      flush();
      result.push({ change, text });
    }
  }
  flush();
  return result;
}

function commonSpace(one: string, other: string): string {
  const [first = '', second = ''] = [one, other].map((text) => /[^\S\n]*$/.exec(text)?.[0]);
  let length = 0;
  while (length < Math.min(first.length, second.length) && first.at(-1 - length) === second.at(-1 - length))
    length += 1;
  return first.slice(first.length - length);
}

function isGap(text: string): boolean {
  return /^[^\S\n]+$/.test(text);
}
