import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mcpPath, serveOverHttp } from '../../../src/agents/mcp/http.js';
import { derivedIo } from '../../../src/base/io.js';
import { FakeOutput } from '../../fake-io.js';
import { openMcp } from './mcp-world.js';

/** Who is answered over HTTP: the one who has the token, on this machine, and from no other page. */

let origin: string;
let token: string;
let served: Promise<void>;
const stopped = new AbortController();

const mcp = await openMcp();
beforeAll(async () => {
  const stderr = new FakeOutput();
  const told = once(stderr, 'told');
  stderr._write = (chunk, _, done) => {
    stderr.emit('told', String(chunk));
    done();
  };
  served = serveOverHttp(mcp.desk, derivedIo(mcp.io, { stderr, signal: stopped.signal }), 0);
  const [text] = (await told) as [string];
  origin = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0] ?? '';
  token = /^Token: (\S+)$/m.exec(text)?.[1] ?? '';
});
afterAll(async () => {
  stopped.abort();
  await served;
  await mcp.close();
});

const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

/** The status of the answer to a message with these headers. */
async function status(headers: Record<string, string>): Promise<number | undefined> {
  const accept = 'application/json, text/event-stream';
  const sent = request(`${origin}${mcpPath}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, ...headers },
  });
  sent.end(body);
  const [answer] = await once(sent, 'response');
  answer.resume();
  return answer.statusCode;
}

it('nobody is answered whose token differs in a single character, or is none', async () => {
  // What is no opening of a session is refused, but by the protocol.
  expect(await status({ authorization: `Bearer ${token}` })).toBe(400);
  expect(await status({})).toBe(401);
  const other = (at: number) => (token[at] === 'A' ? 'B' : 'A');
  const near = Array.from(token, (_, at) => `Bearer ${token.slice(0, at)}${other(at)}${token.slice(at + 1)}`);
  const wrong = ['Bearer ', `Bearer ${token.slice(0, -1)}`, `Bearer ${token}A`, `Basic ${token}`, token];
  for (const authorization of [...near, ...wrong])
    expect([authorization, await status({ authorization })]).toEqual([authorization, 401]);
});

it.each([
  ['another host', { host: 'evil.example' }],
  ['another origin', { origin: 'https://evil.example' }],
])('nobody is answered by the name of %s, with the token', async (_, headers) => {
  expect(await status({ authorization: `Bearer ${token}`, ...headers })).toBe(403);
});
