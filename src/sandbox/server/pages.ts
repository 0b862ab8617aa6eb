import type { IncomingMessage, ServerResponse } from 'node:http';
import { finishPending, type PendingWork } from '../handle.js';
import type { Clock } from '../store/clock.js';
import type { Database } from '../store/database.js';
import type { Exchange } from './exchange.js';
import { alivePath } from './gate.js';
import type { Responder } from './respond.js';

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
  /** Answers a request below `pagesPath`. Never throws. */
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

export type LoadPages = (parts: PageParts) => Promise<Pages>;

interface PageHost extends Omit<PageParts, 'refresh'> {
  load: LoadPages;
  pendingWork: readonly PendingWork[];
}

/**
 * Answers visits of pages before anything of the platform sees them: no log, no rate limit, no fault, no token.
 * @returns takes a request if it is one for a page, and says so
 */
export function pageVisits({ load, pendingWork, ...parts }: PageHost) {
  let pages: Promise<Pages> | undefined;
  const refresh = () => {
    parts.db.refresh();
    finishPending(parts.db, pendingWork, parts.clock.now());
  };
  return async ({ url, request, response }: Exchange): Promise<boolean> => {
    if (!isPage(url)) return false;
    pages ??= load({ ...parts, refresh });
    await (await pages).answer(request, response);
    return true;
  };
}

function isPage(url: string): boolean {
  const [path = ''] = url.split('?', 1);
  return path !== alivePath && (path.startsWith(pagesPath) || `${path}/` === pagesPath);
}
