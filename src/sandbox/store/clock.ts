import type { Database } from './database.js';

export const seedInstant = Date.parse('2026-01-05T09:00:00.000Z');

export interface Clock {
  now(): number;
}

/**
 * The clock of a database: `seedInstant` when it was seeded, plus the real time since, plus all shifts. A copy of an
 * organization has the real time instead, since the times in it are real, too.
 */
export function databaseClock(db: Database, realNow: () => number): Clock {
  const sql = "SELECT value FROM local_state WHERE key = 'clock'";
  const read = () => db.get<{ value: number }>(sql)?.value ?? 0;
  return { now: () => realNow() + db.remember('clock', read, ['local_state']) };
}

/** Starts the clock at an instant. Call within a write. */
export function startClock(db: Database, realNow: number, instant = seedInstant): void {
  db.run("INSERT OR REPLACE INTO local_state (key, value) VALUES ('clock', ?)", instant - realNow);
}

/** Moves the clock by milliseconds, which may be negative. Call within a write. */
export function shiftClock(db: Database, byMs: number): void {
  db.run("UPDATE local_state SET value = value + ? WHERE key = 'clock'", byMs);
}

/** The instant as the platform writes it: ISO 8601 with milliseconds, UTC. */
export function iso(instant: number): string {
  return new Date(instant).toISOString();
}
