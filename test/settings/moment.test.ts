import { expect, test } from 'vitest';
import { momentMs, parseMoment } from '../../src/settings/duration.js';

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
