import type { FastifyInstance } from 'fastify';
import { refusal } from '../refusal.js';
import type { Database } from '../store/database.js';
import { originIssue } from './gate.js';
import { authenticate } from './tokens.js';

/** Where a server reports that it is alive. Not part of the platform: faults and the log ignore it. */
export const alivePath = '/sandbox/alive';

/** Returns the process id to callers that know a token of the database. */
export function addSignOfLife(app: FastifyInstance, db: Database): void {
  app.get(alivePath, async ({ headers, socket }) => {
    const issue = originIssue(headers, socket.localPort);
    if (issue !== undefined) throw refusal(403, issue);
    authenticate(db, headers.authorization);
    return { pid: process.pid };
  });
}
