import { counted } from '../../output/text.js';
import type { ChangeWord, ContentChange } from './change.js';

export interface UnreadPart extends Pick<ContentChange, 'id' | 'title' | 'error'> {
  kind: 'page' | 'comments' | 'replies';
}

/** How much there is of each kind of change. */
export interface Tally {
  pages: Record<ChangeWord, number>;
  files: Record<ChangeWord, number>;
  reusable: number;
  /** Pages that changed in any way. */
  changed: number;
  words: { added: number; removed: number };
  /** Texts that were compared by lines, or counted, because they are too large. */
  large: number;
  /** Pages, and replies to comments, that could not be read. */
  unread: UnreadPart[];
}

export function newTally(): Tally {
  const none = () => ({
    ...{ added: 0, removed: 0, moved: 0, renamed: 0 },
    ...{ edited: 0, settings: 0, replaced: 0, unknown: 0 },
  });
  const words = { added: 0, removed: 0 };
  return { pages: none(), files: none(), reusable: 0, changed: 0, words, large: 0, unread: [] };
}

export function count(tally: Tally, change: ContentChange): void {
  const { kind, changes, words, compared, error, id, title } = change;
  if (kind === 'reusable-content') tally.reusable += 1;
  else for (const word of changes) tally[kind === 'page' ? 'pages' : 'files'][word] += 1;
  if (kind === 'page' && changes.some((word) => word !== 'unknown')) tally.changed += 1;
  if (words !== undefined) {
    tally.words.added += words.added;
    tally.words.removed += words.removed;
  }
  if (compared === 'lines' || compared === 'counted') tally.large += 1;
  if (error !== undefined) tally.unread.push({ kind: 'page', id, title, error });
}

const kinds: readonly (readonly [ChangeWord, string])[] = [
  ['added', 'added'],
  ['removed', 'removed'],
  ['edited', 'edited'],
  ['moved', 'moved'],
  ['renamed', 'renamed'],
  ['settings', 'with other settings'],
  ['replaced', 'replaced'],
];

/** `2 pages edited, 1 added; 12 words added, 3 removed`. */
export function tallyWords(tally: Tally): string {
  const { pages, files, reusable, words, unread } = tally;
  const parts = [...kindsOf(pages, 'page'), ...kindsOf(files, 'file')];
  if (reusable > 0) parts.push(`${counted(reusable, 'reusable content')} changed`);
  if (parts.length === 0 && unread.length === 0) return 'No differences.';
  const size =
    words.added + words.removed === 0
      ? ''
      : `; ${counted(words.added, 'word')} added, ${counted(words.removed, 'word')} removed`;
  const unknown = unread.length === 0 ? '' : ` Not read: ${counted(unread.length, 'part')}.`;
  return `${parts.length === 0 ? 'No differences found' : parts.join(', ')}${size}.${unknown}`;
}

/** The noun once, at the first. */
function kindsOf(counts: Record<ChangeWord, number>, noun: string): string[] {
  return kinds
    .filter(([kind]) => counts[kind] > 0)
    .map(([kind, label], index) =>
      index === 0 ? `${counted(counts[kind], noun)} ${label}` : `${counts[kind]} ${label}`,
    );
}
