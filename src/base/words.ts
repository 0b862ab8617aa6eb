/** Words of a text as people ask and commands are named: without endings, and without those that say nothing. */

/** Words that nearly every question holds. `who` and `can` are read before these go: see synonyms.ts. */
const idle = new Set(
  (
    'a an the of in on at to for from by with and or is are was were be been it its this that these those ' +
    'i me my mine we us our you your he she they their them him her his what which how where when why who ' +
    'do does did can could should would will may must want need please take have has had some any every so if ' +
    'then than as into onto about there here up not no yes docs command commands'
  ).split(' '),
);

/** The words of a text, in small letters, in order. `someone's` is `someone`; `change-request` is two. */
export function wordsIn(text: string): string[] {
  return (
    text
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .replaceAll(/[’']s\b/g, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** Whether a word says nothing of what is sought. */
export function isIdle(word: string): boolean {
  return idle.has(word);
}

/**
 * A word without its ending, so that `deleted`, `deleting` and `deletes` are one. The result is for comparison
 * and need not be a word. Words of three letters or fewer stay as they are.
 */
export function stem(word: string): string {
  if (word.length <= 3) return word;
  return withoutEnd(withoutVerbEnd(withoutPlural(word.replace('isation', 'ization'))));
}

function withoutPlural(word: string): string {
  if (/(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.replace(/(?<=s|x|z|ch|sh)es$|(?<=[^s])s$/, '');
}

/** Without `-ing`, `-ed` and `-er`, where at least three letters with a vowel are left. */
function withoutVerbEnd(word: string): string {
  const [, begin = ''] = /^(.*)(?:ing|ed)$/.exec(word) ?? [];
  return begin.length >= 3 && /[aeiouy]/.test(begin) ? begin : word;
}

/** One end for `merge` and `merging`, `copy` and `copied`, `stop` and `stopped`. */
function withoutEnd(word: string): string {
  return word
    .replace(/(?<=...)e$/, '')
    .replace(/y$/, 'i')
    .replace(/([^aeiou])\1$/, '$1');
}
