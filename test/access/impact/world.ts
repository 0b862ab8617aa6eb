import { afterAll } from 'vitest';
import { readImpact } from '../../../src/access/impact/impact.js';
import type { Impact, ImpactAspect, ImpactQuestion } from '../../../src/access/impact/shapes.js';
import { type Client, createClient } from '../../../src/api/client.js';
import { createTransport } from '../../../src/api/transport.js';
import { fakeIo } from '../../fake-io.js';
import { openSandbox, type TestSandbox } from '../../sandbox/client.js';

/** A sandbox, and what an impact in it is. */
export interface ImpactWorld {
  sandbox: TestSandbox;
  /** How many requests were sent for the last impact, by operation. */
  sent: Map<string, number>;
  impact(question: ImpactQuestion, aspects?: readonly ImpactAspect[], token?: string): Promise<Impact>;
  close(): Promise<void>;
}

/** One for a file, which closes it. */
export async function impactWorldOfFile(seed: 'tiny' | 'acme' = 'tiny'): Promise<ImpactWorld> {
  const world = await openImpactWorld(seed);
  afterAll(() => world.close());
  return world;
}

export async function openImpactWorld(seed: 'tiny' | 'acme' = 'tiny'): Promise<ImpactWorld> {
  const sandbox = await openSandbox({ seed });
  const sent = new Map<string, number>();
  const clients: Client[] = [];
  const readingFor = (token: string) => {
    const credential = { token, origin: sandbox.url };
    const transport = createTransport({ baseUrl: sandbox.url, credential, io: fakeIo(), userAgent: 'test' });
    const send: typeof transport.send = (request) => {
      const path = request.path.replace(/\?.*/, '').replace(/\/[\w-]{20}(?=\/|$)/g, '/*');
      sent.set(path, (sent.get(path) ?? 0) + 1);
      return transport.send(request);
    };
    const { close, download } = transport;
    const bound = { close: close.bind(transport), download: download.bind(transport) };
    const client = createClient({ send, ...bound, platformNowMs: undefined });
    clients.push(client);
    const { organizationId } = sandbox;
    return { client, organizationId, concurrency: 8, signal: new AbortController().signal };
  };
  return {
    sandbox,
    sent,
    impact(question, aspects, token = sandbox.token) {
      sent.clear();
      return readImpact(readingFor(token), question, { ...(aspects && { aspects }) });
    },
    async close() {
      for (const client of clients) await client.close();
      await sandbox.close();
    },
  };
}
