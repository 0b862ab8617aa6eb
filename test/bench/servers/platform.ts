/**
 * A platform that costs next to nothing: one space, members in pages of 1,000 that were written before,
 * and deletions that are answered after 20 ms. The organization `m100000` has 100,000 members.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const deletionMs = 20;
const pageSize = 1000;
/** Different pages; longer lists have them over and over. */
const differentPages = 100;

const space = Buffer.from(
  JSON.stringify({
    ...{ object: 'space', id: 's1', title: 'Product Guide', emoji: '📘', visibility: 'public' },
    ...{ createdAt: '2024-02-05T09:00:00.000Z', updatedAt: '2025-12-29T06:00:00.000Z', editMode: 'live' },
    ...{ organization: 'm100000', parent: 'c1', revision: 'r1', defaultLevel: 'inherit', comments: 0 },
    ...{ changeRequests: 0, changeRequestsOpen: 0, changeRequestsDraft: 0 },
    urls: { location: 'https://api.example/v1/spaces/s1', app: 'https://app.example/o/m100000/s/s1' },
  }),
);

const pages = Array.from({ length: differentPages }, (_, page) =>
  Buffer.from(
    `{"items":[${Array.from({ length: pageSize }, (_, index) => member(page * pageSize + index))}]`,
  ),
);

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://platform');
  if (request.method === 'DELETE') {
    setTimeout(() => response.writeHead(204).end(), deletionMs);
    return;
  }
  const [, total] = /^\/v1\/orgs\/m(\d+)\/members$/.exec(pathname) ?? [];
  if (total === undefined) return send(response, [space]);
  // None of the members that are deleted is an admin.
  if (searchParams.get('role') === 'admin') return send(response, [Buffer.from('{"items":[],"next":{}}')]);
  const page = Number(searchParams.get('page') ?? 0);
  const next = (page + 1) * pageSize < Number(total) ? { page: String(page + 1) } : {};
  const end = `,"next":${JSON.stringify(next)},"count":${total}}`;
  // For gh, which finds the next page in a header.
  const address = `http://${request.headers.host}${pathname}?limit=${pageSize}&page=${next.page}`;
  if (next.page !== undefined) response.setHeader('link', `<${address}>; rel="next"`);
  send(response, [pages[page % differentPages] as Buffer, Buffer.from(end)]);
});
server.keepAliveTimeout = 60_000;
process.on('disconnect', () => process.exit()); // Whoever started it has died.
server.listen(0, '127.0.0.1', () =>
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);

function send(response: ServerResponse, parts: readonly Buffer[]): void {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': length });
  for (const part of parts) response.write(part);
  response.end();
}

function member(number: number): string {
  const id = `u${String(number).padStart(19, '0')}`;
  return JSON.stringify({
    ...{ object: 'member', id, role: number % 3 === 0 ? 'edit' : 'read', disabled: false, sso: false },
    user: {
      ...{ object: 'user', id, displayName: `Zoë Lindqvist ${number}`, email: `zoe.${number}@acme.example` },
      photoURL: `https://photos.example/${id}.png`,
    },
    ...{ joinedAt: '2024-02-05T09:00:00.000Z', lastSeenAt: '2025-12-29T06:00:00.000Z', spaces: 12, teams: 3 },
  });
}
