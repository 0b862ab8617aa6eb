import { type Static, Type } from '../../api/type.js';
import { closed, Failure, maybe, oneOf, text } from '../../output/printed-shapes.js';

/** What a change request changes: a page, a file, or reusable content. */

const count = Type.Integer({ minimum: 0 });

/** Where a page is, or what a file is. */
const Place = closed({
  title: text,
  path: maybe,
  parent: Type.Optional(Type.String({ description: 'Id of the page above it' })),
  position: Type.Optional(Type.Integer({ minimum: 1, description: 'Among the pages beside it, from 1' })),
});
export type Place = Static<typeof Place>;

export const Hunk = closed({
  before: closed({ line: count, lines: count }),
  after: closed({ line: count, lines: count }),
  parts: Type.Array(closed({ change: oneOf('same', 'removed', 'added'), text }), {
    description: 'The text in pieces; line breaks are in them',
  }),
});
export type Hunk = Static<typeof Hunk>;
export type HunkPart = Hunk['parts'][number];

export const changeWords = [
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
    description: 'All that apply; unknown where a text could not be read',
  }),
  from: Type.Optional(Place),
  to: Type.Optional(Place),
  fields: Type.Optional(
    Type.Array(
      closed({ field: text, from: Type.Optional(Type.Unknown()), to: Type.Optional(Type.Unknown()) }),
      { description: 'Other properties that differ, such as description or icon' },
    ),
  ),
  words: Type.Optional(closed({ added: count, removed: count })),
  hunks: Type.Optional(Type.Array(Hunk, { description: 'Left out where a text is too large to show' })),
  compared: Type.Optional(
    Type.Unsafe<'words' | 'lines' | 'counted'>({
      enum: ['words', 'lines', 'counted'],
      description: 'lines and counted: too large to compare more closely',
    }),
  ),
  error: Type.Optional(Failure),
});
export type ContentChange = Static<typeof ContentChange>;
