import { describe, expect, test } from 'vitest';
import type { HostileServer, Step } from '../../faults/server.js';
import { Clock } from './clock.js';
import { failureOf, type SceneOptions, scene } from './setup.js';

/** Downloads that break off and continue where they stopped. */

const etag = '"v1"';
const first: Step = { body: 'abcdef', headers: { etag }, cut: { after: 3, by: 'reset' } };
const rest: Step = { status: 206, body: 'def', headers: { etag, 'content-range': 'bytes 3-5/6' } };
const modified = 'Sun, 01 Nov 2026 10:00:00 GMT';
const date = 'Sun, 01 Nov 2026 10:00:05 GMT';

async function save(script: Step[], options: SceneOptions = {}) {
  // The bytes before a reset arrive only if they are read before it.
  const { server, transport, waits, clock } = await scene(script, options);
  const chunks: Uint8Array[] = [];
  const reading = (async () => {
    for await (const chunk of await transport.download(`${server.url}/f`, {})) chunks.push(chunk);
  })();
  return { server, waits, clock, reading, text: () => Buffer.concat(chunks).toString() };
}

const ranges = (server: HostileServer) =>
  server.requests.map(({ headers }) => [headers.range, headers['if-range'], headers['if-match']]);

describe('a download that breaks off', () => {
  test.each(['reset', 'end'] as const)('by %s continues with the rest of the same version', async (by) => {
    const cut: Step = { ...first, drip: 1, cut: { after: 3, by } };
    const from: Step = { ...rest };
    const { server, reading, text, waits } = await save([cut, from]);
    await reading;
    expect(text()).toBe('abcdef');
    expect(waits).toHaveLength(1);
    expect(ranges(server)).toEqual([
      [undefined, undefined, undefined],
      ['bytes=3-5', etag, undefined],
    ]);
  });

  test('by silence continues too', async () => {
    const stalls: Step = { ...first, cut: { after: 3, by: 'stall' } };
    const { reading, text } = await save([stalls, rest], { timeouts: { bodyMs: 50 } });
    await reading;
    expect(text()).toBe('abcdef');
  });

  test('right after its head continues from the first byte', async () => {
    const empty: Step = { ...first, cut: { after: 'head', by: 'end' } };
    const whole: Step = { status: 206, body: 'abcdef', headers: { etag, 'content-range': 'bytes 0-5/6' } };
    const { server, reading, text } = await save([empty, whole]);
    await reading;
    expect(text()).toBe('abcdef');
    expect(ranges(server)[1]).toEqual(['bytes=0-', etag, undefined]);
  });

  test('is told apart by Last-Modified where there is no ETag', async () => {
    const headers = { date, 'last-modified': modified };
    const cut: Step = { ...first, headers, cut: { after: 3, by: 'end' } };
    const more: Step = { ...rest, headers: { 'content-range': 'bytes 3-5/6' } };
    const { server, reading, text } = await save([cut, more]);
    await reading;
    expect(text()).toBe('abcdef');
    expect(ranges(server)[1]).toEqual(['bytes=3-5', modified, undefined]);
  });

  test.each([
    ['has a weak ETag', { etag: 'W/"v1"' }],
    ['has neither ETag nor Last-Modified', {}],
    ['was modified less than a second before', { date, 'last-modified': date }],
    ['comes from a server without ranges', { etag, 'accept-ranges': 'none' }],
  ])('is not continued where it %s', async (_, headers) => {
    const { server, reading } = await save([{ ...first, headers, cut: { after: 3, by: 'end' } }]);
    expect((await failureOf(reading)).toJSON()).toMatchObject({ code: 'cut_short', attempts: 1 });
    expect(server.requests).toHaveLength(1);
  });

  test.each<[string, Step]>([
    ['a new version, whole', { body: 'ABCDEF', headers: { etag: '"v2"' } }],
    ['a part of another version', { ...rest, headers: { etag: '"v2"', 'content-range': 'bytes 3-5/6' } }],
    ['a part without its ETag', { ...rest, headers: { 'content-range': 'bytes 3-5/6' } }],
    ['another part', { ...rest, headers: { etag, 'content-range': 'bytes 2-4/6' } }],
    ['a part of a longer file', { ...rest, body: 'defg', headers: { etag, 'content-range': 'bytes 3-6/7' } }],
    ['a part that says it is longer than it is', { ...rest, body: 'defghi' }],
    ['a part without Content-Range', { ...rest, headers: { etag } }],
    ['412', { status: 412, body: 'no' }],
    ['404', { status: 404, json: { error: { message: 'Gone.' } } }],
  ])('is never joined with %s', async (_, answer) => {
    const { server, reading, text } = await save([{ ...first, cut: { after: 3, by: 'end' } }, answer]);
    expect((await failureOf(reading)).toJSON()).toMatchObject({
      exitCode: 15,
      code: 'cut_short',
      retryable: true,
      attempts: 2,
    });
    expect(text()).toBe('abc');
    expect(server.requests).toHaveLength(2);
  });

  test.each([
    ['longer', 'defXYZ'],
    ['shorter', 'd'],
  ])('fails where the rest is %s than what is missing', async (_, body) => {
    const chunked: Step = { ...rest, body, chunked: true };
    const { reading, text } = await save([{ ...first, cut: { after: 3, by: 'end' } }, chunked]);
    expect((await failureOf(reading)).code).toBe('cut_short');
    expect(text().length).toBeLessThan(6);
  });

  test('of another version by Last-Modified fails', async () => {
    const cut: Step = {
      ...first,
      headers: { date, 'last-modified': modified },
      cut: { after: 3, by: 'end' },
    };
    const other: Step = { ...rest, headers: { 'last-modified': date, 'content-range': 'bytes 3-5/6' } };
    const { reading, text } = await save([cut, other]);
    expect((await failureOf(reading)).code).toBe('cut_short');
    expect(text()).toBe('abc');
  });

  test('waits as the server asks, and counts every attempt', async () => {
    const busy: Step = { status: 503, headers: { 'retry-after': '7' } };
    const cut: Step = { ...first, cut: { after: 3, by: 'end' } };
    const { reading, text, waits, server } = await save([cut, busy, rest]);
    await reading;
    expect(text()).toBe('abcdef');
    expect(waits[1]?.ms).toBeGreaterThanOrEqual(7000);
    expect(server.requests).toHaveLength(3);

    const never = await save([cut, busy, busy, busy, busy]);
    expect((await failureOf(never.reading)).toJSON()).toMatchObject({ code: 'cut_short', attempts: 4 });
    expect(never.text()).toBe('abc');
  });

  test('is not continued with --no-retry', async () => {
    const { reading, server } = await save([{ ...first, cut: { after: 3, by: 'end' } }], { maxAttempts: 1 });
    expect((await failureOf(reading)).code).toBe('cut_short');
    expect(server.requests).toHaveLength(1);
  });

  test("ends with the command's deadline while it waits", async () => {
    const clock = new Clock();
    const busy: Step = { status: 503, headers: { 'retry-after': '30' } };
    const { reading } = await save([{ ...first, cut: { after: 3, by: 'end' } }, busy], {
      clock,
      timeoutMs: 90_000,
      random: 0,
    });
    const failure = failureOf(reading);
    await clock.untilSleeping(2);
    clock.advance(90_000);
    expect((await failure).exitCode).toBe(12);
  });
});

test('a part of a file that was not asked for is refused', async () => {
  const { reading } = await save([rest]);
  expect((await failureOf(reading)).toJSON()).toMatchObject({ exitCode: 15, status: 206 });
});
