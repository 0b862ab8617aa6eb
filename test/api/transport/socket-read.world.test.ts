import { expect, test } from 'vitest';
import { DocsError } from '../../../src/base/errors.js';
import type { Step } from '../../faults/server.js';
import { type SceneOptions, scene } from './setup.js';

/** What a read by a socket alone comes to, compared with the same by Node's own HTTP. */

const json = { 'content-type': 'application/json' };
const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const chunked = `${head}transfer-encoding: Chunked\r\n\r\n`;

/** An answer with a chunk for each text. */
function inChunks(...texts: readonly string[]): Step {
  const chunks = [...texts, ''].map((text) => `${text.length.toString(16)}\r\n${text}\r\n`);
  return { raw: chunked + chunks.join('') };
}

/** The answer or the failure, what the platform saw, and what was told of waits. */
async function outcomeOf(steps: readonly Step[], options: SceneOptions) {
  const { transport, server, waits } = await scene(steps, { ...options, maxAttempts: 2 });
  const result = await transport
    .send({ method: 'GET', path: '/v1/x?a=1', read: 'json' })
    .then(({ body, ...rest }) => ({ ...rest, body }))
    .catch((error: unknown) => (error instanceof DocsError ? error.toJSON() : { thrown: String(error) }));
  const requests = server.requests.map(({ method, target, headers }) => {
    const { connection: _, host: __, ...sent } = headers;
    return { method, target, sent: Object.entries(sent) };
  });
  const told = JSON.stringify(result).replaceAll(server.url, 'http://platform');
  return { result: JSON.parse(told) as unknown, requests, waits: waits.length };
}

const plain: [string, Step][] = [
  ['an object', { json: { a: [1, 'ü'] } }],
  ['an answer byte by byte', { json: { a: 1 }, drip: 1 }],
  ['an empty body', { body: '', headers: json }],
  ['a failure with a body', { status: 404, json: { error: { message: 'no such space' } } }],
  ['a large body', { json: 'x'.repeat(300_000) }],
  ['no space behind the colon', { raw: `${head}content-length:2\r\n\r\n{}` }],
  ['more bytes than it tells of', { raw: `${head}content-length: 2\r\n\r\n{}HTTP/1.1 500 No\r\n\r\n` }],
  ['chunks', { json: { a: 1 }, chunked: true }],
  ['chunks byte by byte', { json: { a: 'ü' }, chunked: true, drip: 1 }],
  ['a large body in chunks', { json: 'x'.repeat(300_000), chunked: true }],
  ['chunks of all sizes', inChunks('{', '"a":', `"${'b'.repeat(70_000)}"`, '}')],
  ['a failure in chunks', { status: 404, json: { error: { message: 'no such space' } }, chunked: true }],
  ['a size with zeros and capitals', { raw: `${chunked}00A\r\n"12345678"\r\n000\r\n\r\n` }],
  ['an extension of a chunk', { raw: `${chunked}2;a=b;c="d"\r\n{}\r\n0;e\r\n\r\n` }],
  ['headers behind the last chunk', { raw: `${chunked}2\r\n{}\r\n0\r\nserver-timing: a\r\nb: c\r\n\r\n` }],
  ['a cookie', { json: {}, headers: { 'set-cookie': 'a=1' } }],
  ['cookies', { json: {}, headers: { 'set-cookie': ['a=1', 'b=2'] } }],
  ['a header twice', { json: {}, headers: { warning: ['a', 'b'] } }],
  ['chunks without an end', { raw: `${chunked}2\r\n{}\r\n`, stall: true }],
  ['chunks that are cut short', { raw: `${chunked}2\r\n{}\r\n`, close: true }],
  ['a chunk that is cut short', { raw: `${chunked}20\r\n{}`, close: true }],
  ['a size that is cut short', { raw: `${chunked}2`, close: true }],
];

