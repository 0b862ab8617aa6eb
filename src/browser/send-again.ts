import { notFound, refusal } from '../sandbox/refusal.js';
import { requestAt } from '../sandbox/server/request-queries.js';
import { listTokens } from '../sandbox/server/tokens.js';
import type { Action } from './action.js';

/**
 * Sends a request of the log once more, as the same user: to the server itself, so that rules, faults and log are those
 * of every request. Method and path only say in the log what it was.
 */
export const sendAgain: Action = {
  fields: ['request', 'method', 'path'],
  command: ({ method = 'GET', path = '' }) => [
    ...['api', method, path],
    ...(['GET', 'DELETE'].includes(method) ? [] : ['--input', 'body.json']),
  ],
  run: async ({ parts: { db, origin } }, { request = '' }) => {
    const one = requestAt(db, Number(request));
    if (one === undefined || !one.path.startsWith('/v1/')) throw notFound('request', request);
    const { method, path, caller, body, whole } = one;
    if (body !== undefined && !whole)
      throw refusal(409, 'the body of the request was not kept whole, so it was not sent again');
    const token = listTokens(db).find(({ member }) => member === caller)?.token;
    if (token === undefined)
      throw refusal(409, 'the user of the request has no token, so it was not sent again');
    const type = body !== undefined && { 'content-type': 'application/json' };
    const headers = { authorization: `Bearer ${token}`, ...type };
    try {
      const answer = await fetch(origin() + path, {
        method,
        headers,
        body: body ?? null,
        redirect: 'manual',
      });
      await answer.arrayBuffer();
      return `Sent again: ${method} answered ${answer.status}, request id ${answer.headers.get('x-request-id')}.`;
    } catch {
      return 'Sent again: the connection was cut.';
    }
  },
};
