import { once } from 'node:events';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../src/main.js';
import { FakeOutput } from '../fake-io.js';
import { ioHere } from './here.js';
import { call, clientInfo, initialize, initialized, type Message, request, serveHere } from './mcp-here.js';
import { freshHome, type Home } from './program.js';

/** `docs mcp serve`: both versions of the protocol, over stdio and HTTP, by raw messages and a client. */

let home: Home;
beforeAll(() => {
  home = freshHome();
});
afterAll(() => home.remove());

/** What every request of the stateless protocol carries. */
const stateless = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};
const aRead = { argv: ['teams', 'list'], limit: 1 };
const read = { structuredContent: { shown: 1 } };

describe('over stdio', () => {
  it('serves 2025-11-25: initialize, ping, tools, an unknown method, lines that are no messages', async () => {
    const { send, next, close, ended } = serveHere(['--sandbox'], home);
    send(initialize);
    const served = { protocolVersion: '2025-11-25', serverInfo: { name: 'docs' } };
    expect((await next()).result).toMatchObject(served);
    send(initialized);
    // An empty line is none.
    send('');
    for (const [sent, answer] of [
      [request(2, 'ping'), { id: 2, result: {} }],
      [request(3, 'nope'), { id: 3, error: { code: -32601 } }],
      ['{"jsonrpc":"2.0","id":4,', { id: null, error: { code: -32700 } }],
      [[request(5, 'ping')], { id: null, error: { code: -32600 } }],
      [call(6, 'docs_nope', {}), { id: 6, error: { code: -32602 } }],
      [
        call(7, 'docs_read', { argv: 'teams' }),
        { id: 7, error: { code: -32602, message: expect.stringContaining('argv must be a list of texts') } },
      ],
      [call(8, 'docs_read', aRead), { id: 8, result: read }],
    ] as const) {
      send(sent);
      expect(await next()).toMatchObject({ jsonrpc: '2.0', ...answer });
    }
    await close();
    expect(await ended).toBe(0);
  });

  it('serves the stateless protocol of 2026-07-28, which has no handshake', async () => {
    const { send, next, close, ended } = serveHere(['--sandbox'], home);
    send(request(1, 'server/discover', stateless));
    expect((await next()).result).toMatchObject({ supportedVersions: ['2026-07-28'] });
    send(request(2, 'tools/list', stateless));
    expect((await next()).result?.tools).toHaveLength(7);
    send(call(3, 'docs_read', aRead, stateless));
    expect((await next()).result).toMatchObject(read);
    send(call(4, 'docs_apply', { plan: 'x' }, stateless));
    const refused = { isError: true, structuredContent: { error: { code: 'policy_required' } } };
    expect((await next()).result).toMatchObject(refused);
    await close();
    expect(await ended).toBe(0);
  });
});

describe('over HTTP', () => {
  /** Runs a test with a server, its address and its token, as it prints them. */
  async function served(port: readonly string[], test: (url: string, token: string) => Promise<void>) {
    const stopped = new AbortController();
    const stderr = new FakeOutput();
    const told = once(stderr, 'told');
    stderr._write = (chunk: string | Buffer, _, done) => {
      stderr.emit('told', chunk.toString());
      done();
    };
    const io = ioHere(home.env, home.path, { stderr, signal: stopped.signal });
    const ended = run(['mcp', 'serve', '--sandbox', '--http', ...port], io);
    const [text] = (await told) as [string];
    const url = /^Listening on (http:\/\/127\.0\.0\.1:\d+\/mcp)$/m.exec(text)?.[1] ?? '';
    await test(url, /^Token: (\S{43})$/m.exec(text)?.[1] ?? '');
    stopped.abort(new Error('SIGTERM'));
    await ended;
  }

  const post = (url: string, token: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  /** A message in an answer of either kind. */
  async function messageIn(response: Response): Promise<Message> {
    const text = await response.text();
    return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as Message;
  }

  it('answers nobody without the token, of another host, or of another origin', () =>
    served([], async (url, token) => {
      expect((await post(url, 'wrong', initialize)).status).toBe(401);
      expect((await post(url, token, initialize, { origin: 'https://evil.example' })).status).toBe(403);
      expect((await post(url.replace('/mcp', '/other'), token, initialize)).status).toBe(404);
    }));

  it('serves both versions of the protocol', () =>
    served(['0'], async (url, token) => {
      const opened = await post(url, token, initialize);
      const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
      expect((await messageIn(opened)).result).toMatchObject({ protocolVersion: '2025-11-25' });
      expect((await post(url, token, initialized, session)).status).toBe(202);
      const first = await messageIn(await post(url, token, call(2, 'docs_read', aRead), session));
      expect(first.result).toMatchObject(read);
      expect((await post(url, token, call(3, 'docs_read', aRead))).status).toBe(400);
      expect((await post(url, token, '{"jsonrpc":')).status).toBe(400);
      const headers = {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'docs_read',
      };
      const modern = await messageIn(await post(url, token, call(4, 'docs_read', aRead, stateless), headers));
      expect(modern.result).toMatchObject(read);
      const client = new Client({ name: 'inspector', version: '1.0' });
      const requestInit = { headers: { authorization: `Bearer ${token}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
      expect((await client.listTools()).tools).toHaveLength(7);
      await client.close();
    }));

  it('refuses a port that is none', async () => {
    const { code, stderr } = await home.run(['mcp', 'serve', '--http', '70000']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--http must be a port')]);
  });
});