const unusual: [string, Step][] = [
  ['a size that is no number', { raw: `${chunked}g\r\n{}\r\n0\r\n\r\n` }],
  ['a negative size', { raw: `${chunked}-2\r\n{}\r\n0\r\n\r\n` }],
  ['a size with a prefix', { raw: `${chunked}0x2\r\n{}\r\n0\r\n\r\n` }],
  ['a size with a space', { raw: `${chunked}2 \r\n{}\r\n0\r\n\r\n` }],
  ['a size beyond all numbers', { raw: `${chunked}ffffffffffffffffff\r\n{}\r\n0\r\n\r\n` }],
  ['a size of many digits', { raw: `${chunked}${'0'.repeat(40)}2\r\n{}\r\n0\r\n\r\n` }],
  ['an empty line for a size', { raw: `${chunked}\r\n2\r\n{}\r\n0\r\n\r\n` }],
  ['a size that ends without a carriage return', { raw: `${chunked}2\n{}\r\n0\r\n\r\n` }],
  ['a chunk without a line break', { raw: `${chunked}2\r\n{}0\r\n\r\n` }],
  ['a chunk with a line break of one character', { raw: `${chunked}2\r\n{}\n0\r\n\r\n` }],
  ['a chunk longer than its size', { raw: `${chunked}1\r\n{}\r\n0\r\n\r\n` }],
  ['no chunks where they were told', { raw: `${chunked}{}` }],
  ['no chunks and then nothing', { raw: `${chunked}{}`, stall: true }],
  ['bytes behind the last chunk', { raw: `${chunked}2\r\n{}\r\n0\r\n\r\n[1]` }],
  [
    'an answer behind the last chunk',
    { raw: `${chunked}2\r\n{}\r\n0\r\n\r\n${head}content-length: 0\r\n\r\n` },
  ],
  ['an extension with a control character', { raw: `${chunked}2;a=\x01\r\n{}\r\n0\r\n\r\n` }],
  ['an extension of 20 kB', { raw: `${chunked}2;a=${'b'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n` }],
  [
    '20 kB of extensions',
    { raw: [chunked, ...Array<string>(4).fill(`1;a=${'b'.repeat(5000)}\r\n1\r\n`), '0\r\n\r\n'].join('') },
  ],
  ['a line behind the last chunk that is no header', { raw: `${chunked}2\r\n{}\r\n0\r\n{}\r\n\r\n` }],
  ['a space before the colon behind the last chunk', { raw: `${chunked}2\r\n{}\r\n0\r\na : b\r\n\r\n` }],
  [
    'headers of 20 kB behind the last chunk',
    { raw: `${chunked}2\r\n{}\r\n0\r\na: ${'b'.repeat(20_000)}\r\n\r\n` },
  ],
  [
    'chunks twice',
    { raw: `${head}transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n` },
  ],
  ['compressed chunks', { raw: `${head}transfer-encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n` }],
  [
    'chunks of another kind',
    { raw: `${head}transfer-encoding: chunked, identity\r\n\r\n2\r\n{}\r\n0\r\n\r\n`, close: true },
  ],
  ['no content in chunks', { raw: 'HTTP/1.1 204 No Content\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n' }],
  ['no length', { json: { a: 1 }, contentLength: false, close: true }],
  ['no content', { status: 204 }],
  ['two lengths', { raw: `${head}content-length: 2\r\ncontent-length: 3\r\n\r\n{} ` }],
  ['a length and chunks', { raw: `${head}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n` }],
  ['a length that is no number', { raw: `${head}content-length: 2x\r\n\r\n{}` }],
  ['a header that is folded', { raw: `${head}a: b\r\n c\r\ncontent-length: 2\r\n\r\n{}` }],
  ['a header with bytes beyond ASCII', { raw: `${head}a: \xfc\r\ncontent-length: 2\r\n\r\n{}` }],
  ['a space before the colon', { raw: `${head}a : b\r\ncontent-length: 2\r\n\r\n{}` }],
  ['its first line twice', { raw: `${head}HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}` }],
  ['a header called __proto__', { raw: `${head}__proto__: b\r\ncontent-length: 2\r\n\r\n{}` }],
  ['lines that end without a carriage return', { raw: 'HTTP/1.1 200 OK\ncontent-length: 2\n\n{}' }],
  ['HTTP/1.0', { raw: 'HTTP/1.0 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}' }],
  ['another protocol', { raw: 'SSH-2.0-OpenSSH_9.6\r\n' }],
  ['another protocol that waits', { raw: 'SSH-2.0-OpenSSH_9.6\r\n', stall: true }],
  ['lines that end otherwise, and no more', { raw: 'HTTP/1.1 200 OK\ncontent-length: 2\n\n{}', stall: true }],
  ['bytes behind it that are no HTTP', { raw: `${head}content-length: 2\r\n\r\n{}[1]` }],
  [
    'an answer before the answer',
    { raw: `HTTP/1.1 103 Early Hints\r\n\r\n${head}content-length: 2\r\n\r\n{}` },
  ],
  [
    'an upgrade that nobody asked for',
    { raw: 'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n' },
  ],
  ['a head of 20 kB', { json: 1, headers: { big: 'x'.repeat(20_000) } }],
  ['a head that ends within a line', { raw: 'HTTP/1.1 200 OK\r\ncontent-le', close: true }],
  ['nothing', { reset: 'after-reading' }],
  ['an end within the head', { json: { a: 1 }, cut: { after: 10, by: 'end' } }],
  ['an end within the body', { json: { a: 'bcdefgh' }, cut: { after: 90, by: 'end' } }],
  ['a reset within the body', { json: { a: 'bcdefgh' }, cut: { after: 90, by: 'reset' } }],
  ['a body that stalls', { json: { a: 'bcdefgh' }, cut: { after: 90, by: 'stall' } }],
  ['no answer at all', { stall: true }],
];

