import type { Live } from '../organization/model.js';
import type { PlanNote } from '../plans/plan.js';
import { type Facts, type Lack, never, restoring } from './kinds.js';
import type { Part } from './parts.js';

/** What a restore does not bring back, told before it starts: only what there is, of what was asked for. */

export interface LackOptions extends Facts {
  parts: ReadonlySet<Part>;
  /** Kinds of files that the backup has. */
  kinds: ReadonlySet<string>;
  /** Of the whole backup, or of the spaces that were named. */
  counts: Readonly<Record<string, number>>;
  /** The spaces that were named; undefined for all. */
  only: ReadonlySet<string> | undefined;
}

/** Kinds of files that every space of a backup may have. */
const ofSpaces: ReadonlySet<string> = new Set([
  ...['space', 'fields', 'content', 'page', 'page-markdown', 'file', 'comments', 'change-request'],
]);

/** What does not come back, each with how many there are where that is counted. */
export function lackNotes(options: LackOptions): PlanNote[] {
  const { parts, kinds, only } = options;
  const facts = only === undefined ? options : { ...options, saved: onlyOf(options.saved, only) };
  const own = Object.entries(restoring).flatMap(([kind, { by, beside, cannot = [] }]) => {
    const part = by?.part ?? beside;
    const isThere = ofSpaces.has(kind) || (only === undefined && kinds.has(kind));
    return isThere && part !== undefined && parts.has(part) ? cannot : [];
  });
  const others = never.filter(({ part }) => part === undefined || parts.has(part));
  return [...own, ...others].flatMap((lack) => noteOf(lack, facts));
}

function noteOf({ what, why, count: counting, found }: Lack, facts: LackOptions): PlanNote[] {
  if (found) return [];
  const count = typeof counting === 'function' ? counting(facts) : facts.counts[counting ?? ''];
  if (counting !== undefined && (count ?? 0) === 0) return [];
  return [{ code: 'not-restored', item: what, message: why, ...(count !== undefined && { count }) }];
}

function onlyOf(saved: Live, only: ReadonlySet<string>): Live {
  const spaces = (saved.items.get('spaces') ?? []).filter(({ id }) => only.has(id));
  return { ...saved, items: new Map([...saved.items, ['spaces', spaces]]) };
}
