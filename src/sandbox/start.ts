import type { FastifyInstance } from 'fastify';
import { DocsError } from '../errors.js';
import type { Io } from '../io.js';
import { createServer } from './server.js';
import { isFilled, openStore, type Store } from './store.js';
import { listTokens, type Token } from './tokens.js';

export interface SandboxOptions {
  /** The database, made where there is none; `:memory:` for one that ends with the server. */
  file: string;
  /** Seed of a new database: a name, or the path of an export; `tiny` unless given. */
  seed?: string;
  /** 0, the default, takes a free one. */
  port?: number;
  io: Pick<Io, 'now' | 'sleep'>;
}

/** A sandbox that listens on 127.0.0.1. */
export interface RunningSandbox {
  /** Base URL without `/v1`, such as `http://127.0.0.1:41234`. */
  url: string;
  /** The admin's token. */
  token: string;
  /** What commands work on unless told otherwise: the first organization, and the first in it. */
  defaults: { org: string; space?: string; site?: string };
  tokens: Token[];
  /** Ends the server after the requests in flight and closes the database. */
  close(): Promise<void>;
}

/**
 * Starts a sandbox on 127.0.0.1; an empty database is seeded first.
 * @throws DocsError `local-io` where the port or the file cannot be used; `configuration` where the
 *   database is not of this program
 */
export async function startSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const store = await openStore(options.file, options.io);
  if (!isFilled(store.db)) await fill(store, options);
  const app = await createServer({
    ...store,
    instance: takeInstance(store),
    sleep: options.io.sleep,
    loadCheck: async () => (await import('../api/check.js')).createChecker({ knownOnly: true }),
  });
  const url = await listen(app, options.port ?? 0, store);
  const tokens = listTokens(store.db);
  return {
    url,
    token: tokens.find(({ name }) => name === 'admin')?.token ?? '',
    defaults: defaultsOf(store),
    tokens,
    async close() {
      await app.close();
      store.db.close();
    },
  };
}

async function fill({ db }: Store, { seed = 'tiny', io }: SandboxOptions): Promise<void> {
  const { fillFrom } = await import('./fill.js');
  await fillFrom(db, seed, io);
}

/** The number of this server among all that have used the database; it begins their request ids. */
function takeInstance({ db }: Store): number {
  const sql = `INSERT INTO local_state (key, value) VALUES ('instance', 1)
    ON CONFLICT (key) DO UPDATE SET value = value + 1 RETURNING value`;
  return db.write(() => db.get<{ value: number }>(sql)?.value ?? 1);
}

async function listen(app: FastifyInstance, port: number, { db }: Store): Promise<string> {
  try {
    return await app.listen({ host: '127.0.0.1', port });
  } catch (cause) {
    db.close();
    const why =
      (cause as { code?: string }).code === 'EADDRINUSE' ? 'it is in use' : (cause as Error).message;
    throw new DocsError('local-io', 'cannot_listen', `Cannot listen on port ${port}: ${why}.`, { cause });
  }
}

function defaultsOf({ db }: Store): RunningSandbox['defaults'] {
  const org =
    db.get<{ id: string }>('SELECT id FROM organizations ORDER BY created_at, id LIMIT 1')?.id ?? '';
  const sql = `SELECT id FROM spaces WHERE org_id = ? AND deleted_at IS NULL
    ORDER BY parent_id IS NOT NULL, position, id LIMIT 1`;
  const space = db.get<{ id: string }>(sql, org)?.id;
  return { org, ...(space !== undefined && { space }) };
}
