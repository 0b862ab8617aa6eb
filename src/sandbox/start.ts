import type { ConnectionLimits, Connections } from '../api/transport/exchange.js';
import { DocsError } from '../base/errors.js';
import type { Io } from '../base/io.js';
import type { FetchLimits } from './fetch-public.js';
import type { LoadPages } from './server/front.js';
import { LocalConnections, localUrl } from './server/local.js';
import { createServer, type SandboxServer } from './server/server.js';
import { adminToken, type Defaults, findDefaults, listTokens, type Token } from './server/tokens.js';
import { ContentSource } from './sources.js';
import { openFilled, type Seed } from './store/fill.js';
import type { Store } from './store/store.js';

export interface SandboxOptions {
  /** The database, created if missing; `:memory:` for one that ends with the server. */
  file: string;
  /** Seed of a new database: a name, the path of an export, or other data; default `tiny` (fill.ts). */
  seed?: Seed;
  /** Default 0, which picks a free one. */
  port?: number;
  /** Whether requests come from this process alone, by `connect`: it listens only if an answer names its address. */
  isLocal?: boolean;
  /** Folder with files that replace URLs (sources.ts). */
  contentFolder?: string;
  /** Whether to fetch URLs that the folder lacks, from public addresses (fetch-public.ts). */
  allowFetch?: boolean;
  /** The pages for a browser, loaded by the first visit; none without. */
  pages?: LoadPages;
  io: Pick<Io, 'now' | 'sleep'>;
}

export interface RunningSandbox {
  /** Base URL without `/v1`, such as `http://127.0.0.1:41234`; that of a local one has no port. */
  url: string;
  /** What hands requests to a local one; undefined for others. */
  connect?: (limits: ConnectionLimits) => Connections;
  token: string;
  defaults: Defaults;
  tokens: Token[];
  /** Stops the server after the requests in flight, and closes the database. */
  close(): Promise<void>;
}

/** Starts a sandbox on 127.0.0.1. @throws DocsError `local-io` if the port cannot be used; as `openFilled` */
export async function startSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const store = await openFilled(options.file, options.seed, options.io);
  const { pages } = options;
  const server = createServer({
    ...store,
    ...(pages !== undefined && { pages: { load: pages, now: () => options.io.now() } }),
    instance: takeInstance(store),
    sleep: options.io.sleep,
    source: sourceOf(options),
  });
  const { isLocal = false, port = 0 } = options;
  // Each such start reads the whole log, so it is kept short: 1 MB.
  if (isLocal) store.db.get('PRAGMA wal_autocheckpoint = 250');
  return {
    url: isLocal ? localUrl : await listen(server, port, store),
    ...(isLocal && { connect: (limits: ConnectionLimits) => new LocalConnections(server, limits) }),
    token: adminToken(store.db),
    defaults: findDefaults(store.db),
    tokens: listTokens(store.db),
    async close() {
      await server.close();
      store.db.close();
    },
  };
}

function sourceOf({ contentFolder: folder, allowFetch, io }: SandboxOptions): ContentSource {
  const fetchPublic = async (url: string, limits: FetchLimits) =>
    (await import('./fetch-public.js')).fetchPublic(url, limits);
  const now = () => io.now();
  return new ContentSource({ folder, fetchPublic: allowFetch ? fetchPublic : undefined, now });
}

/** Counts the servers that have used the database; request ids start with it. */
function takeInstance({ db }: Store): number {
  const sql = `INSERT INTO local_state (key, value) VALUES ('instance', 1)
    ON CONFLICT (key) DO UPDATE SET value = value + 1 RETURNING value`;
  return db.note(() => db.get<{ value: number }>(sql)?.value ?? 1);
}

async function listen(server: SandboxServer, port: number, { db }: Store): Promise<string> {
  try {
    return await server.listen(port);
  } catch (cause) {
    db.close();
    const why =
      (cause as { code?: string }).code === 'EADDRINUSE' ? 'it is in use' : (cause as Error).message;
    throw new DocsError('local-io', 'cannot_listen', `cannot listen on port ${port}: ${why}`, { cause });
  }
}
