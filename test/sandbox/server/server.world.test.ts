import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listFiles } from '../../../src/api/resources/content.js';
import { getMember, updateMember } from '../../../src/api/resources/members.js';
import { createServer } from '../../../src/sandbox/server/server.js';
import { ContentSource } from '../../../src/sandbox/sources.js';
import { openDatabase } from '../../../src/sandbox/store/database.js';
import { createClient, openSandbox, seedId, type TestSandbox } from '../client.js';

let sandbox: TestSandbox;
let port: number;
const org = seedId('org acme');

async function open() {
  sandbox = await openSandbox();
  port = Number(new URL(sandbox.url).port);
}
beforeAll(open);
afterAll(() => sandbox.close());

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/**
 * A request with exactly these headers, which fetch would not send. It ends when all is sent, too: an answer may come
 * earlier, and Node's client has nobody to tell when the connection closes in between.
 */
async function send(
  headers: Record<string, string>,
  path = '/v1/orgs',
  method = 'GET',
  body?: string | Buffer,
): Promise<Answer> {
  const sent = request({ host: '127.0.0.1', port, path, method, headers });
  // Until there is an answer, an error fails the test below; after that, reading the answer does.
  sent.on('error', () => {});
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  const isSent = once(sent, 'finish');
  sent.end(body);
  const [[response]] = await Promise.all([answered, isSent]);
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
}

const bearer = () => ({ authorization: `Bearer ${sandbox.token}` });
const problem = ({ body }: Answer) =>
  (JSON.parse(body) as { error: { code: number; message: string } }).error;

describe('a token', () => {
  test.each([
    [{}, /Authorization: Bearer/],
    [{ authorization: 'Basic YTpi' }, /must be: Bearer/],
    [{ authorization: 'Bearer' }, /must be: Bearer/],
    [{ authorization: 'Bearer sbx_a sbx_b' }, /must be: Bearer/],
    [{ authorization: 'Bearer sbx_00000000000000000000000000000000' }, /does not belong to this sandbox/],
    [{ authorization: 'Bearer gb_api_secret' }, /Never send a real token/],
  ])('%o answers 401', async (headers, message) => {
    const answer = await send(headers);
    expect([answer.status, problem(answer).code]).toEqual([401, 401]);
    expect(problem(answer).message).toMatch(message);
    expect(answer.body).not.toContain('secret');
  });

  test('is required before anything else', async () => {
    expect((await send({}, '/v1/nothing')).status).toBe(401);
    expect((await send({}, `/v1/orgs/${org}?colour=red`)).status).toBe(401);
  });

  test('is random: 128 bits for each database', async () => {
    // With a clock of its own it is no copy.
    const other = await openSandbox({ io: sandbox.outside.io });
    const tokens = [...sandbox.tokens, ...other.tokens].map(({ token }) => token);
    await other.close();
    expect(new Set(tokens).size).toBe(16);
    for (const token of tokens) expect(token).toMatch(/^sbx_[0-9a-f]{32}$/);
  });

  test('exists for each role, a guest, and the admin of another organization', async () => {
    expect(sandbox.tokens.map(({ name }) => name)).toEqual([
      ...['admin', 'create', 'review', 'edit', 'comment', 'read', 'guest', 'other-org'],
    ]);
    const admin = sandbox.as('admin');
    for (const { name, member, org: organizationId } of sandbox.tokens.slice(0, 7)) {
      const { role } = await admin.ok(getMember, { path: { organizationId, userId: member } });
      expect(role).toBe(name === 'guest' ? null : name);
    }
  });
});

