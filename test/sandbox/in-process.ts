import { DocsError } from '../../src/base/errors.js';
import { finishPending, type Handler } from '../../src/sandbox/handle.js';
import { downloads, handlers, pendingWork } from '../../src/sandbox/handlers/index.js';
import { refusal } from '../../src/sandbox/refusal.js';
import { readAddress } from '../../src/sandbox/server/exchange.js';
import { Responder, readQuery } from '../../src/sandbox/server/respond.js';
import { type Match, type Route, Routes } from '../../src/sandbox/server/routes.js';
import {
  authenticate,
  type Download,
  downloadHeaders,
  findDefaults,
  listTokens,
} from '../../src/sandbox/server/tokens.js';
import { ContentSource } from '../../src/sandbox/sources.js';
import type { Database } from '../../src/sandbox/store/database.js';
import { exportState, importState, parseExport } from '../../src/sandbox/store/export.js';
import { openFilled } from '../../src/sandbox/store/fill.js';
import { refill, type Store } from '../../src/sandbox/store/store.js';
import { type Client, clientOver, outsideAt, type Send, type TestSandbox } from './client.js';

/**
 * The sandbox without its server: what answers requests is called in this process. Each seed is planted once, and its
 * state put back when the next test opens it, so that one test at a time can use it.
 */
export type Platform = Awaited<ReturnType<typeof openPlatform>>;

interface Planted extends Store {
  outside: TestSandbox['outside'];
  state: ReturnType<typeof parseExport>;
  /** How many rows had been changed when the state was last that of the seed. */
  changes: number;
}

const url = 'http://127.0.0.1:1';
const planted = new Map<string, Promise<Planted>>();

async function plant(seed: string): Promise<Planted> {
  const outside = outsideAt();
  const store = await openFilled(':memory:', seed, outside.io);
  const state = parseExport(exportState(store.db));
  return { ...store, outside, state, changes: changesIn(store.db) };
}

const changesIn = (db: Database) =>
  db.get<{ count: number }>('SELECT total_changes() AS count')?.count ?? Number.NaN;

/** Puts the state and the clock back, unless nothing was changed. */
function restore(seed: string, known: Planted): void {
  const { db, outside, state } = known;
  outside.ms = outsideAt().ms;
  if (changesIn(db) === known.changes) return;
  refill(db, { source: seed, nowMs: outside.ms, fill: () => importState(db, state) });
  known.changes = changesIn(db);
}

/** The platform as the seed makes it, with a clock that moves only when told to. */
export async function openPlatform({
  seed = 'tiny',
  contentFolder: folder,
}: {
  seed?: string;
  contentFolder?: string;
} = {}) {
  const known = planted.get(seed) ?? plant(seed);
  planted.set(seed, known);
  const store = await known;
  restore(seed, store);
  const { db, clock, outside } = store;
  const source = new ContentSource({ folder, fetchPublic: undefined, now: outside.io.now });
  const responder = new Responder({ db, clock, source, origin: () => url });
  const send = (token?: string) => sender({ db, clock }, responder, token);
  const tokens = listTokens(db);
  const tokenOf = (name: string) => tokens.find((token) => token.name === name);
  const as = (name: string): Client => clientOver(send(tokenOf(name)?.token));
  const defaults = findDefaults(db);
  return {
    /** The address that URLs of the platform begin with; nothing listens there. */
    url,
    ...{ outside, tokens, defaults, organizationId: defaults.org, as, admin: as('admin') },
    /** The bytes at a URL of this platform, as anyone gets them. */
    download: (address: string) => send()('GET', address),
    /** The user of a token. */
    user: (tokenName: string) => tokenOf(tokenName)?.member ?? '',
    /** Changes the database directly, as another program would. */
    beside: <T>(work: (db: Database) => T): T => db.write(() => work(db)),
    close: async () => {},
  };
}

type Served = Route & ({ handler: Handler } | { download: Download });

const routes = new Routes<Served>([
  ...handlers.map((handler) => ({ ...routeOf(handler.operation), handler })),
  ...downloads.map((download) => ({ method: 'GET', path: download.path, download })),
]);

function routeOf({ method, path }: Route): Route {
  return { method, path };
}

function sender({ db, clock }: Store, responder: Responder, token: string | undefined): Send {
  return async (method, address, { body } = {}) => {
    try {
      finishPending(db, pendingWork, clock.now());
      return await answer(method, address, typeof body === 'string' ? JSON.parse(body) : plain(body));
    } catch (error) {
      const code = error instanceof DocsError ? error.failure.status : undefined;
      if (code === undefined) throw error;
      return Response.json({ error: { code, message: (error as Error).message } }, { status: code });
    }
  };

  async function answer(method: string, sent: string, body: unknown): Promise<Response> {
    const { parts, query } = readAddress(sent) ?? { parts: [], query: '' };
    const found = routes.find(method, parts);
    if (found === undefined || found === 'too-long') throw refusal(404, `no route for ${method} ${sent}`);
    if ('download' in found.route) return bytesAt(found.route.download, found.parameters);
    const { handler } = found.route;
    const user = authenticate(db, token === undefined ? undefined : `Bearer ${token}`);
    const given = { path: found.parameters, query: readQuery(handler.operation, query) };
    const {
      status,
      headers,
      body: text,
    } = await responder.respond(handler, { user, body, url: sent, ...given });
    const isEmpty = status === 204 || status === 205;
    return new Response(isEmpty ? null : text, { status, headers: { ...headers } });
  }

  function bytesAt({ serve }: Download, parameters: Match<Route>['parameters']): Response {
    const file = db.read(() => serve(db, parameters));
    if (file === undefined) throw refusal(404, 'Not found.');
    return new Response(Buffer.from(file.bytes), { headers: downloadHeaders(file) });
  }
}

/** What is left of a body on its way. */
function plain(body: unknown): unknown {
  return body === undefined ? undefined : JSON.parse(JSON.stringify(body));
}
