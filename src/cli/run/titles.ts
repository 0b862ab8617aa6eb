import type { Titles } from '../../output/titles.js';
import { isForPerson } from './output-form.js';
import type { Known, TitleSource } from './title-source.js';

/** Titles beside ids, for a person who reads a table on a terminal. Everything is loaded at the first id. */

/** Titles where a person reads. */
export function titlesFor(source: TitleSource): Titles | undefined {
  return isForPerson(source) ? titlesFrom(source) : undefined;
}

/** Finds titles in the answer itself, in recent lists, and by a few requests. */
function titlesFrom(source: TitleSource): Titles {
  let known: Known | undefined;
  return {
    async learn(items, refs, within) {
      if (Object.keys(refs).length === 0) return;
      const { findTitles, nothingKnown } = await import('./find-titles.js');
      known ??= nothingKnown();
      await findTitles(source, known, items, refs, within);
    },
    titleOf: (kind, id) => known?.titles.get(kind)?.get(id) ?? known?.own.get(id),
  };
}
