import type { FastifyInstance } from 'fastify';
import { refusal } from '../refusal.js';
import type { Database } from '../store/database.js';
import { originIssue } from './gate.js';
import { authenticate } from './tokens.js';

/** Where a server tells that it lives. No part of the platform: neither faults nor the log know it. */
export const alivePath = '/sandbox/alive';

/** Answers the process's id to whoever knows a token of the database. */
export function addSignOfLife(app: FastifyInstance, db: Database): void {
  app.get(alivePath, async ({ headers, socket }) => {
    const issue = originIssue(headers, socket.localPort);
    if (issue !== undefined) throw refusal(403, issue);
    authenticate(db, headers.authorization);
    return { pid: process.pid };
  });
}
