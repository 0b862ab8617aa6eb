import type { Exchange } from './exchange.js';
import type { Match, Route } from './routes.js';

/** A route of the server, and what answers it. */
export interface ServedRoute extends Route {
  /** Requires no token: the address itself is the secret. */
  open?: boolean;
  /** @throws DocsError (a refusal) for every response but success */
  answer(exchange: Exchange, parameters: Match<Route>['parameters']): void | Promise<void>;
}
