const longestWord = 64;

/**
 * The word of a list that a mistyped one most likely means: for "did you mean" of flags, commands,
 * settings and profiles.
 *
 * Counts insertions, deletions, replacements and swaps of neighbours, whatever the case; a short word
 * may differ by one, a longer one by two or three. Where none is that near, the only word that begins
 * with the given one.
 * @returns undefined where nothing is near; the first of equals
 */
export function nearest(word: string, words: Iterable<string>): string | undefined {
  if (word.length > longestWord) return undefined;
  const typed = word.toLowerCase();
  const known = [...words];
  let best: string | undefined;
  let bestDistance = tolerance(typed) + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - typed.length) >= bestDistance) continue;
    const distance = editDistance(typed, candidate.toLowerCase());
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

/** Damerau-Levenshtein distance in which no part is edited twice; three rows of memory. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      let least = Math.min(
        cell(last, column) + 1,
        cell(current, column - 1) + 1,
        cell(last, column - 1) + (same ? 0 : 1),
      );
      const swapped =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (swapped) least = Math.min(least, cell(beforeLast, column - 2) + 1);
      current.push(least);
    }
    beforeLast = last;
    last = current;
  }
  return cell(last, to.length);
}

function cell(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
