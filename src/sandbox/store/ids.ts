import { hash } from 'node:crypto';
import type { Database } from './database.js';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const idLength = 20;

/** An opaque id of 20 letters and digits: the same for the same text, on every machine. */
export function idFrom(text: string): string {
  const digest = hash('sha256', text, 'buffer');
  let id = '';
  for (let index = 0; index < idLength; index += 1) id += alphabet[(digest[index] ?? 0) % alphabet.length];
  return id;
}

/**
 * The next id. It comes from the seed's name and a counter in the database, so that the same
 * requests after the same seed create the same ids. Call within a write.
 */
export function nextId(db: Database): string {
  const row = db.get<{ value: number }>(
    "UPDATE state SET value = value + 1 WHERE key = 'ids' RETURNING value",
  );
  return idFrom(`${seedName(db)}#${row?.value}`);
}

/** The seed that the database was created from. */
export function seedName(db: Database): string {
  return db.get<{ value: string }>("SELECT value FROM state WHERE key = 'seed'")?.value ?? '';
}