test('a download needs no token; headers say its type and length', async () => {
  const path = { spaceId: sandbox.defaults.space ?? '' };
  const [file] = (await sandbox.admin.ok(listFiles, { path })).items;
  const { status, headers, body } = await send({}, new URL(file?.downloadURL ?? '').pathname);
  expect([status, body.length]).toEqual([200, file?.size]);
  const length = String(file?.size);
  expect(headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8', 'content-length': length });
  expect((await send({}, '/files/nothing/file.txt')).status).toBe(404);
});

describe('Host and Origin', () => {
  test('must be those of the sandbox', async () => {
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`]) {
      expect((await send({ ...bearer(), host })).status).toBe(200);
      expect((await send({ ...bearer(), host, origin: `http://${host}` })).status).toBe(200);
    }
  });

  test.each<Record<string, string>>([
    { host: 'evil.example' },
    { host: 'localhost' },
    { host: '127.0.0.1:1' },
    { host: 'localhost.evil.example:80' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://localhost' },
  ])('%o answers 403', async (headers) => {
    const answer = await send({ ...bearer(), ...headers });
    expect([answer.status, problem(answer).code]).toEqual([403, 403]);
  });
});

describe('the answers of a new server', () => {
  beforeEach(async () => {
    await sandbox.close();
    await open();
  });

  test('carry a request id, the time of the sandbox, and the rate limit', async () => {
    sandbox.outside.ms += 61_000;
    const answers = [await send(bearer()), await send({}), await send(bearer(), '/v1/nothing')];
    expect(answers.map(({ headers }) => headers['x-request-id'])).toEqual(['req_1_1', 'req_1_2', 'req_1_3']);
    for (const { headers } of answers) {
      expect(headers.date).toBe('Mon, 05 Jan 2026 09:01:01 GMT');
      expect(headers['x-ratelimit-limit']).toBe('1000000');
      expect(headers['x-ratelimit-reset']).toBe(String(Date.parse('2026-01-05T09:02:00Z') / 1000));
    }
    const remaining = answers.map(({ headers }) => headers['x-ratelimit-remaining']);
    expect(remaining).toEqual(['999999', '999999', '999998']);
  });

  test('to a malformed path is 400, to a long parameter 414, and neither is logged', async () => {
    const malformed = await send(bearer(), '/v1/orgs/%zz?x=1');
    expect([malformed.status, problem(malformed)]).toEqual([
      ...[400, { code: 400, message: "'/v1/orgs/%zz?x=1' is not a valid url component" }],
    ]);
    const long = 'x'.repeat(1025);
    const refused = await send({}, `/v1/orgs/%41${long}?x=1`);
    expect([refused.status, problem(refused)]).toEqual([
      ...[414, { code: 414, message: `'/v1/orgs/A${long}' is exceeding the max param length` }],
    ]);
    for (const { headers } of [malformed, refused]) expect(headers).not.toHaveProperty('x-request-id');
    expect((await send(bearer())).headers['x-request-id']).toBe('req_1_1');
  });
});

describe('every answer', () => {
  test('to an unknown path is 404', async () => {
    for (const asked of ['GET /v1/nothing', 'GET /', 'GET /v2/orgs', 'GET /v1/orgs/', 'POST /v1/orgs.x']) {
      const [method, path] = asked.split(' ');
      expect([asked, (await send(bearer(), path, method)).status]).toEqual([asked, 404]);
    }
  });

  test.each([
    ['DELETE', '/v1/orgs', 'GET'],
    ['HEAD', '/v1/orgs', 'GET'],
    ['POST', '/v1/orgs/any/teams?title=x', 'GET, PUT'],
    ['PUT', '/v1/spaces/any', 'DELETE, GET, PATCH'],
    ['DELETE', '/v1/orgs/any/openapi/any/versions/latest', 'GET'],
    ['DELETE', '/openapi.json', 'GET'],
  ])('to %s %s is 405 with Allow', async (method, path, allow) => {
    const answer = await send(bearer(), path, method);
    expect([answer.status, answer.headers.allow]).toEqual([405, allow]);
    if (method !== 'HEAD') {
      const known = path.split('?')[0];
      expect(problem(answer)).toEqual({
        code: 405,
        message: `${method} is not allowed for ${known}; allowed: ${allow}`,
      });
    }
  });

  test('to a wrong method without a token is 401', async () => {
    expect((await send({}, '/v1/orgs', 'DELETE')).status).toBe(401);
  });

  test('to a path may be decoded, and ends with its last part', async () => {
    const found = async (path: string) => problem(await send(bearer(), path)).message;
    expect(
      (await send(bearer(), `/v1/%6Frgs/%${org.charCodeAt(0).toString(16)}${org.slice(1)}`)).status,
    ).toBe(200);
    expect(await found('/v1/orgs/a%2Fb')).toBe('organization "a/b" not found');
    expect(await found(`/v1/orgs/${org}/`)).toBe(`no route for GET /v1/orgs/${org}/`);
  });

  test('to a request without a route comes before its body is looked at', async () => {
    const text = { ...bearer(), 'content-type': 'text/plain' };
    expect((await send(text, '/v1/nothing', 'POST', 'hello')).status).toBe(404);
    expect((await send(text, '/v1/spaces/any', 'PUT', 'hello')).status).toBe(405);
  });
});

describe('a body', () => {
  const json = () => ({ ...bearer(), 'content-type': 'application/json' });
  const path = `/v1/orgs/${org}`;
  const padded = (bytes: number) => {
    const start = '{"title":"Big"';
    return Buffer.from(`${start}${' '.repeat(bytes - start.length - 1)}}`);
  };

  test('may have 10 MB and no more', async () => {
    const limit = 10 * 1024 * 1024;
    expect((await send(json(), path, 'PATCH', padded(limit))).status).toBe(200);
    const answer = await send(json(), path, 'PATCH', padded(limit + 1));
    expect([answer.status, problem(answer).code]).toEqual([413, 413]);
    const inChunks = new Blob([padded(limit), ' ']).stream();
    const unannounced = { method: 'PATCH', headers: json(), body: inChunks, duplex: 'half' } as const;
    expect((await fetch(sandbox.url + path, unannounced)).status).toBe(413);
  });

  test('must be JSON', async () => {
    expect((await send(json(), path, 'PATCH', '{"title":')).status).toBe(400);
    expect((await send(json(), path, 'PATCH', '[]')).status).toBe(400);
    expect((await send(json(), path, 'PATCH', 'null')).status).toBe(400);
    const text = await send({ ...bearer(), 'content-type': 'text/plain' }, path, 'PATCH', '{"title":"Text"}');
    expect([text.status, problem(text).code]).toEqual([415, 415]);
    const utf8 = { ...bearer(), 'content-type': 'application/json; charset=utf-8' };
    expect((await send(utf8, path, 'PATCH', '{"title":"Ümläut"}')).body).toContain('Ümläut');
  });

  test('may have 1,000 levels and no more', async () => {
    const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    const most = await send(json(), path, 'PATCH', nested(1000));
    expect([most.status, problem(most).message]).toEqual([400, expect.not.stringContaining('levels')]);
    for (const levels of [1001, 100_000]) {
      const answer = await send(json(), path, 'PATCH', nested(levels));
      const message = 'the body is nested over 1000 levels';
      expect([answer.status, problem(answer)]).toEqual([400, { code: 400, message }]);
    }
  });

  test('with odd keys is refused like any other unknown key', async () => {
    for (const key of ['__proto__', 'constructor', 'colour']) {
      const answer = await send(json(), path, 'PATCH', `{"${key}":{"x":1}}`);
      expect([key, answer.status]).toEqual([key, 400]);
    }
  });

  test('is refused by an operation without one', async () => {
    expect((await send(json(), `${path}/ping`, 'POST', '{"x":1}')).status).toBe(400);
    expect((await send(json(), `${path}/ping`, 'POST', '{}')).status).toBe(200);
    expect((await send(bearer(), `${path}/ping`, 'POST')).status).toBe(200);
  });
});

describe('a query', () => {
  test.each([
    'limit=5&limit=6',
    'limit=',
    'limit=1.5',
    'limit=0x10x',
    'page=',
    'sort',
    'role=read&role=edit',
  ])('%s answers 400', async (query) => {
    const answer = await send(bearer(), `/v1/orgs/${org}/members?${query}`);
    expect([answer.status, problem(answer).code]).toEqual([400, 400]);
  });

  test('is refused by a read without parameters', async () => {
    expect((await send(bearer(), `/v1/orgs/${org}?limit=5`)).status).toBe(400);
  });
});

describe('reads', () => {
  test('reflect every write, even after the same read was answered', async () => {
    const [admin, reader] = [sandbox.as('admin'), sandbox.as('read')];
    const path = { organizationId: org, userId: seedId('user deniz') };
    for (const role of ['read', 'edit', null, 'edit'] as const) {
      await admin.ok(updateMember, { path, body: { role } });
      expect(await reader.ok(getMember, { path })).toMatchObject({ role });
      expect(await reader.ok(getMember, { path })).toMatchObject({ role });
    }
  });

  test('give each caller its own response', async () => {
    const see = async (role: string) => (await sandbox.as(role).send('GET', `/v1/orgs/${org}`)).text();
    expect(JSON.parse(await see('admin'))).toMatchObject({ permissions: { admin: true } });
    expect(JSON.parse(await see('read'))).toMatchObject({ permissions: { admin: false } });
  });
});

test('two sandboxes on one port: the second says why it cannot start', async () => {
  await expect(openSandbox({ port })).rejects.toMatchObject({ kind: 'local-io', code: 'cannot_listen' });
});

test('callers without a token learn nothing', async () => {
  expect(await createClient(sandbox.url, 'sbx_guess').send('GET', '/sandbox/alive')).toMatchObject({
    status: 401,
  });
  const answer = await send(bearer(), '/sandbox/alive');
  expect(JSON.parse(answer.body)).toEqual({ pid: process.pid });
});

test('while another program locks the database, changes get 503 and reads continue', async () => {
  const parts = {
    db: await openDatabase(sandbox.file),
    clock: { now: () => 0 },
    instance: 9,
    sleep: async () => {},
  };
  parts.db.exec('PRAGMA busy_timeout = 0');
  const source = new ContentSource({});
  const server = createServer({ ...parts, source });
  const admin = createClient(await server.listen(0), sandbox.token);
  const other = await openDatabase(sandbox.file);
  const path = `/v1/orgs/${org}`;
  const change = () => admin.send('PATCH', path, { body: { title: 'Changed' } });
  other.exec('BEGIN IMMEDIATE');
  expect([(await change()).status, (await admin.send('GET', path)).status]).toEqual([503, 200]);
  other.exec('COMMIT');
  expect((await change()).status).toBe(200);
  await server.close();
  for (const db of [parts.db, other]) db.close();
});
