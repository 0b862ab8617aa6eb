import { describe, expect, test } from 'vitest';
import type { Method } from '../../../src/api/operation.js';
import type { Step } from '../../faults/server.js';
import { failureOf, scene } from './setup.js';

const get = { method: 'GET', path: '/v1/orgs?limit=2', read: 'json' } as const;

describe('a request', () => {
  test('sends token, accepted type and user agent, and returns body, headers, id and time', async () => {
    const { server, transport } = await scene([
      {
        json: { items: [{ id: 'o1' }] },
        headers: { 'X-Request-Id': 'req-1', Date: 'Wed, 01 Jan 2025 00:00:05 GMT', Vary: ['a', 'b'] },
      },
    ]);
    const response = await transport.send(get);
    expect(response).toMatchObject({
      status: 200,
      body: { items: [{ id: 'o1' }] },
      requestId: 'req-1',
      attempts: 1,
      dateMs: Date.parse('2025-01-01T00:00:05Z'),
    });
    expect(response.headers.vary).toBe('a, b');
    expect(server.requests).toMatchObject([
      {
        method: 'GET',
        target: '/v1/orgs?limit=2',
        headers: {
          authorization: 'Bearer gb_secret_token',
          accept: 'application/json',
          'accept-encoding': 'identity',
          'user-agent': 'docs/test',
        },
        body: '',
      },
    ]);
    expect(server.requests[0]?.headers).not.toHaveProperty('content-type');
  });

  test('sends a body as JSON, below the path of the base URL', async () => {
    const { server, transport } = await scene([{ status: 201, json: { id: 't1' } }]);
    const below = await scene([{ status: 201, json: { id: 't1' } }], {
      baseUrl: `${server.url}/api/`,
      credential: { token: 'gb_x', origin: server.url },
    });
    const response = await below.transport.send({
      method: 'POST',
      path: '/v1/teams',
      read: 'json',
      body: { title: 'Ünï', n: 1 },
      headers: { 'X-Extra': 'yes' },
    });
    expect(response.status).toBe(201);
    expect(server.requests).toMatchObject([
      {
        target: '/api/v1/teams',
        body: '{"title":"Ünï","n":1}',
        headers: { 'content-type': 'application/json', 'x-extra': 'yes' },
      },
    ]);
    await transport.close();
  });

  test('reads bytes unchanged, and no body if none is wanted', async () => {
    const { transport } = await scene([
      { body: 'a,b\r\n' },
      { status: 204 },
      { status: 205, body: '' },
      { json: { ignored: true } },
    ]);
    const bytes = await transport.send({ method: 'GET', path: '/f', read: 'bytes' });
    expect(Buffer.from(bytes.body as Uint8Array).toString()).toBe('a,b\r\n');
    for (const status of [204, 205, 200]) {
      const response = await transport.send({ method: 'DELETE', path: '/v1/x', read: 'nothing' });
      expect([response.status, response.body]).toEqual([status, undefined]);
    }
  });

  test('reuses its connection', async () => {
    const { server, transport } = await scene([{}, {}, {}]);
    for (let i = 0; i < 3; i++) await transport.send(get);
    expect(server.connections).toBe(1);
  });

  test('takes a chunked, dripping body and a body ended by the connection', async () => {
    const items = Array.from({ length: 300 }, (_, id) => ({ id }));
    const { transport } = await scene([
      { json: { items }, chunked: true, drip: 997 },
      { json: { items }, contentLength: false },
    ]);
    expect((await transport.send(get)).body).toEqual({ items });
    expect((await transport.send(get)).body).toEqual({ items });
  });

  test('many at once use at most eight connections, and all get a response', async () => {
    const { server, transport } = await scene((request) => ({ json: { target: request.target } }));
    const paths = Array.from({ length: 40 }, (_, i) => `/v1/${i}`);
    const bodies = await Promise.all(
      paths.map(async (path) => (await transport.send({ ...get, path })).body),
    );
    expect(bodies).toEqual(paths.map((target) => ({ target })));
    expect(server.connections).toBe(8);
  });
});

