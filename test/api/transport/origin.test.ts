import { describe, expect, test } from 'vitest';
import { guardToken } from '../../../src/api/transport/address.js';

describe('the token', () => {
  const guard = guardToken({ token: 'gb_1', origin: 'https://api.example.com' });

  test('goes to its own origin', () => {
    expect(guard.authorize('https://api.example.com')).toBe('Bearer gb_1');
  });

  test.each([
    'https://api.example.com:8443',
    'http://api.example.com',
    'https://example.com',
    'https://api.example.com.evil.test',
    'https://evil.test',
  ])('does not go to %s', (origin) => {
    expect(() => guard.authorize(origin)).toThrow(
      expect.objectContaining({ kind: 'configuration', code: 'wrong_origin' }),
    );
  });

  test('matches its origin in any spelling', () => {
    const written = guardToken({ token: 'gb_1', origin: 'HTTPS://API.example.com:443/v1' });
    expect(written.authorize('https://api.example.com')).toBe('Bearer gb_1');
  });

  test('of the sandbox is sent only to loopback', () => {
    const sandbox = (origin: string) => guardToken({ token: 'sbx_admin', origin }).authorize(origin);
    expect(sandbox('http://127.0.0.1:4010')).toBe('Bearer sbx_admin');
    expect(() => sandbox('https://api.example.com')).toThrow(
      expect.objectContaining({ kind: 'configuration', code: 'sandbox_token' }),
    );
  });

  test.each(['gb_1\n', 'gb_1\r\n'])('loses one final newline: %j', (token) => {
    expect(guardToken({ token, origin: 'https://a.test' }).authorize('https://a.test')).toBe('Bearer gb_1');
  });

  test.each(['gb\n1', 'gb_1\n\n', 'gb 1', '', '\n', 'gb_\u00e9', 'gb_1\r\nX-Evil: 1'])(
    'of %j is refused: exit 4',
    (token) => {
      expect(() => guardToken({ token, origin: 'https://a.test' })).toThrow(
        expect.objectContaining({
          kind: 'unauthenticated',
          code: 'invalid_token',
          message: expect.not.stringContaining('gb'),
        }),
      );
    },
  );
});
