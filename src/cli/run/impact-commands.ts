import type { Affected, ImpactQuestion } from '../../access/impact/change.js';
import { shellWord } from '../../base/shell-word.js';
import { wordForImpact } from '../../model/resources.js';
import { type ContextParameter, contextFlags } from '../declare/context-flags.js';
import { atPlace } from '../declare/place-flags.js';
import type { Session } from '../declare/session.js';

/** The commands that show all of an impact (`docs impact`); a test runs each through the parser. */

/** More ids than this make a line that nobody reads. */
const mostIds = 5;

/** @returns one command for each question and kind; with `<id...>` for many things */
export function impactCommands(
  { io, globals }: Pick<Session, 'io' | 'globals'>,
  questions: readonly ImpactQuestion[],
): string[] {
  const word = (text: string) => shellWord(text, io.platform);
  const all = questions.flatMap(({ action, things, to = {} }) => {
    const groups = new Map<string, Affected[]>();
    for (const thing of things) {
      const key = JSON.stringify([thing.object, thing.within]);
      groups.set(key, [...(groups.get(key) ?? []), thing]);
    }
    return [...groups.values()].map((own) => {
      const [{ object, within = {} }] = own as [Affected];
      const ids = own.length > mostIds ? ['<id...>'] : own.map(({ id }) => word(id));
      const around = Object.entries(within).flatMap(([name, id]) => [
        `--${contextFlags[name as ContextParameter]}`,
        word(id),
      ]);
      const parts = ['docs impact', action, wordForImpact(object), ...ids, ...around];
      return [...parts, ...targetWords(to, word)].join(' ');
    });
  });
  return [...new Set(all)].map((command) => atPlace(command, globals, io.platform));
}

function targetWords(to: NonNullable<ImpactQuestion['to']>, word: (text: string) => string): string[] {
  return Object.entries(to).flatMap(([name, value]) => {
    if (value === null) return ['--unset', name];
    return [name === 'organization' ? '--to-org' : `--${name}`, word(value)];
  });
}