test.each([...plain, ...unusual])('%s is read as by the pool', async (_, step) => {
  const timeouts = { headersMs: 300, bodyMs: 300, connectMs: 5000 };
  // The second attempt has the same answer, or a good one.
  for (const steps of [
    [step, step],
    [step, { json: { second: true } }],
  ]) {
    const [single, pooled] = [
      await outcomeOf(steps, { single: true, timeouts }),
      await outcomeOf(steps, { timeouts }),
    ];
    expect(single).toEqual(pooled);
  }
});

const inPieces = [...plain, ...unusual].filter(
  ([, { raw }]) => String(raw).startsWith(chunked) && String(raw).length < 1000,
);

test.each(inPieces)('%s, its body in pieces, is read as by the pool', async (_, step) => {
  const timeouts = { headersMs: 300, bodyMs: 300, connectMs: 5000 };
  for (const drip of [1, 3]) {
    const steps = [{ ...step, drip }];
    expect(await outcomeOf(steps, { single: true, timeouts })).toEqual(await outcomeOf(steps, { timeouts }));
  }
});

/** The outcomes of a read and the changes after it, and what the platform saw. */
async function seriesOf(steps: readonly Step[], options: SceneOptions) {
  const { transport, server } = await scene(steps, { ...options, maxAttempts: 2 });
  const failed = (error: unknown) => (error instanceof DocsError ? error.toJSON() : String(error));
  const sent = [
    { method: 'GET', path: '/v1/x', read: 'json' },
    { method: 'PATCH', path: '/v1/x', body: { title: 'ü' }, read: 'json' },
    { method: 'POST', path: '/v1/x', read: 'nothing' },
  ] as const;
  const results: unknown[] = [];
  for (const request of sent.slice(0, steps.length))
    results.push(await transport.send(request).catch(failed));
  const requests = server.requests.map(({ method, target, headers, body }) => {
    const { connection: _, host: __, ...sent } = headers;
    return { method, target, sent: Object.entries(sent), body };
  });
  const told = JSON.stringify(results).replaceAll(server.url, 'http://platform');
  return { results: JSON.parse(told) as unknown, requests };
}

