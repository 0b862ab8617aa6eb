import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { docsFile, docsFirst } from '../started.js';
import { freshHome, type Home } from './program.js';

/** `docs mcp serve` as a process: both versions of the protocol, over stdio and HTTP, by raw messages and a client. */

interface Message {
  id?: number | null;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

let home: Home;
let children: ChildProcessWithoutNullStreams[];
beforeEach(() => {
  home = freshHome();
  children = [];
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  home.remove();
});

function serve(...flags: string[]): ChildProcessWithoutNullStreams {
  const words = [...docsFirst, 'mcp', 'serve', '--sandbox', ...flags];
  const child = spawn(docsFile, words, { env: home.env, cwd: home.path, stdio: 'pipe' });
  child.stdin.on('error', () => {}); // One that ended reads no more.
  children.push(child);
  return child;
}

/** A connection over stdio by raw lines; every line of stdout must be a message. */
function connection(child: ChildProcessWithoutNullStreams) {
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    send: (message: unknown) =>
      child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`),
    async next(): Promise<Message> {
      const { value, done } = await lines.next();
      if (done) throw new Error('The server closed its output.');
      const message = JSON.parse(value) as Message & { jsonrpc: string };
      expect(message.jsonrpc).toBe('2.0');
      return message;
    },
  };
}

const clientInfo = { name: 'raw', version: '1' };
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
};
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
const request = (id: number, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params });
const call = (id: number, name: string, given: object, meta: object = {}) =>
  request(id, 'tools/call', { name, arguments: given, ...meta });
/** What every request of the stateless protocol carries. */
const stateless = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};
const aRead = { argv: ['teams', 'list'], limit: 1 };

describe('over stdio', () => {
  it('serves 2025-11-25: initialize, ping, tools, an unknown method, lines that are no messages', async () => {
    const child = serve();
    const { send, next } = connection(child);
    send(initialize);
    expect((await next()).result).toMatchObject({
      protocolVersion: '2025-11-25',
      serverInfo: { name: 'docs' },
    });
    send(initialized);
    send(request(2, 'ping'));
    expect(await next()).toMatchObject({ id: 2, result: {} });
    send(request(3, 'nope'));
    expect(await next()).toMatchObject({ id: 3, error: { code: -32601 } });
    // An empty line is none.
    send('');
    send('{"jsonrpc":"2.0","id":4,');
    expect(await next()).toMatchObject({ id: null, error: { code: -32700 } });
    send([request(5, 'ping')]);
    expect(await next()).toMatchObject({ id: null, error: { code: -32600 } });
    send(call(6, 'docs_nope', {}));
    expect(await next()).toMatchObject({ id: 6, error: { code: -32602 } });
    send(call(7, 'docs_read', { argv: 'teams' }));
    expect(await next()).toMatchObject({ id: 7, error: { code: -32602 } });
    send(call(8, 'docs_read', aRead));
    expect((await next()).result).toMatchObject({ structuredContent: { shown: 1 } });
    child.stdin.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('serves the stateless protocol of 2026-07-28, which has no handshake', async () => {
    const child = serve();
    const { send, next } = connection(child);
    send(request(1, 'server/discover', stateless));
    expect((await next()).result).toMatchObject({ supportedVersions: ['2026-07-28'] });
    send(request(2, 'tools/list', stateless));
    expect((await next()).result?.tools).toHaveLength(7);
    send(call(3, 'docs_read', aRead, stateless));
    expect((await next()).result).toMatchObject({ structuredContent: { shown: 1 } });
    send(call(4, 'docs_apply', { plan: 'x' }, stateless));
    expect((await next()).result).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'policy_required' } },
    });
    child.stdin.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('ends by the signal that interrupts it', async () => {
    const child = serve();
    const { send, next } = connection(child);
    send(initialize);
    await next();
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([null, 'SIGINT']);
  });

  it('gives a client the same tools as by raw messages, and resources that can be read', async () => {
    const client = new Client({ name: 'inspector', version: '1.0' });
    const transport = new StdioClientTransport({
      command: docsFile,
      args: [...docsFirst, 'mcp', 'serve', '--sandbox'],
      env: home.env,
      cwd: home.path,
    });
    await client.connect(transport);
    try {
      const { tools } = await client.listTools();
      expect(tools).toHaveLength(7);
      expect(JSON.stringify({ tools }).length).toBeLessThanOrEqual(6000);
      const read = await client.callTool({ name: 'docs_read', arguments: aRead });
      expect(read.structuredContent).toMatchObject({ shown: 1 });
      const { resources } = await client.listResources();
      const uris = resources.map(({ uri }) => uri);
      expect(uris).toEqual(expect.arrayContaining(['docs://help/plans', 'docs://reference/members']));
      for (const uri of ['docs://help/plans', 'docs://reference/members']) {
        const { contents } = await client.readResource({ uri });
        expect(contents[0]).toMatchObject({ uri, text: expect.stringContaining('docs') });
      }
      await expect(client.readResource({ uri: 'docs://help/nope' })).rejects.toThrow();
    } finally {
      await client.close();
    }
  });
});

describe('over HTTP', () => {
  /** The address and the token, as the server prints them. */
  async function listening(child: ChildProcessWithoutNullStreams): Promise<{ url: string; token: string }> {
    const found: { url?: string; token?: string } = {};
    for await (const line of createInterface({ input: child.stderr })) {
      const url = /^Listening on (http:\/\/127\.0\.0\.1:\d+\/mcp)$/.exec(line)?.[1];
      const token = /^Token: (\S{43})$/.exec(line)?.[1];
      Object.assign(found, url && { url }, token && { token });
      if (found.url !== undefined && found.token !== undefined) return { url: found.url, token: found.token };
    }
    throw new Error('The server did not start.');
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

  it('answers nobody without the token, of another host, or of another origin', async () => {
    const child = serve('--http');
    const { url, token } = await listening(child);
    expect((await post(url, 'wrong', initialize)).status).toBe(401);
    expect((await post(url, token, initialize, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await post(url.replace('/mcp', '/other'), token, initialize)).status).toBe(404);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
  });

  it('serves both versions of the protocol', async () => {
    const child = serve('--http', '0');
    const { url, token } = await listening(child);
    const opened = await post(url, token, initialize);
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    expect((await messageIn(opened)).result).toMatchObject({ protocolVersion: '2025-11-25' });
    expect((await post(url, token, initialized, session)).status).toBe(202);
    const read = await messageIn(await post(url, token, call(2, 'docs_read', aRead), session));
    expect(read.result).toMatchObject({ structuredContent: { shown: 1 } });
    expect((await post(url, token, call(3, 'docs_read', aRead))).status).toBe(400);
    expect((await post(url, token, '{"jsonrpc":')).status).toBe(400);
    const headers = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'docs_read',
    };
    const modern = await messageIn(await post(url, token, call(4, 'docs_read', aRead, stateless), headers));
    expect(modern.result).toMatchObject({ structuredContent: { shown: 1 } });
    const client = new Client({ name: 'inspector', version: '1.0' });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    expect((await client.listTools()).tools).toHaveLength(7);
    await client.close();
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([null, 'SIGINT']);
  });

  it('refuses a port that is none', async () => {
    const { code, stderr } = await home.run(['mcp', 'serve', '--http', '70000']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--http must be a port')]);
  });
});
