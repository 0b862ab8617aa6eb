import { afterEach, expect } from 'vitest';
import {
  createTransport,
  type Transport,
  type TransportOptions,
  type Wait,
} from '../../../src/api/transport.js';
import { DocsError } from '../../../src/base/errors.js';
import { type HostileServer, type Script, startServer } from '../../faults/server.js';
import { Clock, testIo } from './clock.js';

/** Waits below this pass at once; deadlines, at 60 s, do not. */
const skippedBelowMs = 30_000;

export interface Scene {
  server: HostileServer;
  transport: Transport;
  clock: Clock;
  /** What `onWait` was told. */
  waits: Wait[];
  /** Debug lines. */
  lines: string[];
  interrupt: AbortController;
}

export interface SceneOptions extends Partial<Omit<TransportOptions, 'io' | 'debug'>> {
  clock?: Clock;
  env?: Record<string, string>;
  random?: number;
  tls?: 'platform' | 'other';
  debug?: boolean;
}

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Has something closed after the test. */
export function closing<T extends { close(): Promise<void> }>(thing: T): T {
  closers.push(() => thing.close());
  return thing;
}

/** A hostile server, and a transport that goes there with a token of its own. */
export async function scene(script: Script, options: SceneOptions = {}): Promise<Scene> {
  const { clock = new Clock((ms) => ms < skippedBelowMs), env, random, tls, debug, ...more } = options;
  const server = closing(await startServer(script, tls ? { tls } : {}));
  const interrupt = new AbortController();
  const waits: Wait[] = [];
  const lines: string[] = [];
  const io = testIo(clock, {
    signal: interrupt.signal,
    ...(env && { env }),
    ...(random !== undefined && { random }),
  });
  const transport = createTransport({
    baseUrl: server.url,
    credential: { token: 'gb_secret_token', origin: new URL(options.baseUrl ?? server.url).origin },
    io,
    userAgent: 'docs/test',
    onWait: (wait) => waits.push(wait),
    ...(debug !== undefined && { debug: { body: debug, write: (line) => lines.push(line) } }),
    ...more,
  });
  closing(transport);
  return { server, transport, clock, waits, lines, interrupt };
}

/** The DocsError that a promise is rejected with. */
export async function failureOf(promise: Promise<unknown>): Promise<DocsError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(DocsError);
  return error as DocsError;
}
