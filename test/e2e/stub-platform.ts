import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A platform that answers what a test says and keeps a list of what it was asked. */
export interface StubPlatform {
  url: string;
  /** `GET /v1/orgs?limit=1000`, in order of arrival. */
  readonly requests: string[];
  /** Bodies of the requests, in the same order; undefined where there was none. */
  readonly bodies: unknown[];
  close(): Promise<void>;
}

/** Answers a request: status and JSON body; undefined is 404, and `never` keeps whoever asked waiting. */
export type Answer = (method: string, url: URL) => { status?: number; body?: unknown } | 'never' | undefined;

export async function stubPlatform(answer: Answer = () => ({ body: {} })): Promise<StubPlatform> {
  const requests: string[] = [];
  const bodies: unknown[] = [];
  const server: Server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    requests.push(`${request.method} ${request.url}`);
    bodies.push(text === '' ? undefined : JSON.parse(text));
    const answered = answer(request.method ?? '', new URL(request.url ?? '', 'http://stub')) ?? {
      status: 404,
      body: { error: { code: 404, message: 'There is no such thing.' } },
    };
    if (answered === 'never') return;
    response.writeHead(answered.status ?? 200, {
      'content-type': 'application/json',
      'x-request-id': 'req-1',
    });
    response.end(answered.body === undefined ? undefined : JSON.stringify(answered.body));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    bodies,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}
