import { searchKey } from '../../../base/name.js';

import { safeLine } from '../../../output/text.js';

/** Characters of an excerpt before its match, and in all. */
const before = 16;
const longest = 160;

/** Words and phrases that must all occur, whatever their case and accents. */
export class Query {
  /** Folded; a space stands for any white space. */
  readonly #words: readonly (string | RegExp)[];

  /** @param typed words; one with white space in it, or in double quotes, is a phrase */
  constructor(typed: readonly string[]) {
    const texts = typed
      .map((word) => searchKey(word.replace(/^"(.*)"$/s, '$1')).trim())
      .filter((word) => word !== '');
    this.#words = texts.map((text) => (/\s/.test(text) ? phrase(text) : text));
  }

  /** Whether it has no words. */
  get isEmpty(): boolean {
    return this.#words.length === 0;
  }

  /** Whether every word occurs in one of the texts. */
  isIn(texts: readonly string[]): boolean {
    const folded = texts.map(searchKey);
    return this.#words.every((word) => folded.some((text) => placeOf(word, text) !== undefined));
  }

  /** One line around the first match in a text, safe to print; undefined if no word is in it. */
  excerpt(text: string): string | undefined {
    const folded = searchKey(text);
    const places = this.#words.flatMap((word) => placeOf(word, folded)?.start ?? []);
    if (places.length === 0) return undefined;
    const starts = startsOf(text);
    const match = starts[Math.min(...places)] ?? 0;
    const from = match <= before ? 0 : wholeAt(text, match - before);
    const to = wholeAt(text, Math.min(from + longest, text.length));
    const cut = text.slice(from, to).replaceAll(/\s+/g, ' ').trim();
    return safeLine(`${from === 0 ? '' : '…'}${cut}${to === text.length ? '' : '…'}`);
  }

  /** Where words are in a text, in order and apart from each other: start and end. */
  marks(text: string): [start: number, end: number][] {
    const folded = searchKey(text);
    const starts = startsOf(text);
    const found = this.#words.flatMap((word) => allPlaces(word, folded));
    found.sort((a, b) => a.start - b.start || b.end - a.end);
    const marks: [number, number][] = [];
    for (const { start, end } of found) {
      const [from, to] = [starts[start] ?? text.length, starts[end] ?? text.length];
      const last = marks.at(-1);
      if (last === undefined || from >= last[1]) marks.push([from, to]);
      else last[1] = Math.max(last[1], to);
    }
    return marks;
  }
}

interface Place {
  start: number;
  end: number;
}

/** Where in a text each character of its folded form begins. */
function startsOf(text: string): number[] {
  const starts: number[] = [];
  let at = 0;
  for (const character of text) {
    const length = searchKey(character).length;
    for (let one = 0; one < length; one += 1) starts.push(at);
    at += character.length;
  }
  return starts;
}

function phrase(text: string): RegExp {
  const words = text.split(/\s+/).map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  return new RegExp(words.join('\\s+'), 'g');
}

function placeOf(word: string | RegExp, folded: string): Place | undefined {
  if (typeof word === 'string') {
    const start = folded.indexOf(word);
    return start === -1 ? undefined : { start, end: start + word.length };
  }
  word.lastIndex = 0;
  const match = word.exec(folded);
  return match === null ? undefined : { start: match.index, end: match.index + match[0].length };
}

function allPlaces(word: string | RegExp, folded: string): Place[] {
  const places: Place[] = [];
  for (let from = 0; ; ) {
    const place = placeOf(word, folded.slice(from));
    if (place === undefined) return places;
    places.push({ start: from + place.start, end: from + place.end });
    from += place.end;
  }
}

/** A place that does not split a character of two units. */
function wholeAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}
