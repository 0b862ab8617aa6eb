import type { Handler } from '../handle.js';
import type { Request, Response } from './respond.js';

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
