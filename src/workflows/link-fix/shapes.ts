import { type Static, Type } from '../../api/type.js';
import { closed, maybe, oneOf, orNull, stateOf, text } from '../../output/printed-shapes.js';

/** What is printed of a broken link, and of what could be written in its place. */

/**
 * - `fixed`: an open change request has it corrected, as a read of its links and texts shows
 * - `proposed`: there is a target; `by` says how it was found
 * - `ambiguous`: there are several, in `candidates`
 * - `left`: there is none, or the page cannot be imported without a loss; `why` says which
 */
export const fixStatuses = ['fixed', 'proposed', 'ambiguous', 'left'] as const;
export type FixStatus = (typeof fixStatuses)[number];

const Place = closed({ id: text, title: maybe });

export const NewTarget = closed({
  space: Place,
  page: Type.Optional(closed({ id: text, title: text, path: text })),
  file: Type.Optional(closed({ id: text, name: text })),
  url: Type.String({ description: 'What is written on the page in place of the broken target' }),
});
export type NewTarget = Static<typeof NewTarget>;

export const LinkFix = closed({
  fingerprint: Type.String({
    description: 'As in docs links check: the same for the same link in every run',
  }),
  status: stateOf(...fixStatuses),
  by: orNull(oneOf('id', 'title')),
  space: Place,
  page: Type.Optional(closed({ id: text, title: maybe, path: maybe, url: maybe, file: maybe })),
  link: Type.String({ description: 'Where the link leads, in words' }),
  target: orNull(NewTarget),
  candidates: Type.Array(NewTarget),
  why: orNull(text),
  changeRequest: Type.Optional(
    Type.Integer({ description: 'Number of the open change request that fixes it' }),
  ),
});
export type LinkFix = Static<typeof LinkFix>;
