import type { Database } from './database.js';

/** What every seed calls now. */
export const seedInstant = Date.parse('2026-01-05T09:00:00.000Z');

/** The sandbox's own time. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/**
 * The clock of a database: it stood at `seedInstant` when the database was seeded and runs on with
 * real time, closed or not, plus the shifts given since.
 * @param realNow milliseconds since the epoch, of the outside world
 */
export function databaseClock(db: Database, realNow: () => number): Clock {
  return { now: () => realNow() + clockOffset(db) };
}

/** Starts the clock at `instant`. Call it within a write. */
export function startClock(db: Database, realNow: number, instant = seedInstant): void {
  db.run("INSERT OR REPLACE INTO local_state (key, value) VALUES ('clock', ?)", instant - realNow);
}

/** Moves the clock by that many milliseconds, back where negative. Call it within a write. */
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
