import type { Handler } from '../handle.js';
import type { Request, Response } from './respond.js';

/** What stands before the handlers of a server and answers each request that has one, after its token was checked. */
export interface Front {
  /** @throws DocsError (a refusal) for every response but success */
  respond(handler: Handler, request: Request): Promise<Response>;
}
