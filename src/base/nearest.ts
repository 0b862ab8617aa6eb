import { distance } from 'fastest-levenshtein';

const longestWord = 64;

/** The question at the end of a message that names a word. @param meant `nearest` of it */
export function didYouMean(meant: string | undefined): string {
  return meant === undefined ? '' : `. Did you mean ${meant}?`;
}

/**
 * The word of a list that a mistyped one most likely means. Counts insertions, deletions, replacements and a
 * swap of neighbours, ignoring case. A short word may differ by one edit, a longer one by two or three. If
 * none is that near, takes the only word that starts with the typed one.
 * @param most how many edits at most, where it is not that
 * @returns the first of equals; undefined if nothing is near
 */
export function nearest(word: string, words: Iterable<string>, most = tolerance(word)): string | undefined {
  if (word.length > longestWord) return undefined;
  const typed = word.toLowerCase();
  const known = [...words];
  let best: string | undefined;
  let bestDistance = most + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - typed.length) >= bestDistance) continue;
    const distance = editDistance(typed, candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best ?? onlyBeginning(typed, known);
}

function tolerance(word: string): number {
  const { length } = word.replace(/^-+/, '');
  return length <= 3 ? 1 : length <= 6 ? 2 : 3;
}

function onlyBeginning(typed: string, known: readonly string[]): string | undefined {
  if (typed.replace(/^-+/, '').length < 2) return undefined;
  const [first, ...others] = known.filter((candidate) => candidate.toLowerCase().startsWith(typed));
  return others.length === 0 ? first : undefined;
}

/**
 * The library counts a swap of neighbours as two edits, so each swap of the typed word is tried as one: where that could
 * lead below a distance, since it saves one edit at most.
 */
function editDistance(typed: string, candidate: string, below: number): number {
  const plain = distance(typed, candidate);
  if (plain > below) return plain;
  const swapped = [...typed.slice(1)].map(
    (letter, at) => typed.slice(0, at) + letter + typed[at] + typed.slice(at + 2),
  );
  const withSwap = swapped.map((word) => 1 + distance(word, candidate));
  return Math.min(plain, ...withSwap);
}
