/**
 * Answers each request for a path with the bytes that a file holds for it, after a while:
 * `replayed.mjs <JSON file of path and body> <milliseconds>`.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const [file = '', delay = '0'] = process.argv.slice(2);
const stored = new Map(
  Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string | null>),
);

const server = createServer((request, response) => {
  const body = stored.get(request.url ?? '');
  const status = body === undefined ? 500 : body === null ? 404 : 200;
  const bytes = Buffer.from(body ?? '{"error":{"code":404,"message":"It is not here."}}');
  const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length };
  setTimeout(() => response.writeHead(status, headers).end(bytes), Number(delay));
});
server.keepAliveTimeout = 60_000;
process.on('disconnect', () => process.exit()); // Whoever started it has died.
server.listen(0, '127.0.0.1', () =>
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
