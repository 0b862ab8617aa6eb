import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { DocsError } from '../../../src/base/errors.js';
import { type FetchLimits, fetchPublic } from '../../../src/sandbox/fetch-public.js';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A server on loopback that counts who comes. */
async function serve(answer: RequestListener) {
  const seen = { connections: 0, headers: {} as Record<string, unknown>, url: '' };
  const server = createServer((request, response) => {
    seen.headers = request.headers;
    seen.url = request.url ?? '';
    answer(request, response);
  });
  servers.push(server);
  server.on('connection', () => {
    seen.connections += 1;
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { port, seen, url: (path = '/spec.json') => `http://127.0.0.1:${port}${path}` };
}

/** Lets the tests reach their own server. */
const loopback: FetchLimits = { allows: (address) => address === '127.0.0.1' };

async function failure(url: string, limits?: FetchLimits) {
  const error = await fetchPublic(url, limits).then(
    () => undefined,
    (reason: unknown) => reason as DocsError,
  );
  return { code: error?.code, message: error?.message, status: error?.failure.status };
}

/** A look-up that gives these addresses, whatever the name and the form it is asked in. */
function resolver(...addresses: string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return (_name, { all }, done) => {
    if (all) done(null, found);
    else done(null, found[0]?.address ?? '', found[0]?.family);
  };
}

describe('a closed address', () => {
  test.each([
    '127.0.0.1',
    'localhost',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '127.1',
    '0.0.0.0',
    '2130706433',
    '0x7f.1',
  ])('%s is refused before anything connects', async (host) => {
    const { port, seen } = await serve((_request, response) => response.end('secret'));
    expect(await failure(`http://${host}:${port}/`)).toMatchObject({ code: 'fetch_failed', status: 400 });
    expect(await failure(`https://${host}:${port}/`)).toMatchObject({ code: 'fetch_failed', status: 400 });
    expect(seen.connections).toBe(0);
  });

  test('behind a public name is refused by the result of the lookup', async () => {
    const { port, seen } = await serve((_request, response) => response.end('secret'));
    for (const lookup of [resolver('127.0.0.1'), resolver('93.184.215.14', '127.0.0.1'), resolver('::1')]) {
      const refused = await failure(`http://docs.example:${port}/`, { lookup });
      expect(refused).toMatchObject({ code: 'fetch_failed', status: 400 });
      expect(refused.message).toContain('docs.example');
      expect(refused.message).toContain('not a public address');
    }
    expect(seen.connections).toBe(0);
  });

  test('cannot get in by a second lookup: the connection uses the first', async () => {
    const { port, seen } = await serve((_request, response) => response.end('fine'));
    let asked = 0;
    const lookup: LookupFunction = (name, options, done) => {
      asked += 1;
      resolver(asked === 1 ? '127.0.0.1' : '127.0.0.2')(name, options, done);
    };
    await fetchPublic(`http://docs.example:${port}/`, { ...loopback, lookup });
    expect(asked).toBe(1);
    expect(seen.connections).toBe(1);
  });
});

describe('a fetch', () => {
  test('returns the bytes and the media type', async () => {
    const { url, seen } = await serve((_request, response) => {
      response.setHeader('content-type', 'application/yaml; charset=utf-8');
      response.end(Uint8Array.of(0, 255, 10));
    });
    const { bytes, contentType } = await fetchPublic(url('/v1/spec.yaml?a=1'), loopback);
    expect([...bytes]).toEqual([0, 255, 10]);
    expect(contentType).toBe('application/yaml; charset=utf-8');
    expect(seen.url).toBe('/v1/spec.yaml?a=1');
  });

  test('sends neither credentials from the URL nor extra headers', async () => {
    const { port, seen } = await serve((_request, response) => response.end());
    await fetchPublic(`http://user:secret@127.0.0.1:${port}/`, loopback);
    expect(seen.headers).toEqual({
      host: `127.0.0.1:${port}`,
      accept: '*/*',
      'accept-encoding': 'identity',
      'user-agent': 'docs-sandbox',
      connection: 'close',
    });
  });

  test('of a name connects to its address and sends the name as Host', async () => {
    const { port, seen } = await serve((_request, response) => response.end('fine'));
    await fetchPublic(`http://docs.example:${port}/`, { ...loopback, lookup: resolver('127.0.0.1') });
    expect(seen.headers.host).toBe(`docs.example:${port}`);
  });

  test.each([301, 302, 303, 307, 308])('follows no redirect: %d', async (status) => {
    const { url, seen } = await serve((_request, response) => {
      response.writeHead(status, { location: '/other' }).end();
    });
    const refused = await failure(url(), loopback);
    expect(refused).toMatchObject({ code: 'fetch_failed', status: 400 });
    expect(refused.message).toContain('redirects are not followed');
    expect(seen.url).toBe('/spec.json');
  });

  test.each([201, 204, 206, 404, 500])('accepts only 200, not %d', async (status) => {
    const { url } = await serve((_request, response) => response.writeHead(status).end());
    expect((await failure(url(), loopback)).message).toContain(`the server answered ${status}`);
  });

  test('accepts bytes up to the limit', async () => {
    const send =
      (bytes: number): RequestListener =>
      (_request, response) => {
        response.write(Buffer.alloc(bytes - 1));
        response.end('x');
      };
    const limits = { ...loopback, mostBytes: 100_000 };
    const exact = await serve(send(100_000));
    expect((await fetchPublic(exact.url(), limits)).bytes).toHaveLength(100_000);
    const more = await serve(send(100_001));
    expect((await failure(more.url(), limits)).message).toContain('larger than 100000 bytes');
  });

  test('does not read a response whose length exceeds the limit', async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': 10 * 1024 * 1024 + 1 });
      response.write('x');
    });
    expect(await failure(url(), loopback)).toMatchObject({ code: 'fetch_failed', status: 400 });
  });

  test('refuses an encoding that it did not request', async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('x');
    });
    expect((await failure(url(), loopback)).message).toContain('content encoding gzip');
  });

  test.each([
    ['no answer', () => {}],
    ['half an answer', (_request, response) => response.write('half')],
  ] satisfies [string, RequestListener][])('ends after its time with %s', async (_name, answer) => {
    const { url } = await serve(answer);
    expect(await failure(url(), { ...loopback, timeoutMs: 50 })).toMatchObject({
      code: 'fetch_timeout',
      status: 400,
    });
  });

  test('fails if the response is cut short or nothing listens', async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': 10 });
      response.write('x', () => response.destroy());
    });
    expect(await failure(url(), loopback)).toMatchObject({ code: 'fetch_failed' });
    const gone = await serve(() => {});
    await new Promise((resolve) => {
      servers.pop()?.close(resolve);
    });
    expect(await failure(gone.url(), loopback)).toMatchObject({ code: 'fetch_failed' });
  });

  test.each(['ftp://example.com/', 'file:///etc/hosts', 'nowhere', ''])('refuses %j', async (url) => {
    expect(await failure(url)).toMatchObject({ code: 'fetch_failed', status: 400 });
  });
});
