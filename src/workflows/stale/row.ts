import { type Static, Type } from '../../api/type.js';
import { closed, maybe, stateOf, text } from '../../output/printed-shapes.js';

/**
 * warn: gets its warning; archive: was warned long enough ago; due: would be archived with `--archive`; warned: its
 * time runs; spared: something is new since its warning; damaged: its warning has lost its marker, so it is left
 * alone; exempt: it would be one of these, but for the list.
 */
export const staleActions = ['warn', 'archive', 'due', 'warned', 'spared', 'damaged', 'exempt'] as const;
export type StaleAction = (typeof staleActions)[number];

/** A change request that is stale, or was warned. */
export const StaleRow = closed({
  space: closed({ id: text, title: text }),
  number: Type.Number(),
  id: text,
  subject: text,
  author: Type.Optional(closed({ id: text, displayName: text, email: maybe })),
  updatedAt: text,
  lastActivityAt: Type.String({ description: 'The newest change, comment, reply or reaction' }),
  age: Type.Integer({ minimum: 0, description: 'Days since the last activity' }),
  action: stateOf(...staleActions),
  why: text,
  archiveAfter: Type.Optional(
    Type.String({ description: 'The day after which it will be archived, or could be' }),
  ),
  url: Type.Optional(Type.String({ description: 'Its page on the platform' })),
});
export type StaleRow = Static<typeof StaleRow>;

/** Unless flags say otherwise; `docs overview` counts by them. */
export const usualDays = { olderThan: 60, warn: 14 } as const;
export const usualSpans = { olderThan: `${usualDays.olderThan}d`, warn: `${usualDays.warn}d` } as const;
