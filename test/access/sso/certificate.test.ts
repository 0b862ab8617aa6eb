import { expect, test } from 'vitest';
import { certificateFacts } from '../../../src/access/certificate.js';
import { certificates } from '../../sandbox/certificates.js';

/** What a certificate is worth at a moment; those of the seeds are real ones. */

const at = (text: string) => Date.parse(text);
const { staff, contractors } = certificates;

test.each([
  ['valid', '2026-01-01T00:00:00Z', 34_332],
  ['valid', '2119-12-01T23:59:59Z', 30],
  ['expires-soon', '2119-12-02T00:00:00Z', 30],
  ['expires-soon', '2119-12-31T23:59:59Z', 0],
  ['expired', '2120-01-01T00:00:00Z', 0],
  ['not-yet-valid', '2014-12-31T23:59:59Z', 38_350],
])('%s at %s', (state, now, days) => {
  expect(certificateFacts(staff, at(now))).toEqual({
    ...{ state, days },
    validFrom: '2015-01-01T00:00:00.000Z',
    expiresAt: '2120-01-01T00:00:00.000Z',
  });
});

test('the bare base64 of the metadata is read, too', () => {
  const bare = contractors.replace(/-----[^-]+-----/g, '');
  expect(certificateFacts(bare, at('2019-12-31T00:00:00Z'))).toMatchObject({
    state: 'expires-soon',
    days: 1,
  });
});

test('of several the best counts, in any order', () => {
  const now = at('2026-01-01T00:00:00Z');
  expect(certificateFacts(`${contractors}\n${staff}`, now).state).toBe('valid');
  expect(certificateFacts(`${staff}\n${contractors}`, now).state).toBe('valid');
});

test.each([
  ['missing', undefined],
  ['missing', ' \n'],
  ['unreadable', 'c'.repeat(100)],
  ['unreadable', '-----BEGIN CERTIFICATE-----\nTm8=\n-----END CERTIFICATE-----\n'],
])('%s: %j', (state, text) => {
  expect(certificateFacts(text, 0)).toEqual({ state });
});
