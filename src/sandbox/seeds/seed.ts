import { seedInstant } from '../store/clock.js';
import type { Database } from '../store/database.js';
import { idFrom } from '../store/ids.js';
import type { SeedName } from './names.js';

/** Fills the tables of one resource, after those above it in index.ts. */
export interface ResourceSeed {
  /** Permanent: seeds the resource's random numbers. */
  name: string;
  tiny(seeding: Seeding): void;
  acme(seeding: Seeding): void;
  /** Default: as `tiny`. */
  huge?(seeding: Seeding): void;
}

/** What a resource's seed depends on. A seed's output does not depend on the other resources. */
export interface Seeding {
  db: Database;
  /** The id for a permanent name, such as `member ada`. */
  id(name: string): string;
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

export function seedingOf(db: Database, seed: SeedName, resource: string): Seeding {
  return {
    db,
    id: (name) => idFrom(`${seed} ${name}`),
    random: createRandom(`${seed} ${resource}`),
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
