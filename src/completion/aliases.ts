import { shellWords } from '../base/shell-word.js';
import { filled, placesIn } from '../cli/parse/alias.js';
import { safeLine } from '../output/text.js';
import { type Candidate, isPlainWord } from './candidate.js';

/** Aliases of a person in completion. */

export function aliasNames(aliases: ReadonlyMap<string, unknown>): Candidate[] {
  return [...aliases].flatMap(([word, expansion]) =>
    isPlainWord(word) ? [{ word, note: safeLine(`Alias for ${String(expansion)}`) }] : [],
  );
}

/**
 * The words to complete for one that is typed behind an alias: up to its place, where the alias has one for it, else
 * all of them and those that have no place.
 * @param args the words behind the alias before the typed one
 * @returns `before`: what the last word has in front of what was typed, such as `--space=`
 */
export function inPlaceOf(
  expansion: string,
  args: readonly string[],
  typed: string,
): { line: string[]; before: string } {
  const words = shellWords(expansion);
  const own = `$${args.length + 1}`;
  const at = words.findIndex((word) => placesIn([word]).has(args.length + 1));
  if (at !== -1) {
    const word = words[at] ?? '';
    const [before = ''] = filled([word.slice(0, word.indexOf(own))], args);
    return { line: [...filled(words.slice(0, at), args), before + typed], before };
  }
  const places = placesIn(words);
  const behind = args.filter((_, index) => !places.has(index + 1));
  return { line: [...filled(words, args), ...behind, typed], before: '' };
}
