import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A platform of members on two pages that makes docs wait where a test says so. */

export interface MembersPlatform {
  url: string;
  readonly requests: string[];
  /** Waits until a request with this text in it has come. */
  asked(text: string): Promise<void>;
  /** Lets everything go on that waits, and will wait. */
  release(): void;
  close(): void;
}

const member = (name: string) => ({
  object: 'member',
  id: name,
  role: 'read',
  user: { displayName: name, email: `${name}@acme.example` },
});

/**
 * @param holds which requests wait for `release`
 * @param more how many members the first page has beside ada and cyd; bob is on the second
 */
export async function membersPlatform(holds: (url: URL) => boolean, more = 0): Promise<MembersPlatform> {
  const others = Array.from({ length: more }, (_, index) => `m${index}`);
  const requests: string[] = [];
  const waiting = new Set<() => void>();
  let release = () => {};
  const released = new Promise<void>((done) => {
    release = done;
  });
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://platform');
    requests.push(`${url.pathname}${url.search}`);
    for (const look of waiting) look();
    if (holds(url)) await released;
    const search = url.searchParams.get('search');
    const first = url.searchParams.get('page') === null;
    const names = search !== null ? [search] : first ? ['ada', 'cyd', ...others] : ['bob'];
    const next = search === null && first ? { page: 'second' } : {};
    const found = /\/members\/(\w+)$/.exec(url.pathname)?.[1];
    const body = found === undefined ? { items: names.map(member), next, count: 3 + more } : member(found);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    asked: (text) =>
      new Promise((done) => {
        const look = () => {
          if (!requests.some((request) => request.includes(text))) return;
          waiting.delete(look);
          done();
        };
        waiting.add(look);
        look();
      }),
    release,
    close: () => {
      release();
      server.closeAllConnections();
      server.close();
    },
  };
}
