import type { Database } from '../store/database.js';
import { idFrom, seedInstant } from '../store/rows.js';
import type { SeedName } from './names.js';

/** What a part of a seed depends on. Its output does not depend on the other parts. */
export interface Seeding {
  db: Database;
  /** The id for a permanent name, such as `member ada`. */
  id(name: string): string;
  /** A value of a file with an id in place of each `@name`. */
  named<T>(value: T): T;
  random: Random;
  /** Days and hours before `seedInstant`, in milliseconds since the epoch. */
  daysAgo(days: number, hours?: number): number;
}

/** Random numbers, the same in every run. */
export interface Random {
  /** A whole number from 0 to `below` - 1. */
  below(below: number): number;
  pick<T>(values: readonly [T, ...T[]]): T;
  /** Like `pick`, for a list that is not empty. */
  of(values: readonly string[]): string;
}

const dayMs = 86_400_000;

/** @param part permanent: seeds its random numbers */
export function seedingOf(db: Database, seed: SeedName, part: string): Seeding {
  const id = (name: string) => idFrom(`${seed} ${name}`);
  return {
    db,
    id,
    named: (value) =>
      JSON.parse(JSON.stringify(value), (_, one) =>
        typeof one === 'string' && one.startsWith('@') ? id(one.slice(1)) : one,
      ),
    random: createRandom(`${seed} ${part}`),
    daysAgo: (days, hours = 0) => seedInstant - days * dayMs - hours * 3_600_000,
  };
}

/** Mulberry32, seeded from a string. */
export function createRandom(text: string): Random {
  const mix = (hash: number, letter: string) => Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  let state = [...text].reduce(mix, 0x811c9dc5);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), bits | 61)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    below: (below) => Math.floor(next() * below),
    pick: (values) => values[Math.floor(next() * values.length)] ?? values[0],
    of: (values) => values[Math.floor(next() * values.length)] ?? '',
  };
}
