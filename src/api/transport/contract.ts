import type { Io } from '../../io.js';
import type { Method } from '../operation.js';

/** Header names in lower case; several values of one name are joined by `, `. */
export type Headers = Readonly<Record<string, string>>;

/** A request to the platform's API, before authentication. */
export interface TransportRequest {
  method: Method;
  /** Encoded path and query below the base URL; starts with `/`. */
  path: string;
  /** A JSON value, sent as application/json; undefined sends no body. */
  body?: unknown;
  /** Extra headers. Never `authorization`, nor those that frame the message. */
  headers?: Readonly<Record<string, string>>;
  /** Statuses that are success; all others become errors. Default: any 2xx. */
  expect?: readonly number[];
  /** What the caller does with the body: parsed JSON, nothing, or the bytes as they came (64 MB at most). */
  read: 'json' | 'nothing' | 'bytes';
  subject?: Subject;
  /** Time for this request with its retries and waits, in milliseconds. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /**
   * Whether sending it twice does what sending it once does. Default: GET, PUT and DELETE. Set it to
   * false for a PUT that creates a resource with a new id each time.
   */
  idempotent?: boolean;
  /**
   * A path that answers, by GET, what this write answers. Where the answer of a write that was done
   * is cut short, it is read there; the write is not sent again.
   */
  readBack?: string;
}

/** What a request is about, for errors: in words, and as commands. */
export interface Subject {
  /** Such as `team "Docs"`. */
  what: string;
  /** The command that shows it; the hint where the outcome is unknown. */
  showCommand?: string;
  /** The command that lists its kind; the hint where it was not found. */
  listCommand?: string;
}

export interface TransportResponse {
  status: number;
  headers: Headers;
  /**
   * Parsed JSON for `json`, undefined for `nothing`, a Uint8Array for `bytes`. An integer that a
   * double cannot hold is a `RawNumber` (json-text.ts); 204 and 205 answer undefined.
   */
  body: unknown;
  requestId?: string;
  /** How many times the request was sent. */
  attempts: number;
  /** The platform's clock: the `Date` header in milliseconds since the epoch. */
  dateMs?: number;
  /** A repeated DELETE found nothing left: an attempt whose answer was lost had done it. */
  alreadyDone?: true;
}

/** What is known of a download once its first bytes are due. */
export interface DownloadHead {
  status: number;
  headers: Headers;
  /** Bytes to come, where the server tells. */
  length?: number;
}

export interface DownloadOptions {
  signal?: AbortSignal;
  /** Called after each chunk: bytes so far, and in all where known. */
  onProgress?(done: number, total: number | undefined): void;
  onHead?(head: DownloadHead): void;
}

/** The way to the platform: one connection pool, one deadline, one pace for all requests. */
export interface Transport {
  /** @throws DocsError for every failure; see failures.ts and exit-codes.ts */
  send(request: TransportRequest): Promise<TransportResponse>;
  /**
   * Streams the bytes of an absolute URL. The token goes along only to the origin of the base URL;
   * redirects are followed to https alone (loopback may redirect to loopback), five at most.
   * No limit on size; 30 s of silence end it. Retries happen until the first byte, not after.
   */
  download(url: string, options: DownloadOptions): Promise<AsyncIterable<Uint8Array>>;
  /** Ends all connections at once; whatever is in flight fails. */
  close(): Promise<void>;
}

/** A wait between attempts, told before it begins. */
export interface Wait {
  ms: number;
  /** In words, such as `rate limit (429)`. */
  reason: string;
  /** Attempts made so far by the request that waits; 0 where it has not been sent yet. */
  attempt: number;
}

/** How long each part of an exchange may take, in milliseconds. */
export interface Timeouts {
  /** To a connection that can carry requests; default 10,000. */
  connectMs?: number;
  /** From the request to the head of the answer; default 30,000. */
  headersMs?: number;
  /** Silence within a body; default 30,000. */
  bodyMs?: number;
  /** What a write in flight gets when the run is to end; default 5,000. */
  graceMs?: number;
}

export interface TransportOptions {
  baseUrl: string;
  /** The token and the origin it belongs to; it goes nowhere else. */
  credential?: { token: string; origin: string };
  io: Io;
  /** One deadline for the whole command, waits included. Default: none; then each request has 60 s. */
  timeoutMs?: number;
  /** Default 4; 1 never retries. */
  maxAttempts?: number;
  /** A PEM file of certificates to trust beside the usual ones. */
  caFile?: string;
  /** Connections at the same time; default 8. */
  connections?: number;
  userAgent: string;
  onWait?(wait: Wait): void;
  /** Takes lines that hold no secret, but may hold control characters of the platform. */
  debug?: { body: boolean; write(line: string): void };
  timeouts?: Timeouts;
}
