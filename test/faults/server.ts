import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { type SeenRequest, takeAnything, takeRequest } from './request-parser.js';
import { answerOf, type Step } from './step.js';

export type { SeenRequest } from './request-parser.js';
export type { Step } from './step.js';

/** The steps for the requests in their order, or a function that gives the step for each. */
export type Script = readonly Step[] | ((request: SeenRequest, number: number) => Step);

export interface HostileServer {
  /** `http://127.0.0.1:<port>`, or https with TLS. */
  readonly url: string;
  readonly port: number;
  /** All requests that were read whole, in order. */
  readonly requests: readonly SeenRequest[];
  /** How many connections were opened. */
  readonly connections: number;
  /** Connections that are open now. */
  readonly open: number;
  /** Requests for which the script had no step left, and steps for which no request came. */
  unmatched(): { requests: string[]; steps: number };
  close(): Promise<void>;
}

/** A certificate of test/faults/tls by name, as a file and as text. */
export function certificate(name: 'platform' | 'other') {
  const at = (file: string) => new URL(`tls/${file}`, import.meta.url);
  return {
    file: at(`${name}.pem`).pathname,
    cert: readFileSync(at(`${name}.pem`)),
    key: readFileSync(at(`${name}-key.pem`)),
  };
}

/**
 * Starts a server on loopback that answers by a script, byte by byte where need be.
 * @param options.tls the certificate to speak TLS with; `platform` is for localhost and platform.test
 * @param options.greedy takes the first bytes of a connection for a request, whatever they are
 * @param options.now the clock by which requests are stamped
 */
export async function startServer(
  script: Script = [],
  options: { tls?: 'platform' | 'other'; greedy?: boolean; now?: () => number } = {},
): Promise<HostileServer> {
  const play = new Play(script, options.greedy ?? false, options.now ?? performance.now.bind(performance));
  const server: Server = options.tls
    ? createTlsServer(certificate(options.tls), (socket) => play.serve(socket))
    : createServer((socket) => play.serve(socket));
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    requests: play.requests,
    get connections() {
      return play.connections;
    },
    get open() {
      return play.sockets.size;
    },
    unmatched: () => play.unmatched(),
    close: () => {
      for (const socket of play.sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** A script being played: which step is next, and what was seen. */
class Play {
  readonly requests: SeenRequest[] = [];
  readonly sockets = new Set<Socket>();
  readonly #unexpected: string[] = [];
  readonly #script: Script;
  readonly #greedy: boolean;
  readonly #now: () => number;
  #steps = 0;
  connections = 0;

  constructor(script: Script, greedy: boolean, now: () => number) {
    this.#script = script;
    this.#greedy = greedy;
    this.#now = now;
  }

  unmatched(): { requests: string[]; steps: number } {
    const steps = typeof this.#script === 'function' ? 0 : Math.max(0, this.#script.length - this.#steps);
    return { requests: this.#unexpected, steps };
  }

  serve(socket: Socket): void {
    const connection = ++this.connections;
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('error', () => {});
    let received: Buffer = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      if (this.#takeResetBeforeReading()) {
        socket.resetAndDestroy();
        return;
      }
      received = Buffer.concat([received, chunk]);
      const taken = this.#greedy ? takeAnything(received) : takeRequest(received);
      if (taken === undefined) return;
      received = taken.rest;
      const request = { ...taken.request, connection, atMs: this.#now() };
      this.requests.push(request);
      void perform(socket, this.#stepFor(request));
    });
  }

  #takeResetBeforeReading(): boolean {
    if (typeof this.#script === 'function' || this.#script[this.#steps]?.reset !== 'before-reading')
      return false;
    this.#steps += 1;
    return true;
  }

  #stepFor(request: SeenRequest): Step {
    if (typeof this.#script === 'function') return this.#script(request, this.requests.length);
    const step = this.#script[this.#steps];
    this.#steps += 1;
    if (step !== undefined) return step;
    this.#unexpected.push(`${request.method} ${request.target}`);
    return {
      status: 599,
      json: { error: { code: 599, message: 'The script has no step for this request.' } },
    };
  }
}

async function perform(socket: Socket, step: Step): Promise<void> {
  await step.hold;
  if ((step.stall && step.raw === undefined) || socket.destroyed) return;
  if (step.reset !== undefined) {
    socket.resetAndDestroy();
  } else if (step.raw !== undefined) {
    const bytes = Buffer.from(step.raw as string);
    const headSize = bytes.indexOf('\r\n\r\n') + 4;
    if (step.drip !== undefined) await send(socket, bytes.subarray(0, headSize), headSize);
    const rest = step.drip === undefined ? bytes : bytes.subarray(headSize);
    await send(socket, rest, step.drip ?? bytes.length);
    if (!step.stall) socket.end();
  } else {
    await answer(socket, step);
  }
}

async function answer(socket: Socket, step: Step): Promise<void> {
  const { head, body } = answerOf(step);
  const all = Buffer.concat([head, body]);
  const whole = step.cut === undefined;
  const size = whole
    ? all.length
    : step.cut?.after === 'head'
      ? head.length
      : head.length + Number(step.cut?.after);
  await send(socket, all.subarray(0, size), step.drip ?? size);
  for (const piece of step.pieces ?? []) {
    if (socket.destroyed) return;
    const bytes = Buffer.from(piece as string);
    await send(socket, bytes, bytes.length);
  }
  if (step.cut?.by === 'reset') socket.resetAndDestroy();
  else if (step.cut?.by === 'end' || step.close || (whole && step.contentLength === false) || step.pieces)
    socket.end();
}

/** Writes in pieces, each in a turn of the event loop of its own. */
async function send(socket: Socket, bytes: Buffer, piece: number): Promise<void> {
  for (let at = 0; at < bytes.length && !socket.destroyed; at += piece) {
    // A reader that goes away calls no one back: the end of the connection has to wake us.
    await new Promise<void>((resolve) => {
      socket.once('close', resolve);
      socket.write(bytes.subarray(at, at + piece), () => {
        socket.off('close', resolve);
        resolve();
      });
    });
    await new Promise((resolve) => setImmediate(resolve));
  }
}
