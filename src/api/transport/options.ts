import type { Io } from '../../base/io.js';
import type { Admit, Wait } from './contract.js';
import type { ConnectionLimits, Connections } from './exchange.js';

/** Time limits for the parts of an exchange, in milliseconds. */
export interface Timeouts {
  /** To connect, TLS included; default 10,000. */
  connectMs?: number;
  /** From the request to the head of the response; default 30,000. */
  headersMs?: number;
  /** Silence within a body; default 30,000. */
  bodyMs?: number;
  /** For a write in flight after an interrupt; default 5,000. */
  graceMs?: number;
}

export interface TransportOptions {
  baseUrl: string;
  /** The token and the only origin (scheme, host and port) it is sent to. */
  credential?: { token: string; origin: string };
  io: Io;
  /** Deadline of the whole command, waits included. Default: none, but 60 s for each request. */
  timeoutMs?: number;
  /** Default 4; 1 never retries. */
  maxAttempts?: number;
  /** A PEM file with additional certificates to trust. */
  caFile?: string;
  /** Whether any request but a GET throws before a byte is sent: where a plan is made. */
  readOnly?: boolean;
  /** Asked before a byte of each request is sent; refuses it by throwing. */
  admit?: Admit;
  /** Requests per second at most, retries included; default: as fast as the platform takes them. */
  pace?: number;
  /** Connections at the same time; default 8. */
  connections?: number;
  /** Whether one read is all that is expected to be sent. More may be. */
  single?: boolean;
  /** Whether a few requests are expected, one after the other. More may be, also at once. */
  series?: boolean;
  /** Takes requests to the API in place of a connection: the platform is in this process. */
  connect?(limits: ConnectionLimits): Connections;
  userAgent: string;
  onWait?(wait: Wait): void;
  /** Called when the platform's content repeats a secret of this process, which is taken out: the token, or another. */
  onSecret?(isToken: boolean): void;
  /** Receives lines without secrets; they may contain control characters from the platform. */
  debug?: { body: boolean; write(line: string): void };
  timeouts?: Timeouts;
}
