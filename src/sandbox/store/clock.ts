import type { Database } from './database.js';

/** The current time of every seed. */
export const seedInstant = Date.parse('2026-01-05T09:00:00.000Z');

/** The sandbox's clock. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/**
 * The clock of a database: `seedInstant` when the database was seeded, plus the real time since, plus
 * all shifts.
 * @param realNow real time in milliseconds since the epoch
 */
export function databaseClock(db: Database, realNow: () => number): Clock {
  return { now: () => realNow() + clockOffset(db) };
}

/** Starts the clock at `instant`. Call it within a write. */
export function startClock(db: Database, realNow: number, instant = seedInstant): void {
  db.run("INSERT OR REPLACE INTO local_state (key, value) VALUES ('clock', ?)", instant - realNow);
}

/** Moves the clock by a number of milliseconds, which may be negative. Call within a write. */
export function shiftClock(db: Database, byMs: number): void {
  db.run("UPDATE local_state SET value = value + ? WHERE key = 'clock'", byMs);
}

/** The instant as the platform writes it: ISO 8601 with milliseconds, UTC. */
export function iso(instant: number): string {
  return new Date(instant).toISOString();
}

function clockOffset(db: Database): number {
  const sql = "SELECT value FROM local_state WHERE key = 'clock'";
  return db.remember('clock', () => db.get<{ value: number }>(sql)?.value ?? 0, ['local_state']);
}