test.each([...plain, ...unusual])('%s in answer to a change is read as by the pool', async (_, step) => {
  const timeouts = { headersMs: 300, bodyMs: 300, connectMs: 5000 };
  const steps = [{ json: { good: true } }, step];
  expect(await seriesOf(steps, { series: true, timeouts })).toEqual(await seriesOf(steps, { timeouts }));
});

test('changes of a series are written as by the pool', async () => {
  const steps = [{ json: 1 }, { json: { a: 2 } }, { json: 3 }];
  expect(await seriesOf(steps, { series: true })).toEqual(await seriesOf(steps, {}));
});

test('a series has one connection, and what comes at once goes by the pool', async () => {
  const { transport, server } = await scene(() => ({ json: 1 }), { series: true });
  for (const method of ['GET', 'PATCH', 'GET'] as const)
    await transport.send({ method, path: '/v1/x', read: 'json' });
  expect(server.connections).toBe(1);
  const read = { method: 'GET', path: '/v1/x', read: 'json' } as const;
  await Promise.all([transport.send(read), transport.send(read)]);
  expect(server.connections).toBe(2);
});

test('what is sent at the same time reaches the platform in order, also behind a kept connection', async () => {
  const { transport, server } = await scene(() => ({ json: 1 }), { series: true });
  const send = (method: 'GET' | 'PATCH', path: string) => transport.send({ method, path, read: 'json' });
  await send('GET', '/v1/first');
  // The pool is there already, so it would be faster.
  await Promise.all([send('GET', '/v1/a'), send('GET', '/v1/b')]);
  await Promise.all([send('PATCH', '/v1/1'), send('PATCH', '/v1/2')]);
  const targets = server.requests.map(({ target }) => target);
  expect(targets).toEqual(['/v1/first', '/v1/a', '/v1/b', '/v1/1', '/v1/2']);
});

test('a connection that is closed between two requests is not used again', async () => {
  const { transport, server } = await scene(() => ({ json: 1, close: true }), { series: true });
  for (const method of ['GET', 'PATCH'] as const) {
    await transport.send({ method, path: '/v1/x', read: 'json' });
    await expect.poll(() => server.open).toBe(0);
  }
  expect(server.connections).toBe(2);
});

test('a connection that is closed right behind an answer is not used again', async () => {
  const { transport, server } = await scene(() => ({ raw: `${head}content-length: 1\r\n\r\n1` }), {
    series: true,
  });
  for (const method of ['GET', 'PATCH'] as const)
    await transport.send({ method, path: '/v1/x', read: 'json' });
  expect(server.connections).toBe(2);
});

/** The outcomes of reads at the same time, of which one has an answer of its own, and of one after them. */
async function togetherOf(step: Step, options: SceneOptions) {
  const script = ({ target }: { target: string }) => (target === '/v1/b' ? step : { json: target });
  const { transport, server } = await scene(script, { ...options, maxAttempts: 1 });
  const read = (path: string) =>
    transport
      .send({ method: 'GET', path, read: 'json' })
      .then(({ body }) => body)
      .catch((error: unknown) => (error instanceof DocsError ? error.toJSON() : { thrown: String(error) }));
  const results = [await Promise.all(['/v1/a', '/v1/b', '/v1/c'].map(read)), await read('/v1/d')];
  const told = JSON.stringify(results).replaceAll(server.url, 'http://platform');
  return {
    results: JSON.parse(told) as unknown,
    requests: server.requests.map(({ target }) => target).sort(),
  };
}

test.each([...plain, ...unusual])(
  '%s among reads at the same time is read as by the pool',
  async (_, step) => {
    const timeouts = { headersMs: 300, bodyMs: 300, connectMs: 5000 };
    expect(await togetherOf(step, { readOnly: true, timeouts })).toEqual(
      await togetherOf(step, { timeouts }),
    );
  },
);

test('reads at the same time have a connection each, which later ones use again', async () => {
  const { transport, server } = await scene(() => ({ json: 1 }), { readOnly: true, connections: 3 });
  for (let round = 0; round < 2; round += 1)
    await Promise.all(
      [1, 2, 3].map((name) => transport.send({ method: 'GET', path: `/v1/${name}`, read: 'json' })),
    );
  expect(server.connections).toBe(3);
});