describe('statuses', () => {
  const message = (status: number, text: string) => ({ json: { error: { code: status, message: text } } });

  test.each([
    [400, 8, 'refused'],
    [401, 4, 'unauthenticated'],
    [402, 8, 'refused'],
    [403, 5, 'forbidden'],
    [404, 6, 'not_found'],
    [405, 8, 'refused'],
    [409, 7, 'conflict'],
    [410, 6, 'not_found'],
    [412, 7, 'conflict'],
    [422, 8, 'refused'],
    [423, 7, 'conflict'],
    [501, 10, 'server_error'],
  ])('%i is exit %i, %s, and is not tried again', async (status, exitCode, code) => {
    const { server, transport } = await scene([
      { status, ...message(status, 'Because of this.'), headers: { 'x-request-id': 'r9' } },
    ]);
    const error = await failureOf(
      transport.send({ method: 'PATCH', path: '/v1/orgs/o1', read: 'json', body: {} }),
    );
    expect([error.exitCode, error.code, error.message]).toEqual([exitCode, code, 'Because of this']);
    expect(error.failure).toMatchObject({
      status,
      method: 'PATCH',
      path: '/v1/orgs/o1',
      requestId: 'r9',
      attempts: 1,
    });
    expect(error.failure.outcome).toBe(status === 501 ? 'unknown' : 'refused');
    expect(error.failure.hint).toMatch(/^docs /);
    expect(server.unmatched()).toEqual({ requests: [], steps: 0 });
  });

  test('without a message from the platform, the error names the request', async () => {
    const { transport } = await scene([
      { status: 404, body: '<html>no</html>', headers: { 'content-type': 'text/html' } },
    ]);
    const subject = { what: 'team t9', listCommand: 'docs teams list' };
    const error = await failureOf(transport.send({ ...get, subject }));
    expect([error.message, error.failure.hint]).toEqual(['not found: team t9', 'docs teams list']);
  });

  test("a long message is cut, and an error's long body is not read to its end", async () => {
    const { transport } = await scene([
      { status: 400, ...message(400, 'x'.repeat(600)) },
      { status: 400, body: 'y'.repeat(1_000_000), headers: { 'content-type': 'text/plain' } },
    ]);
    expect((await failureOf(transport.send(get))).message).toHaveLength(500);
    expect((await failureOf(transport.send(get))).message).toBe(
      'the platform rejected the request (400): GET /v1/orgs?limit=2',
    );
  });

  test('an undeclared success is a failure', async () => {
    const { transport } = await scene([{ status: 202, json: {} }]);
    const error = await failureOf(
      transport.send({ method: 'DELETE', path: '/v1/x', read: 'nothing', expect: [204, 205] }),
    );
    expect([error.exitCode, error.code, error.failure.outcome]).toEqual([15, 'unexpected_status', 'done']);
  });

  // Each status of a redirect, with each method, is in test/faults/origins.world.test.ts.
  test('a redirect is refused, and nothing goes to where it leads', async () => {
    const other = await scene([]);
    const { server, transport } = await scene([{ redirect: `${other.server.url}/steal?code=1` }]);
    const error = await failureOf(transport.send(get));
    expect([error.exitCode, error.code]).toEqual([15, 'refused_redirect']);
    expect(error.message).toBe(`refused redirect to ${other.server.url}/steal`);
    expect([server.requests.length, other.server.connections]).toEqual([1, 0]);
  });

  test('secrets in a query do not show in errors', async () => {
    const { transport } = await scene([{ status: 404 }]);
    const error = await failureOf(transport.send({ ...get, path: '/v1/spaces/s1?shareKey=abc&limit=1' }));
    expect(error.failure.path).toBe('/v1/spaces/s1?shareKey=[redacted]&limit=1');
    expect(error.message).toBe('not found: GET /v1/spaces/s1?shareKey=[redacted]&limit=1');
  });
});

