import { type Static, Type } from '../api/type.js';
import type { DiffPart } from '../document/diff.js';
import { closed, Failure, maybe, oneOf, stateOf, text } from '../output/printed-shapes.js';
import { counted } from '../output/text.js';

/** What a change request changes, and the words for it: a page, a file, or reusable content. */

interface UnreadPart extends Pick<ContentChange, 'id' | 'title' | 'error'> {
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

export function countChange(tally: Tally, change: ContentChange): void {
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

const count = Type.Integer({ minimum: 0 });

/** Where a page is, or what a file is. */
const Location = closed({
  title: text,
  path: maybe,
  parent: Type.Optional(Type.String({ description: 'Id of the page above it' })),
  position: Type.Optional(Type.Integer({ minimum: 1, description: 'Among the pages beside it, from 1' })),
});
export type Location = Static<typeof Location>;

export const Hunk = closed({
  before: closed({ line: count, lines: count }),
  after: closed({ line: count, lines: count }),
  parts: Type.Array(closed({ change: oneOf('same', 'removed', 'added'), text }), {
    description: 'The text in pieces; line breaks are in them',
  }),
});
export type Hunk = Static<typeof Hunk>;
export type HunkPart = Hunk['parts'][number];

const changeWords = [
  'added',
  'removed',
  'moved',
  'renamed',
  'edited',
  'settings',
  'replaced',
  'unknown',
] as const;
export type ChangeWord = (typeof changeWords)[number];

/** What stands for several changes of one page: the first of these. */
const telling: readonly ChangeWord[] = [
  'added',
  'removed',
  'moved',
  'renamed',
  'edited',
  'replaced',
  'settings',
];

/** The one word for what changed. */
export function changeOf(changes: readonly ChangeWord[]): ChangeWord | 'none' {
  return telling.find((word) => changes.includes(word)) ?? changes[0] ?? 'none';
}

export const ContentChange = closed({
  kind: oneOf('page', 'file', 'reusable-content'),
  id: text,
  title: text,
  path: Type.Optional(Type.String({ description: 'Of a removed page, the one that it had' })),
  change: oneOf(...changeWords, 'none'),
  changes: Type.Array(oneOf(...changeWords), {
    description: 'All that apply; unknown if a text could not be read',
  }),
  from: Type.Optional(Location),
  to: Type.Optional(Location),
  fields: Type.Optional(
    Type.Array(
      closed({ field: text, from: Type.Optional(Type.Unknown()), to: Type.Optional(Type.Unknown()) }),
      { description: 'Other properties that differ, such as description or icon' },
    ),
  ),
  words: Type.Optional(closed({ added: count, removed: count })),
  hunks: Type.Optional(Type.Array(Hunk, { description: 'Left out if a text is too large to show' })),
  compared: Type.Optional(
    Type.Unsafe<'words' | 'lines' | 'counted'>({
      enum: ['words', 'lines', 'counted'],
      description: 'lines and counted: too large to compare more closely',
    }),
  ),
  error: Type.Optional(Failure),
});
export type ContentChange = Static<typeof ContentChange>;

const Reply = closed({ author: text, postedAt: text, text });

export const Thread = closed({
  id: text,
  author: text,
  postedAt: text,
  status: stateOf('open', 'resolved'),
  text,
  resolvedBy: maybe,
  replyCount: Type.Integer({ minimum: 0 }),
  replies: Type.Array(Reply, { description: 'Not read of resolved threads' }),
  error: Type.Optional(Failure),
});
export type Thread = Static<typeof Thread>;

const { kind: _, ...common } = ContentChange.properties;

export const Reviewed = closed({
  kind: oneOf('page', 'file', 'reusable-content', 'change-request'),
  ...common,
  comments: Type.Array(Thread),
});
export type Reviewed = Static<typeof Reviewed>;

/** A change as what is shown of it, in any medium. */
export function diffPart(change: ContentChange): DiffPart {
  const { kind, title, path, words, hunks } = change;
  return {
    ...{ as: kind.replaceAll('-', ' '), title, path, label: labelOf(change), what: changeText(change) },
    ...{ words, places: placeLines(change), fields: fieldLines(change), note: sizeNote(change), hunks },
  };
}

/** What a page or file is called where there is room for one text: its path in the space, or its name. */
export function labelOf({ kind, path, title }: ContentChange): string {
  return kind === 'page' ? (path ?? title) : title;
}

/** What happened, in one place: `moved, edited`. */
function changeText({ changes }: ContentChange): string {
  return changes.map((word) => (word === 'unknown' ? 'not compared' : word)).join(', ');
}

/** Where something was and is: each as a sentence without its end. */
function placeLines({ changes, from, to }: ContentChange): string[] {
  if (from === undefined || to === undefined) return [];
  const lines: string[] = [];
  if (changes.includes('renamed')) {
    if (from.title !== to.title) lines.push(`renamed from "${from.title}" to "${to.title}"`);
    else lines.push(`renamed from ${from.path ?? ''} to ${to.path ?? ''}`);
  }
  if (changes.includes('moved')) lines.push(moveLine(from, to));
  return lines;
}

function moveLine(from: Location, to: Location): string {
  if (from.parent === to.parent) return `moved from position ${from.position} to ${to.position}`;
  if (from.path === to.path) return `moved ${to.parent === undefined ? 'to the top' : 'below another page'}`;
  return `moved from ${from.path ?? from.title} to ${to.path ?? to.title}`;
}

/** Properties that differ, with both values. */
function fieldLines({ fields = [] }: ContentChange): { field: string; from: string; to: string }[] {
  return fields.map(({ field, from, to }) => ({ field, from: valueText(from), to: valueText(to) }));
}

function valueText(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Why the text of a change is not there, or not compared word by word. */
function sizeNote({ compared, error }: ContentChange): string | undefined {
  if (error !== undefined) return `Not compared: ${error.message}`;
  if (compared === 'counted') return 'The text is too large to show; its words are counted.';
  return compared === 'lines'
    ? 'The text is too large to compare word by word; whole lines are shown.'
    : undefined;
}
