import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '../store/database.js';

/** Tickets: secrets in the addresses that `docs sandbox open` opens. Each works once, and only for minutes. */

/** For how long a ticket works. */
export const ticketMinutes = 5;

/** As text in an address; nothing else of it is kept. */
const ticketBytes = 32;

/**
 * Makes a ticket, of which the database keeps the hash alone. Call within a write.
 * @param now milliseconds of the real clock: that of the sandbox is moved by its users
 */
export function makeTicket(db: Database, now: number): string {
  const ticket = randomBytes(ticketBytes).toString('base64url');
  db.run('DELETE FROM local_tickets WHERE expires_at <= ?', now);
  const sql = 'INSERT INTO local_tickets (hash, expires_at) VALUES (?, ?)';
  db.run(sql, hashOf(ticket), now + ticketMinutes * 60_000);
  return ticket;
}

/** Removes a ticket and says whether it was good: known, not used before, not expired. */
export function takeTicket(db: Database, ticket: string, now: number): boolean {
  const sql = 'DELETE FROM local_tickets WHERE hash = ? RETURNING expires_at';
  const row = db.note(() => db.get<{ expires_at: number }>(sql, hashOf(ticket)));
  return row !== undefined && row.expires_at > now;
}

function hashOf(ticket: string): string {
  return createHash('sha256').update(ticket).digest('hex');
}
