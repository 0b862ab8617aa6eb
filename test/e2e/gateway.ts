import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands between the program and a sandbox: counts requests, answers some itself, tells a test of each. */
export interface Gateway {
  readonly url: string;
  /** `GET /v1/orgs/…`, in the order they came. */
  readonly requests: string[];
  /**
   * Called with each request and how many came so far; a status is answered in place of the sandbox. What
   * it waits for happens before the request goes on.
   */
  rule: (line: string, count: number) => number | undefined | Promise<undefined>;
  /** Given the text of each JSON answer with a 2xx status; what it returns is sent in its place. */
  rewrite: (line: string, text: string) => string;
  /** Which answers break off half way. */
  cuts: (line: string) => boolean;
  /** Forgets all requests, and passes everything on as it is. */
  reset(): void;
  close(): Promise<void>;
}

const passing = {
  rule: () => undefined,
  rewrite: (_: string, text: string) => text,
  cuts: () => false,
};

/** @param target base URL of the sandbox */
export async function startGateway(target: string): Promise<Gateway> {
  const requests: string[] = [];
  const { hostname, port, host } = new URL(target);
  const server = createServer(async (incoming, answer) => {
    const line = `${incoming.method} ${incoming.url}`;
    requests.push(line);
    const status = await gateway.rule(line, requests.length);
    if (status !== undefined) {
      answer.writeHead(status, { 'content-type': 'application/json' });
      answer.end(JSON.stringify({ error: { code: status, message: 'The gateway says no.' } }));
      return;
    }
    const headers = { ...incoming.headers, host };
    const onward = request(
      { hostname, port, method: incoming.method, path: incoming.url, headers },
      (reply) => pass(reply, answer, line).catch(() => answer.destroy()),
    );
    onward.on('error', () => answer.destroy());
    answer.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  /** Addresses of downloads lead here too. */
  const pass = async (reply: IncomingMessage, answer: ServerResponse, line: string): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of reply as AsyncIterable<Buffer>) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const isJson = reply.headers['content-type']?.includes('json');
    const text = isJson ? bytes.toString().replaceAll(target, gateway.url) : undefined;
    const isOk = (reply.statusCode ?? 502) < 300;
    const body = text === undefined ? bytes : Buffer.from(isOk ? gateway.rewrite(line, text) : text);
    answer.writeHead(reply.statusCode ?? 502, { ...reply.headers, 'content-length': body.length });
    if (!gateway.cuts(line)) answer.end(body);
    else answer.write(body.subarray(0, body.length / 2), () => answer.destroy());
  };
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const gateway: Gateway = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    ...passing,
    reset() {
      requests.length = 0;
      Object.assign(gateway, passing);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return gateway;
}
