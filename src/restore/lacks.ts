import type { Live } from '../organization/model.js';
import type { PlanNote } from '../plans/plan.js';
import { otherIn } from './counts.js';
import { never, restoring } from './kinds.js';
import type { Facts, Lack } from './lack.js';
import type { Part } from './parts.js';
import { unsetLacks } from './unset.js';

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

export interface Lacks {
  notes: PlanNote[];
  /** The notes that tell what differs now, and stays so. */
  differing: PlanNote[];
}

/** What does not come back, each with how many there are where that is counted. */
export function lackNotes(options: LackOptions): Lacks {
  const { parts, kinds, only } = options;
  const facts = only === undefined ? options : { ...options, saved: onlyOf(options.saved, only) };
  const own = Object.entries(restoring).flatMap(([kind, { by, beside, cannot = [] }]) => {
    const asked = [by?.part ?? beside ?? []].flat().some((part) => parts.has(part));
    const isThere = ofSpaces.has(kind) || ((only === undefined || kind === 'access') && kinds.has(kind));
    return isThere && asked ? cannot : [];
  });
  const others = never.filter(({ part }) => part === undefined || parts.has(part));
  const told = [...own, ...unsetLacks(facts), ...others].flatMap((lack) => noteOf(lack, facts));
  const differing = told.filter(
    ({ lack, note }) => (lack.differs || lack.of !== undefined) && note.count !== undefined,
  );
  return { notes: told.map(({ note }) => note), differing: differing.map(({ note }) => note) };
}

function noteOf(lack: Lack, facts: LackOptions): { lack: Lack; note: PlanNote }[] {
  const { what, why, found, more } = lack;
  const count = countOf(lack, facts);
  if (found || count === 0) return [];
  const message = [why, ...(more?.(facts) ?? [])].join(' ');
  return [
    { lack, note: { code: 'not-restored', item: what, message, ...(count !== undefined && { count }) } },
  ];
}

function countOf({ count, of }: Lack, facts: LackOptions): number | undefined {
  if (typeof count === 'function') return count(facts);
  if (count !== undefined) return facts.counts[count] ?? 0;
  return of && otherIn(of)(facts);
}

function onlyOf(saved: Live, only: ReadonlySet<string>): Live {
  const spaces = (saved.items.get('spaces') ?? []).filter(({ id }) => only.has(id));
  return { ...saved, items: new Map([...saved.items, ['spaces', spaces]]) };
}
