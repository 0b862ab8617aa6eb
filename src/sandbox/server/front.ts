import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { finishPending, type Handler, type PendingWork } from '../handle.js';
import { refusal } from '../refusal.js';
import type { Database } from '../store/database.js';
import type { Clock } from '../store/rows.js';
import type { Exchange, OverHttp, ServedRoute } from './exchange.js';
import type { Request, Responder, Response } from './respond.js';
import { authenticate } from './tokens.js';

/** The sandbox in a browser. The pages are of another room, which is loaded by the first visit. */

/** Path below which the pages are; nothing of the platform is there. */
export const pagesPath = '/sandbox/';

/** Path of an address that opens the pages; the query `token` holds a ticket. */
export const openPath = `${pagesPath}open`;

/** What the pages show, as the platform answers it. */
export interface PageParts {
  db: Database;
  clock: Clock;
  /** Answers as the server does; the pages know no other rules. */
  responder: Responder;
  /** Address of the server. */
  origin(): string;
  /** The real time. */
  now(): number;
  /** Takes note of what other programs changed and of what is due, as the server does before each request. */
  refresh(): void;
}

export interface Pages {
  /**
   * Answers a request below `pagesPath`. Never throws.
   * @param log takes it into the log of requests, by this path
   */
  answer(request: IncomingMessage, response: ServerResponse, log: (path: string) => void): Promise<void>;
}

export type LoadPages = (parts: PageParts) => Promise<Pages>;

interface PageHost extends Omit<PageParts, 'refresh'> {
  load: LoadPages;
  log(exchange: Exchange, path: string): void;
  pendingWork: readonly PendingWork[];
}

/**
 * Answers visits of pages before anything of the platform sees them: no rate limit, no fault, no token. Of them, the log has
 * what changes something.
 * @returns answers a request if it is one for a page; undefined for all others
 */
export function pageVisits({ load, log, pendingWork, ...parts }: PageHost) {
  let pages: Promise<Pages> | undefined;
  const refresh = () => {
    parts.db.refresh();
    finishPending(parts.db, pendingWork, parts.clock.now());
  };
  const answer = async (exchange: Exchange, { request, response }: OverHttp): Promise<void> => {
    pages ??= load({ ...parts, refresh });
    await (await pages).answer(request, response, (path) => log(exchange, path));
  };
  return (exchange: Exchange): Promise<void> | undefined => {
    const { overHttp } = exchange;
    return overHttp !== undefined && isPage(exchange) ? answer(exchange, overHttp) : undefined;
  };
}

/** What is below `pagesPath`, and for a browser the address of the server itself. */
function isPage({ method, path, headers }: Exchange): boolean {
  if (path === '/' && method === 'GET') return /\btext\/html\b/.test(headers.accept ?? '');
  return path !== alivePath && (path.startsWith(pagesPath) || `${path}/` === pagesPath);
}

/**
 * Refuses requests of web pages, which could reach a loopback server through a name of their own (DNS
 * rebinding) or from their own origin. Programs send neither.
 * @throws 403
 */
export function refuseForeign({ host = '', origin }: IncomingHttpHeaders, port: number | undefined): void {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (!hosts.includes(host)) {
    throw refusal(403, `the Host header must be 127.0.0.1:${port} or localhost:${port}`);
  }
  if (origin !== undefined && !hosts.some((own) => origin === `http://${own}`)) {
    throw refusal(403, 'requests from other origins are refused');
  }
}

/** The same of a request over HTTP; those of this process are its own. @throws 403 */
export function refuseForeignRequest({ headers, overHttp }: Exchange): void {
  if (overHttp !== undefined) refuseForeign(headers, overHttp.request.socket.localPort);
}

/** Where a server reports that it is alive. Not part of the platform: faults and the log ignore it. */
export const alivePath = '/sandbox/alive';

/** Returns the process id to callers that know a token of the database. */
export function signOfLife(db: Database): ServedRoute {
  return {
    method: 'GET',
    path: alivePath,
    answer(exchange) {
      refuseForeignRequest(exchange);
      authenticate(db, exchange.headers.authorization);
      exchange.sendJson(200, { pid: process.pid });
    },
  };
}

/** Path of the bytes at an address that a platform named, which the query `of` holds. */
export const platformBytesPath = '/platform-bytes';

/** Status for an address that is not known there: whoever asks may have it from elsewhere. */
export const notNamed = 421;

/** Bytes at an address of a platform. */
export interface Named {
  bytes: AsyncIterable<Uint8Array>;
  type: string;
  length?: number;
}

/** What stands before the handlers of a server and answers each request that has one, after its token was checked. */
export interface Front {
  /** @throws DocsError (a refusal) for every response but success */
  respond(handler: Handler, request: Request): Promise<Response>;
  /**
   * The bytes at an address that a platform named; of a copy that reads one.
   * @returns undefined for another address
   * @throws DocsError (a refusal) for every response but success
   */
  open?(address: string, signal: AbortSignal): Promise<Named | undefined>;
}
