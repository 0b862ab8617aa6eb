/**
 * A platform of members whose roles can be read and changed, each request answered after 20 ms: `u1`, `u2`, … for
 * as many as anyone asks for.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const answerMs = 20;
const roles = new Map<string, string | null>();

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url ?? '', 'http://platform');
  const [, id] = /^\/v1\/orgs\/o1\/members\/(\w+)$/.exec(pathname) ?? [];
  let text = '';
  for await (const chunk of request) text += String(chunk);
  if (request.method === 'PATCH' && id !== undefined)
    roles.set(id, (JSON.parse(text) as { role: string | null }).role);
  // None of them is an admin.
  const body = id === undefined ? { items: [], count: 0 } : member(id);
  setTimeout(() => {
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify(body));
  }, answerMs);
});
server.keepAliveTimeout = 60_000;
process.on('disconnect', () => process.exit()); // Whoever started it has died.
server.listen(0, '127.0.0.1', () =>
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);

function member(id: string): object {
  return {
    ...{ object: 'member', id, role: roles.get(id) ?? 'edit', disabled: false, sso: false },
    user: { object: 'user', id, displayName: `Zoë Lindqvist ${id}`, email: `zoe.${id}@acme.example` },
    ...{ joinedAt: '2024-02-05T09:00:00.000Z', spaces: 12, teams: 3 },
  };
}
