import { type Static, Type } from '../../../api/type.js';
import { closed, maybe, text } from '../../../output/printed-shapes.js';

export const SearchHit = closed({
  kind: Type.String({
    description: 'What it is: page, file, comment, reply, change-request, space, member, …',
  }),
  id: maybe,
  title: text,
  space: Type.Optional(Type.String({ description: 'Title of the space it is in' })),
  path: Type.String({ description: 'Where it is in the backup' }),
  snippet: Type.Optional(
    Type.String({ description: 'Text around the first match; absent if only the title matches' }),
  ),
});
export type SearchHit = Static<typeof SearchHit>;

/** What a search can be limited to. */
export const searchAreas = [
  ...(['titles', 'pages', 'files', 'comments', 'change-requests', 'spaces', 'people', 'sites'] as const),
  ...(['specs', 'fields', 'settings'] as const),
] as const;
export type SearchArea = (typeof searchAreas)[number];
