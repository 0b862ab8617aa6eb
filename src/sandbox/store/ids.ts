import { hash } from 'node:crypto';
import type { Database } from './database.js';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** An opaque id of 20 letters and digits: the same for the same text, on every machine. */
export function idFrom(text: string): string {
  const digest = hash('sha256', text, 'buffer').subarray(0, 20);
  return Array.from(digest, (byte) => alphabet[byte % alphabet.length]).join('');
}

/**
 * The next id, from the seed's name and a counter in the database, so that the same requests after the same
 * seed create the same ids. Call within a write.
 */
export function nextId(db: Database): string {
  const count = "UPDATE state SET value = value + 1 WHERE key = 'ids' RETURNING value";
  const number = db.get<{ value: number }>(count)?.value;
  const seed = db.get<{ value: string }>("SELECT value FROM state WHERE key = 'seed'")?.value ?? '';
  return idFrom(`${seed}#${number}`);
}
