import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { Client } from '@modelcontextprotocol/client';
import { run } from '../../src/main.js';
import { FakeOutput } from '../fake-io.js';
import { ioHere, sleepInFull } from './here.js';

/** `docs mcp serve` within the process of the test, over streams. */

export interface Message {
  jsonrpc?: string;
  id?: number | null;
  result?: Record<string, unknown> & { structuredContent?: Record<string, unknown>; isError?: boolean };
  error?: { code: number; message: string };
}

export interface McpHere {
  /** Sends a line, or a message as one. */
  send(message: unknown): void;
  /** The next message that comes; each must be one of JSON-RPC. */
  next(): Promise<Message>;
  /** For a client, in place of the two above. */
  readonly transport: Parameters<Client['connect']>[0];
  /** Closes its input. @returns once it has read that */
  close(): Promise<void>;
  /** Ends it as SIGTERM does. */
  stop(): void;
  /** What it has written to standard error so far. */
  said(): string;
  /** The exit code. */
  readonly ended: Promise<number>;
}

export function serveHere(
  flags: readonly string[],
  { env, path }: { env: Record<string, string>; path: string },
): McpHere {
  const stdin = new PassThrough();
  const stdout = new FakeOutput();
  const stderr = new FakeOutput();
  const stopped = new AbortController();
  const messages: Message[] = [];
  const waiting: ((message: Message) => void)[] = [];
  const transport: McpHere['transport'] = {
    start: async () => {},
    send: async (message) => send(message),
    async close() {
      stdin.end();
      await ended;
      transport.onclose?.();
    },
  };
  let rest = '';
  stdout._write = (chunk: string | Buffer, _, done) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) heard(line);
    done();
  };
  const heard = (line: string) => {
    const next = waiting.shift();
    if (transport.onmessage !== undefined) transport.onmessage(JSON.parse(line));
    else if (next !== undefined) next(JSON.parse(line));
    else messages.push(JSON.parse(line));
  };
  const send = (message: unknown) =>
    void stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  const io = ioHere(env, path, { stdin, stdout, stderr, signal: stopped.signal, sleep: sleepInFull });
  const ended = run(['mcp', 'serve', ...flags], io);
  return {
    send,
    next: () =>
      new Promise((done) => {
        const first = messages.shift();
        if (first === undefined) waiting.push(done);
        else done(first);
      }),
    transport,
    async close() {
      const read = once(stdin, 'end');
      stdin.end();
      await read;
    },
    stop: () => stopped.abort(new Error('SIGTERM')),
    said: () => stderr.text,
    ended,
  };
}

export const clientInfo = { name: 'raw', version: '1' };
export const request = (id: number, method: string, params: object = {}) => ({
  ...{ jsonrpc: '2.0', id, method, params },
});
export const call = (id: number, name: string, given: object, meta: object = {}) =>
  request(id, 'tools/call', { name, arguments: given, ...meta });
export const initialize = request(0, 'initialize', {
  ...{ protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
});
export const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
