import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatDuration, momentMs, parseDuration, parseMoment } from '../../src/settings/duration.js';
import { failureOf } from './world.js';

const nowMs = Date.parse('2026-03-01T12:00:00Z');

test.each([
  ['60d', '2025-12-31T12:00:00.000Z'],
  ['1.5h', '2026-03-01T10:30:00.000Z'],
  ['2w', '2026-02-15T12:00:00.000Z'],
  ['2026-01-31', '2026-01-31T00:00:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['2026-01-31T09:00Z', '2026-01-31T09:00:00.000Z'],
  ['2026-01-31T09:00:30+02:00', '2026-01-31T07:00:30.000Z'],
])('%s is %s', (text, iso) => {
  const moment = parseMoment(text);
  expect(moment && new Date(momentMs(moment, nowMs)).toISOString()).toBe(iso);
});

test.each([
  '',
  'yesterday',
  '60',
  '-60d',
  '2026-02-30',
  '2026-13-01',
  '2026-01-31T25:00Z',
  '31.01.2026',
  '60d ago',
])('%s is neither a span nor a date', (text) => {
  expect(parseMoment(text)).toBeUndefined();
});

describe('durations', () => {
  test.each([
    ['60', 60_000],
    ['60s', 60_000],
    ['5m', 300_000],
    ['1h', 3_600_000],
    ['1.5h', 5_400_000],
    ['500ms', 500],
    [' 2S ', 2_000],
    ['0.0001s', 1],
    ['596h', 2_145_600_000],
    ['0', 'none'],
    ['0s', 'none'],
    ['none', 'none'],
  ])('%s is %s', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  test.each(['', 'abc', '-1', '1d', '5 m', '1h30m', '1e3', '.5s', '0x10', 'Infinity', '٣s'])(
    '%s is refused, with what is accepted',
    async (text) => {
      expect(await failureOf(() => parseDuration(text))).toMatchObject({
        exitCode: 2,
        code: 'invalid_duration',
        message: `${JSON.stringify(text)} is not a duration; use 500ms, 30s, 5m, 1h, a number of seconds, or 0 for no limit`,
      });
    },
  );

  test('rejects a duration longer than timers support', async () => {
    expect(await failureOf(() => parseDuration('597h'))).toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/^"597h" is longer than 596h;/),
    });
  });

  test.each([
    [60_000, '1m'],
    [90_000, '90s'],
    [500, '500ms'],
    [7_200_000, '2h'],
    ['none' as const, 'none'],
  ])('formats %s as %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  test('parses what it formats', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_147_483_647 }), (ms) => {
        expect(parseDuration(formatDuration(ms))).toBe(ms);
      }),
    );
  });
});
