import type { Method } from '../operation.js';
import type { JsonLines, PageRoom } from './json-lines.js';

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
  /** Statuses that count as success. Default: any 2xx. */
  expect?: readonly number[];
  /** How to read the body: as JSON, not at all, or as bytes (64 MB at most). */
  read: 'json' | 'nothing' | 'bytes';
  subject?: Subject;
  /** Time for this request with its retries and waits, in milliseconds. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Whether a failure is final: for what can be done without. */
  once?: boolean;
  /**
   * Whether sending it twice has the same effect as once. Default: true for GET, PUT and DELETE. False for
   * a PUT that creates a resource with a new id each time.
   */
  idempotent?: boolean;
  /** Where to GET the result of this write if its response is cut short; the write is not sent again. */
  readBack?: string;
  /** Where the body is gathered of a page that may come as `lines`; in use until the page is printed. */
  room?: PageRoom;
  /** Known to who stands in `TransportOptions.admit` alone: a request of its own, which it lets pass. */
  pass?: symbol;
}

/** The subject of a request, for errors: in words, and as commands. */
export interface Subject {
  /** Such as `team "Docs"`. */
  what: string;
  /** The command that shows it; the hint if the outcome is unknown. */
  showCommand?: string;
  /** The command that lists its kind; the hint if it was not found. */
  listCommand?: string;
}

export interface TransportResponse {
  status: number;
  headers: Headers;
  /** A value of json-text.ts for `json`, a Uint8Array for `bytes`; undefined for `nothing`, 204 and 205. */
  body: unknown;
  /** In place of `body`, the items of a page, if its request has a room and it is printed as it came. */
  lines?: JsonLines;
  requestId?: string;
  /** How many times the request was sent. */
  attempts: number;
  /** The platform's clock: the `Date` header in milliseconds since the epoch. */
  dateMs?: number;
  /** A repeated DELETE found nothing: an earlier attempt, whose response was lost, did it. */
  alreadyDone?: true;
}

/** What is known about a download before its first byte. */
export interface DownloadHead {
  status: number;
  headers: Headers;
  /** Size in bytes, if the server reports it. */
  length?: number;
}

export interface DownloadOptions {
  signal?: AbortSignal;
  /** Called after each chunk: bytes so far, and in total if known. */
  onProgress?(done: number, total: number | undefined): void;
  onHead?(head: DownloadHead): void;
}

/** A request that is about to be sent. */
export type Outgoing = Pick<TransportRequest, 'method' | 'path' | 'body' | 'headers' | 'pass'> & {
  /** Whether it only fetches the bytes of an address that the platform named; `path` is that address. */
  download?: true;
};

export type Admit = (request: Outgoing) => Promise<void>;

/** Sends requests to the platform: all share one deadline, one pace and the connections. */
export interface Transport {
  /** @throws DocsError for every failure; see exit-codes.ts */
  send(request: TransportRequest): Promise<TransportResponse>;
  /**
   * Streams the bytes of an absolute URL. The token is sent only to the origin of the base URL; at most five
   * redirects are followed, only to https (loopback may redirect to loopback). Size is not limited; 30 s of
   * silence fail it. A download that breaks off is resumed if its version is known.
   */
  download(url: string, options: DownloadOptions): Promise<AsyncIterable<Uint8Array>>;
  /** Whether a text has the token in it: a request with such a body is not sent. */
  hasToken?(text: string): boolean;
  /** The platform's clock in milliseconds, from its last response; undefined before the first. */
  readonly platformNowMs: number | undefined;
  /** Requests until a reset of its rate limit, from its last response; undefined where it does not tell. */
  readonly rateLimit?: number | undefined;
  /** Closes all connections immediately; requests in flight fail. */
  close(): Promise<void>;
}

/** A wait between attempts, reported before it begins. */
export interface Wait {
  ms: number;
  /** For people, such as `rate limit (429)`. */
  reason: string;
  /** Attempts made so far; 0 before the first. */
  attempt: number;
}
