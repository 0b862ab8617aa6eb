import { capital, type GroupEntry } from '../cli/declare/command.js';
import { wayOf } from '../cli/declare/ways.js';
import { meantElsewhere, wordsSaid } from '../cli/parse/suggest.js';
import { type Walk, walk } from '../cli/parse/walk.js';
import { cannotSentence, limitationOf } from '../model/cannot.js';
import type { Candidate, Completion } from './candidate.js';

/** A word that begins no command, but people say it: completion leads on where an unknown command would. */

/** The shortest beginning of such a word that counts: `per` for `permissions`. */
const shortest = 3;
const most = 6;

/**
 * The commands that a word means, in place of it; what cannot take its place is only shown.
 * @param place what was typed before the word
 * @returns undefined where the word means nothing
 */
export async function meantCommands(
  typed: string,
  place: Walk,
  groups: readonly GroupEntry[],
): Promise<Completion | undefined> {
  if (typed.length < shortest || typed.startsWith('-')) return undefined;
  const limited = limitationShown([...place.path, typed], typed);
  if (limited !== undefined) return limited;
  const oldNames = place.path.length > 0 ? [] : groups.flatMap(({ ways = {} }) => Object.keys(ways));
  const begun = oldNames.filter((name) => name.startsWith(typed) && !name.includes(' '));
  const said = [...new Set([typed, ...wordsSaid(place.path, typed), ...begun])];
  const found = await Promise.all(said.map((word) => meantBy(word, place, groups)));
  const lines = found.flat().filter(({ line }, at, all) => all.findIndex((one) => one.line === line) === at);
  if (lines.length === 0) return undefined;
  const before = place.path.map((word) => `${word} `).join('');
  if (!lines.every(({ line }) => line.startsWith(before)))
    return shown(
      lines.slice(0, most).map(({ said: word, line, note }) => ({ word, note: `docs ${line}: ${note}` })),
    );
  const candidates = lines
    .slice(0, most)
    .map(({ said: word, line, note }) => ({ word: line.slice(before.length), note, said: word }));
  return { candidates, byTitle: true };
}

/** Shows, for several words that name nothing, the limit of the API that they meet, or the search for them. */
export function meantByWords(words: readonly string[]): Completion | undefined {
  const typed = words.at(-1) ?? '';
  const whole = words.filter((word) => word !== '').join(' ');
  if (typed === '' || words.length < 2) return undefined;
  return (
    limitationShown(words, typed) ??
    shown([{ word: typed, note: `docs find ${whole}: Find the command for a task` }])
  );
}

function limitationShown(words: readonly string[], typed: string): Completion | undefined {
  const limitation = limitationOf(words.join(' '));
  return limitation && shown([{ word: typed, note: capital(cannotSentence(limitation)) }]);
}

const shown = (candidates: readonly Candidate[]): Completion => ({ candidates, shown: true });

interface Meant {
  said: string;
  line: string;
  note: string;
}

async function meantBy(said: string, place: Walk, groups: readonly GroupEntry[]): Promise<Meant[]> {
  const way = wayOf([...place.path, said], groups)?.split(' ');
  const unknown = { word: said, rest: [], tail: [] };
  const lines = way === undefined ? await meantElsewhere({ ...place, unknown }, groups) : [way];
  return Promise.all(
    lines.map(async (words) => {
      const { command, group } = await walk(words, groups);
      return { said, line: words.join(' '), note: (command ?? group)?.summary ?? 'Show help' };
    }),
  );
}
