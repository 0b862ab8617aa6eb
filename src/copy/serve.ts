import { randomBytes } from 'node:crypto';
import { DocsError } from '../base/errors.js';
import type { FetchLimits } from '../sandbox/fetch-public.js';
import type { Front } from '../sandbox/server/front.js';
import type { ResponderParts } from '../sandbox/server/respond.js';
import { createServer } from '../sandbox/server/server.js';
import { ContentSource } from '../sandbox/sources.js';
import type { Database } from '../sandbox/store/database.js';
import { openStore, type Store } from '../sandbox/store/store.js';
import type { CopyOptions } from './copy.js';

/** Opens an empty database for a copy: its clock is the real one, and its ids are met nowhere else. */
export async function openEmpty(file: string, io: CopyOptions['io']): Promise<Store> {
  const store = await openStore(file, io);
  store.db.write(() => {
    const set = 'INSERT OR REPLACE INTO state (key, value) VALUES (?, ?)';
    store.db.run(set, 'seed', `copy-${randomBytes(12).toString('hex')}`);
    store.db.run(set, 'ids', 0);
  });
  return store;
}

/** Makes the token that acts as a member of a copy. */
export function makeToken(db: Database, organizationId: string, userId: string): string {
  const token = `sbx_${randomBytes(16).toString('hex')}`;
  db.write(() => {
    const sql = 'INSERT OR REPLACE INTO local_tokens (name, token, user_id, org_id) VALUES (?, ?, ?, ?)';
    db.run(sql, 'copy', token, userId, organizationId);
  });
  return token;
}

/** What answers requests to a copy; what is to be imported from a URL is fetched, from public addresses alone. */
export function respondWith(
  { db, clock }: Store,
  io: CopyOptions['io'],
  origin: () => string,
): ResponderParts {
  const fetchPublic = async (url: string, limits: FetchLimits) =>
    (await import('../sandbox/fetch-public.js')).fetchPublic(url, limits);
  return {
    db,
    clock,
    origin,
    source: new ContentSource({ folder: undefined, fetchPublic, now: () => io.now() }),
    loadCheck: async () => (await import('../api/check.js')).createChecker({ knownOnly: true }),
  };
}

export interface Served {
  url: string;
  close(): Promise<void>;
}

/** Serves a copy on a free port of 127.0.0.1. @throws DocsError `local-io` if none can be used */
export async function serve(parts: ResponderParts, front: Front, io: CopyOptions['io']): Promise<Served> {
  const server = createServer({ ...parts, instance: 1, sleep: io.sleep, front });
  try {
    const url = await server.listen(0);
    return { url, close: () => server.close() };
  } catch (cause) {
    const message = `Cannot listen on 127.0.0.1: ${(cause as Error).message}.`;
    throw new DocsError('local-io', 'cannot_listen', message, { cause });
  }
}