test('reads beyond the number of connections wait, and fail when the transport is closed', async () => {
  const { transport, server } = await scene(() => ({ json: 1 }), { readOnly: true, connections: 2 });
  const all = (count: number) =>
    Array.from({ length: count }, () => transport.send({ method: 'GET', path: '/v1/x', read: 'json' }));
  const read = await Promise.all(all(7));
  expect(read.map(({ body }) => body)).toEqual(Array(7).fill(1));
  expect(server.connections).toBe(2);
  const closed = all(7).map((sent) => sent.then(String, ({ code }: DocsError) => code));
  await Promise.resolve();
  await transport.close();
  expect((await Promise.all(closed)).at(-1)).toBe('aborted');
});

test('a connection that was closed is not used by a later read', async () => {
  const { transport, server } = await scene(() => ({ json: 1, close: true }), {
    readOnly: true,
    maxAttempts: 1,
  });
  for (let count = 0; count < 3; count += 1) {
    await transport.send({ method: 'GET', path: '/v1/x', read: 'json' });
    await expect.poll(() => server.open).toBe(0);
  }
  expect(server.connections).toBe(3);
});

test('later requests go by the pool, and reuse its connection', async () => {
  const { transport, server } = await scene([{ json: 1 }, { json: 2 }, { json: 3 }], { single: true });
  for (const expected of [1, 2, 3])
    expect((await transport.send({ method: 'GET', path: '/v1/x', read: 'json' })).body).toBe(expected);
  expect(server.connections).toBe(2);
});

test('a change goes by the pool', async () => {
  const { transport, server } = await scene([{ status: 204 }, { json: 1 }], { single: true });
  await transport.send({ method: 'DELETE', path: '/v1/x', read: 'nothing' });
  await transport.send({ method: 'GET', path: '/v1/x', read: 'json' });
  expect(server.connections).toBe(1);
});

test('an answer that Node reads costs no second request', async () => {
  const { transport, server } = await scene([{ json: { a: 1 }, contentLength: false }], { single: true });
  const { body } = await transport.send({ method: 'GET', path: '/v1/x', read: 'json' });
  expect({ body, requests: server.requests.length, connections: server.connections }).toEqual({
    body: { a: 1 },
    requests: 1,
    connections: 1,
  });
});

test('closing the transport ends a read that is under way', async () => {
  const { transport, server } = await scene([{ stall: true }], { single: true });
  const read = transport
    .send({ method: 'GET', path: '/v1/x', read: 'json' })
    .catch((error: DocsError) => error.code);
  await expect.poll(() => server.requests.length).toBe(1);
  await transport.close();
  expect(await read).toBe('aborted');
  await expect.poll(() => server.open).toBe(0);
});

test('a connection serves the next request after an answer in chunks, and none after a broken one', async () => {
  const good = { json: { a: 1 }, chunked: true };
  const broken = { raw: `${chunked}2\r\n{}0\r\n\r\n`, drip: 1, stall: true };
  const { transport, server } = await scene([good, good, broken, good], { series: true, maxAttempts: 1 });
  const codes: (string | undefined)[] = [];
  for (let count = 0; count < 4; count += 1)
    codes.push(
      await transport
        .send({ method: 'GET', path: '/v1/x', read: 'json' })
        .then(() => undefined)
        .catch(({ code }: DocsError) => code),
    );
  expect(codes).toEqual([undefined, undefined, 'not_http', undefined]);
  expect(server.connections).toBe(2);
});

test('over TLS the certificate is checked as ever', async () => {
  const { transport } = await scene([{ json: 1 }], { single: true, tls: 'platform' });
  const failure = await transport
    .send({ method: 'GET', path: '/v1/x', read: 'json' })
    .catch((error: DocsError) => error);
  expect(failure).toMatchObject({ kind: 'network', failure: { outcome: 'not-sent' } });
});
