import type { IncomingHttpHeaders } from 'node:http';
import { refusal } from '../refusal.js';
import type { Database } from '../store/database.js';
import type { ServedRoute } from './exchange.js';
import { authenticate } from './tokens.js';

/**
 * Refuses requests of web pages, which could reach a loopback server through a name of their own (DNS
 * rebinding) or from their own origin. Programs send neither.
 * @throws 403
 */
export function refuseForeign({ host = '', origin }: IncomingHttpHeaders, port: number | undefined): void {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (!hosts.includes(host)) {
    throw refusal(403, `The Host header must be 127.0.0.1:${port} or localhost:${port}.`);
  }
  if (origin !== undefined && !hosts.some((own) => origin === `http://${own}`)) {
    throw refusal(403, 'Requests from other origins are refused.');
  }
}

/** Where a server reports that it is alive. Not part of the platform: faults and the log ignore it. */
export const alivePath = '/sandbox/alive';

/** Returns the process id to callers that know a token of the database. */
export function signOfLife(db: Database): ServedRoute {
  return {
    method: 'GET',
    path: alivePath,
    answer(exchange) {
      const { headers, socket } = exchange.request;
      refuseForeign(headers, socket.localPort);
      authenticate(db, headers.authorization);
      exchange.sendJson(200, { pid: process.pid });
    },
  };
}
