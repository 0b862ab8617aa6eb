import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Match, Route } from './routes.js';

/** A route of the server, and what answers it. */
export interface ServedRoute extends Route {
  /** Requires no token: the address itself is the secret. */
  open?: boolean;
  /** @throws DocsError (a refusal) for every response but success */
  answer(request: FastifyRequest, reply: FastifyReply, parameters: Match<Route>['parameters']): unknown;
}
