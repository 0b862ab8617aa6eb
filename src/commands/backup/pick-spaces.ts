import { DocsError, usageError } from '../../base/errors.js';
import { sameName } from '../../base/name.js';
import { shellWord } from '../../base/shell-word.js';
import { counted } from '../../output/text.js';
import type { Manifest, SpaceEntry } from '../../workflows/backup/folder/manifest.js';

/** Titles that are listed where one is not found. */
const mostTitles = 10;

/**
 * The spaces of a backup that `--space` names, by id, title or name of their folder; in the order of folders.
 * @param typed undefined for all
 * @param folder as typed, for the hint
 * @throws DocsError not-found `space_not_found`; usage `ambiguous_title`
 */
export function pickSpaces(
  { spaces }: Manifest,
  typed: readonly string[] | undefined,
  folder: string,
): SpaceEntry[] {
  const picked = typed === undefined ? [...spaces] : typed.map((word) => spaceOf(spaces, word, folder));
  return [...new Set(picked)].sort((a, b) => (a.folder < b.folder ? -1 : 1));
}

function spaceOf(spaces: readonly SpaceEntry[], word: string, folder: string): SpaceEntry {
  const same = (text: string): boolean => sameName(text, word);
  const exact = spaces.filter(({ id, folder: name }) => id === word || name === word);
  const found = exact.length > 0 ? exact : spaces.filter(({ title }) => same(title));
  const [first, ...others] = found;
  if (first === undefined)
    throw new DocsError('not-found', 'space_not_found', `space "${word}" not found in the backup`, {
      outcome: 'not-sent',
      lines: someOf(spaces),
      hint: `docs backup verify ${shellWord(folder, process.platform)} --offline`,
    });
  if (others.length === 0) return first;
  const ids = found.map(({ id }) => id).join(', ');
  throw usageError(
    'ambiguous_title',
    `several spaces of the backup are called "${word}": ${ids}; pass an id`,
  );
}

/** The titles of the first spaces, one a line. */
function someOf(spaces: readonly SpaceEntry[]): string[] {
  const titles = spaces.slice(0, mostTitles).map(({ title }) => `It has ${title}`);
  const left = spaces.length - titles.length;
  return left > 0 ? [...titles, `and ${counted(left, 'other space')}`] : titles;
}
