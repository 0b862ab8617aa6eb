import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnyOperation } from '../../../src/api/operation.js';
import type { Command } from '../../../src/cli/declare/command.js';
import { guardedAlways } from '../../../src/cli/run/guard.js';
import { run } from '../../../src/main.js';
import { type FakeIoOptions, fakeIo } from '../../fake-io.js';
import { inKeyOrder, type SentRequest } from './request-cases.js';

/** A platform that notes each request and answers what it was told to. */

export interface Answer {
  status: number;
  body?: unknown;
}

/** What was sent, without what a command's guard reads first. */
export function besideGuard({ spec, operations }: Command, sent: readonly SentRequest[]): SentRequest[] {
  const isGuarded =
    spec?.guard !== undefined || operations.some(({ id }) => Object.hasOwn(guardedAlways, id));
  return sent.filter(({ method }) => !isGuarded || method !== 'GET');
}

/** The answer to an operation; what a guard must read first is there, and lets everything through. */
export function afterGuard(op: AnyOperation, answer: Answer): (request: SentRequest) => Answer {
  return ({ method, path }) => {
    const isGuards = op.method !== 'GET' && method === 'GET' && path.endsWith('/adaptive-schema');
    if (!isGuards) return answer;
    // No claim, so none that a condition could lose.
    const jsonSchema = { type: 'object', properties: {}, additionalProperties: false };
    return { status: 200, body: { object: 'site-adaptive-schema', jsonSchema } };
  };
}

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
  sent: SentRequest[];
  /** The Authorization header of each request. */
  tokens: (string | undefined)[];
}

export interface RecordingPlatform {
  readonly url: string;
  /** The home of every run, and its working folder. */
  readonly home: string;
  /** Runs `docs` with these words; every request gets the answer, or what the function says. */
  run(
    words: readonly string[],
    answer: Answer | ((request: SentRequest) => Answer),
    io?: FakeIoOptions,
  ): Promise<Ran>;
  /** What came since the last run began, whoever sent it. */
  noted(): { sent: readonly SentRequest[]; tokens: readonly (string | undefined)[] };
  close(): Promise<void>;
}

export async function startRecordingPlatform(): Promise<RecordingPlatform> {
  const home = mkdtempSync(join(tmpdir(), 'docs-requests-'));
  let sent: SentRequest[] = [];
  let tokens: (string | undefined)[] = [];
  let answerTo: (request: SentRequest) => Answer = () => ({ status: 500 });
  const server: Server = createServer(async (message, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    const url = new URL(message.url ?? '', 'http://platform');
    const text = Buffer.concat(chunks).toString();
    const request: SentRequest = {
      method: message.method ?? '',
      path: url.pathname,
      query: inKeyOrder(url.searchParams),
      body: text === '' ? undefined : JSON.parse(text),
    };
    sent.push(request);
    tokens.push(message.headers.authorization);
    const { status, body } = answerTo(request);
    if (body instanceof Uint8Array) response.writeHead(status).end(body);
    else if (body === undefined) response.writeHead(status).end();
    else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = {
    HOME: home,
    DOCS_BASE_URL: url,
    DOCS_TOKEN: 'token-of-a-test',
    DOCS_CREDENTIAL_STORE: 'file',
    // With a journal a change is preceded by a read of the state before; these tests are about the change.
    DOCS_JOURNAL: 'off',
  };
  return {
    url,
    home,
    async run(words, answer, options = {}) {
      sent = [];
      tokens = [];
      answerTo = typeof answer === 'function' ? answer : () => answer;
      const io = fakeIo({ cwd: home, ...options, env: { ...env, ...options.env } });
      const code = await run(words, io);
      return { code, stdout: io.stdout.text, stderr: io.stderr.text, sent, tokens };
    },
    noted: () => ({ sent, tokens }),
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      rmSync(home, { recursive: true, force: true });
    },
  };
}