/** RELIABILITY.md, "Retries": how often the server is asked, and the exit code in the end. */
describe('the retry table', () => {
  // One of each effect; retry.test.ts has all methods.
  const methods: Method[] = ['GET', 'PUT', 'POST'];
  type Row = [name: string, fault: Step, asked: Record<Method, number>, exits: Record<Method, number>];
  const each = (GET: number, PUT: number, POST: number) => ({ GET, PUT, DELETE: PUT, POST, PATCH: POST });
  const retryAfter = { 'retry-after': '1' };
  const rows: Row[] = [
    ['reset before the request is read', { reset: 'before-reading' }, each(4, 4, 1), each(11, 16, 16)],
    ['reset once it is read', { reset: 'after-reading' }, each(4, 4, 1), each(11, 16, 16)],
    ['429', { status: 429 }, each(4, 4, 4), each(9, 9, 9)],
    ['429 with Retry-After', { status: 429, headers: retryAfter }, each(4, 4, 4), each(9, 9, 9)],
    ['503 with Retry-After', { status: 503, headers: retryAfter }, each(4, 4, 4), each(10, 10, 10)],
    ['408', { status: 408 }, each(4, 4, 1), each(8, 8, 16)],
    ['425', { status: 425 }, each(4, 4, 1), each(8, 8, 16)],
    ['502', { status: 502 }, each(4, 4, 1), each(10, 10, 16)],
    ['503', { status: 503 }, each(4, 4, 1), each(10, 10, 16)],
    ['504', { status: 504 }, each(4, 4, 1), each(10, 10, 16)],
    ['500', { status: 500 }, each(4, 1, 1), each(10, 10, 10)],
    ['body cut short', { json: { a: 1 }, cut: { after: 3, by: 'reset' } }, each(4, 1, 1), each(15, 15, 15)],
    ['body ended early', { json: { a: 1 }, cut: { after: 3, by: 'end' } }, each(4, 1, 1), each(15, 15, 15)],
    [
      'chunks ended early',
      { json: { a: 1 }, chunked: true, cut: { after: 3, by: 'end' } },
      each(4, 1, 1),
      each(15, 15, 15),
    ],
    ['not HTTP', { raw: 'SSH-2.0-OpenSSH_9.6\r\n' }, each(1, 1, 1), each(15, 15, 15)],
    ['a header of 20 KB', { headers: { big: 'x'.repeat(20_000) } }, each(1, 1, 1), each(15, 15, 15)],
    ['422', { status: 422 }, each(1, 1, 1), each(8, 8, 8)],
  ];
  const cases = rows.flatMap(([name, fault, asked, exits]) =>
    methods.map((method) => [name, method, asked[method], exits[method], fault] as const),
  );

  test.each(cases)('%s: %s is sent %i times, exit %i', async (_name, method, asked, exit, fault) => {
    const { server, transport } = await scene([fault, fault, fault, fault]);
    const body = method === 'GET' || method === 'DELETE' ? {} : { body: { a: 1 } };
    const error = await failureOf(transport.send({ method, path: '/v1/teams/t1', read: 'json', ...body }));
    const times = 4 - server.unmatched().steps;
    expect([times, error.exitCode, error.failure.attempts]).toEqual([asked, exit, asked]);
  });

  test.each(cases.filter(([, , asked]) => asked > 1))(
    '%s: %s succeeds when the next attempt does',
    async (...row) => {
      const [, method, , , fault] = row;
      const { server, transport } = await scene([fault, { json: { ok: true } }]);
      const response = await transport.send({ method, path: '/v1/teams/t1', read: 'json' });
      expect([response.body, response.attempts]).toEqual([{ ok: true }, 2]);
      expect(server.unmatched()).toEqual({ requests: [], steps: 0 });
    },
  );

  test.each([
    ['GET', 2, 11, 'headers_timeout'],
    ['POST', 1, 16, 'outcome_unknown'],
  ] as const)('no answer in time: %s is sent %i times, exit %i', async (method, asked, exit, code) => {
    const { transport } = await scene(() => ({ stall: true }), {
      timeouts: { headersMs: 30 },
      maxAttempts: 2,
    });
    const error = await failureOf(transport.send({ method, path: '/v1/x', read: 'json' }));
    expect([error.failure.attempts, error.exitCode, error.code]).toEqual([asked, exit, code]);
  });

  test('a body that stalls is read again from the start', async () => {
    const { transport } = await scene(
      [{ json: { a: 1 }, cut: { after: 3, by: 'stall' } }, { json: { a: 2 } }],
      { timeouts: { bodyMs: 300 } },
    );
    expect(await transport.send(get)).toMatchObject({ body: { a: 2 }, attempts: 2 });
  });

  test('an unknown outcome names the resource and the command that shows it', async () => {
    const { transport } = await scene([{ reset: 'after-reading' }]);
    const subject = { what: 'team "Docs"', showCommand: 'docs teams get t1' };
    const error = await failureOf(
      transport.send({ method: 'PATCH', path: '/v1/teams/t1', read: 'json', body: {}, subject }),
    );
    expect(error.toJSON()).toMatchObject({
      code: 'outcome_unknown',
      exitCode: 16,
      outcome: 'unknown',
      retryable: false,
      hint: 'docs teams get t1',
      details: { reason: 'reset' },
    });
    expect(error.message).toMatch(/before a response arrived\. The outcome is unknown: team "Docs"\.$/);
  });

  test('without such a command, the hint is a GET of the resource', async () => {
    const { transport } = await scene([{ status: 502 }]);
    const error = await failureOf(
      transport.send({ method: 'POST', path: '/v1/orgs/o1/saml?a=$(x)', read: 'json', body: {} }),
    );
    expect(error.failure.hint).toBe('docs api GET /v1/orgs/o1/saml');
  });

  test('a write whose response is cut short says that the change was made', async () => {
    const { transport } = await scene([{ status: 201, json: { id: 't1' }, cut: { after: 2, by: 'end' } }]);
    const error = await failureOf(
      transport.send({ method: 'POST', path: '/v1/teams', read: 'json', body: {} }),
    );
    expect(error.toJSON()).toMatchObject({
      code: 'cut_short',
      status: 201,
      outcome: 'done',
      retryable: false,
    });
    expect(error.message).toBe('the response was cut short. The change was made.');
  });

  test('a write whose response is cut short is read by GET, not sent again', async () => {
    const { server, transport } = await scene([
      { status: 200, json: { id: 't1' }, cut: { after: 2, by: 'end' } },
      { status: 503 },
      { json: { id: 't1', title: 'New' } },
    ]);
    const response = await transport.send({
      method: 'PATCH',
      path: '/v1/teams/t1',
      read: 'json',
      body: { title: 'New' },
      readBack: '/v1/teams/t1',
    });
    expect(response).toMatchObject({ status: 200, body: { id: 't1', title: 'New' }, attempts: 1 });
    expect(server.requests.map(({ method }) => method)).toEqual(['PATCH', 'GET', 'GET']);
  });

  test('a write whose body is not read succeeds although the body breaks off', async () => {
    const { transport } = await scene([{ status: 200, json: { a: 1 }, cut: { after: 3, by: 'reset' } }]);
    const response = await transport.send({ method: 'PUT', path: '/v1/x', read: 'nothing', body: {} });
    expect(response.status).toBe(200);
  });

  test('a PUT declared as not idempotent is not sent again', async () => {
    const { server, transport } = await scene([{ reset: 'after-reading' }]);
    const request = {
      method: 'PUT',
      path: '/v1/orgs/o1/teams',
      read: 'json',
      body: {},
      idempotent: false,
    } as const;
    expect((await failureOf(transport.send(request))).exitCode).toBe(16);
    expect(server.requests).toHaveLength(1);
  });
});

describe('a repeated DELETE', () => {
  const remove = { method: 'DELETE', path: '/v1/teams/t1', read: 'nothing', expect: [204, 205] } as const;

  test.each([[{ reset: 'after-reading' }], [{ status: 504 }]] as [Step][])(
    'that finds 404 after %j has done its work',
    async (fault) => {
      const { transport } = await scene([fault, { status: 404 }]);
      expect(await transport.send(remove)).toMatchObject({ alreadyDone: true, attempts: 2, body: undefined });
    },
  );
});

test('a body without a length that ends early is read again from the start', async () => {
  const half = '{"id":"o1","title":"Ac';
  const { server, transport } = await scene([
    { body: half, headers: { 'content-type': 'application/json' }, contentLength: false },
    { json: { id: 'o1' } },
  ]);
  expect(await transport.send(get)).toMatchObject({ attempts: 2, body: { id: 'o1' } });
  expect(server.requests).toHaveLength(2);
});
