import { type Client, createClient } from '../../../src/api/client.js';
import { createTransport } from '../../../src/api/transport.js';
import { readLive } from '../../../src/organization/live/read.js';
import type { KindName, Live } from '../../../src/organization/model.js';
import { fakeIo } from '../../fake-io.js';
import { openSandbox, type TestSandbox } from '../../sandbox/client.js';

/** A sandbox, and what reading its organization sends. */
export interface LiveWorld {
  readonly sandbox: TestSandbox;
  readonly organizationId: string;
  readonly client: Client;
  /** `GET /v1/…` of every request so far. */
  readonly sent: string[];
  /** The most requests that were under way at once. */
  readonly most: () => number;
  readonly underWay: () => number;
  /** The client of another user of the seed. */
  as(name: string): Client;
  /** @param wants all by default */
  read(wants?: (kind: KindName, field?: string) => boolean, client?: Client): Promise<Live>;
  close(): Promise<void>;
}

export async function openLiveWorld(seed: string): Promise<LiveWorld> {
  const sandbox = await openSandbox({ seed, file: ':memory:' });
  const { organizationId } = sandbox;
  const sent: string[] = [];
  let [underWay, most] = [0, 0];
  const clientOf = (token: string): Client => {
    const credential = { token, origin: sandbox.url };
    const transport = createTransport({ baseUrl: sandbox.url, credential, io: fakeIo(), userAgent: 'test' });
    const send: typeof transport.send = async (request) => {
      sent.push(`${request.method} ${request.path}`);
      underWay += 1;
      most = Math.max(most, underWay);
      try {
        return await transport.send(request);
      } finally {
        underWay -= 1;
      }
    };
    const { platformNowMs } = transport;
    return createClient({
      send,
      platformNowMs,
      download: (url, options) => transport.download(url, options),
      close: () => transport.close(),
    });
  };
  const client = clientOf(sandbox.token);
  return {
    ...{ sandbox, organizationId, client, sent, most: () => most, underWay: () => underWay },
    as: (name) => clientOf(sandbox.tokens.find((token) => token.name === name)?.token ?? ''),
    read: (wants = () => true, own = client) => readLive(own, organizationId, wants, () => {}),
    async close() {
      await client.close();
      await sandbox.close();
    },
  };
}
