import type { ImpactQuestion } from '../../access/impact/change.js';
import { shellWord } from '../../settings/shell-word.js';
import { atPlace } from '../declare/place-flags.js';
import type { Session } from '../declare/session.js';

/** The commands that show all of an impact. */

/** More ids than this make a line that nobody reads. */
const mostIds = 5;

/** The flag that names what a thing is in, and the one that says where it goes, as `docs impact` has them. */
const withinFlags: Readonly<Record<string, string>> = { siteId: '--site', spaceId: '--space' };

/** @returns one command for each question, in its order; with `<id...>` for many things */
export function impactCommands({ io, globals }: Session, questions: readonly ImpactQuestion[]): string[] {
  const word = (text: string) => shellWord(text, io.platform);
  const all = questions.flatMap(({ action, things, to = {} }) =>
    [...new Set(things.map(({ object, within = {} }) => JSON.stringify([object, within])))].map((group) => {
      const [object, within] = JSON.parse(group) as [string, Record<string, string>];
      const own = things.filter((thing) => JSON.stringify([thing.object, thing.within ?? {}]) === group);
      const ids = own.length > mostIds ? ['<id...>'] : own.map(({ id }) => word(id));
      const around = Object.entries(within).flatMap(([name, id]) => [withinFlags[name] ?? '', word(id)]);
      return ['docs impact', action, object, ...ids, ...around, ...targetWords(to, word)].join(' ');
    }),
  );
  return [...new Set(all)].map((command) => atPlace(command, globals, io.platform));
}

function targetWords(to: NonNullable<ImpactQuestion['to']>, word: (text: string) => string): string[] {
  return Object.entries(to).flatMap(([name, value]) => [`--${name}`, word(String(value))]);
}
