import { type Client, createClient } from '../../../src/api/client.js';
import { createTransport, type TransportRequest } from '../../../src/api/transport.js';
import { DocsError } from '../../../src/base/errors.js';
import type { SandboxControl } from '../../../src/sandbox/control.js';
import type { Reading } from '../../../src/snapshot/unread.js';
import { fakeIo } from '../../fake-io.js';
import { openSandbox, type TestSandbox } from '../../sandbox/client.js';
import { controlOf } from '../../sandbox/control-of.js';

/** A sandbox that is read as an administrator, and what was sent to it. */
export interface ReadWorld {
  sandbox: TestSandbox;
  control: SandboxControl;
  reading: Reading;
  /** Method and path of every request, without its query. */
  sent: string[];
  /** Called before each request with its path. */
  before(path: string): Promise<void>;
  /** The seed again, with nothing sent and no fault. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export async function openReadWorld(seed = 'tiny'): Promise<ReadWorld> {
  const sandbox = await openSandbox({ seed });
  const control = await controlOf(sandbox, seed);
  const credential = { token: sandbox.token, origin: sandbox.url };
  const io = fakeIo();
  const transport = createTransport({ baseUrl: sandbox.url, credential, io, userAgent: 'test' });
  const sent: string[] = [];
  const send = async (request: TransportRequest) => {
    const [path = ''] = request.path.split('?');
    sent.push(`${request.method} ${path}`);
    await world.before(path);
    return transport.send(request);
  };
  const client = createClient({ ...withoutSend(transport), send });
  const world: ReadWorld = {
    sandbox,
    control,
    sent,
    before: async () => {},
    reading: readingWith(client, sandbox.organizationId),
    async reset() {
      await control.reset();
      sent.length = 0;
      world.before = async () => {};
    },
    async close() {
      await transport.close();
      control.close();
      await sandbox.close();
    },
  };
  return world;
}

function withoutSend(transport: ReturnType<typeof createTransport>) {
  return {
    download: transport.download.bind(transport),
    close: () => transport.close(),
    platformNowMs: undefined,
  };
}

export function readingWith(client: Client, organizationId = 'o1'): Reading {
  return { client, organizationId, concurrency: 8, signal: new AbortController().signal };
}

/** A platform whose answers a function gives, by path and query; undefined is 404. */
export function scripted(answer: (path: string, query: URLSearchParams) => unknown): Reading {
  const client = createClient({
    async send({ path }) {
      const { pathname, searchParams } = new URL(path, 'http://platform');
      const body = answer(pathname, searchParams);
      if (body === undefined) throw new DocsError('not-found', 'not_found', 'Not found.', { status: 404 });
      return { status: 200, headers: {}, body, attempts: 1 };
    },
    download: () => Promise.reject(new Error('Nothing is downloaded.')),
    close: async () => {},
    platformNowMs: undefined,
  });
  return readingWith(client);
}
