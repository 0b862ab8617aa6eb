import type { SqlValue } from '../../../src/sandbox/store/database.js';
import { idFrom, seedInstant } from '../../../src/sandbox/store/rows.js';

/** What the tables of a random organization are made with. */

export type Row = Record<string, SqlValue>;
export type Tables = Record<string, Row[]>;

/** Id of what the state names so. */
export const idOf = (name: string): string => idFrom(`generated ${name}`);
export const orgId = idOf('org');
/** Milliseconds: the first thing of a kind is the oldest. */
export const madeAt = (index: number): number => seedInstant - 86_400_000 * 100 + index * 1000;

/** One of a list, counted round its end. */
export const pick = <T>(list: readonly T[], at: number | null): T | undefined =>
  at === null || list.length === 0 ? undefined : list[at % list.length];

export type Add = (table: string, row: Row) => void;

export interface LiveSpace {
  id: string;
  title: string;
}
