import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hideSecret, redactJson, redactUrls } from '../../../src/api/transport/redaction.js';

/** Whatever the token is and wherever it stands: no encoding of it survives. (RELIABILITY.md, "Secrets and origins") */

const token = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 8,
  maxLength: 60,
});
const text = fc.string({ unit: 'binary', maxLength: 40 });
const percent = (bytes: Buffer) =>
  [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

/** What base64 makes of the token alone, whatever stands around it: whole sixes only. */
function inner(secret: string, offset: number): string {
  const bytes = Buffer.from(secret);
  const whole = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  return whole.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
}

describe('a token', () => {
  test('in plain, JSON, percent or hexadecimal form does not survive', () => {
    fc.assert(
      fc.property(token, text, text, (secret, before, after) => {
        const hide = hideSecret(secret);
        const forms = [
          secret,
          JSON.stringify(secret).slice(1, -1),
          encodeURIComponent(secret),
          percent(Buffer.from(secret)),
          percent(Buffer.from(secret)).toUpperCase(),
          Buffer.from(secret).toString('hex'),
          Buffer.from(secret).toString('hex').toUpperCase(),
        ];
        for (const form of forms) {
          const shown = hide(before + form + after);
          expect(shown).toContain('[redacted]');
          expect(shown).not.toContain(form);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('in base64 at any offset does not survive', () => {
    fc.assert(
      fc.property(
        token,
        fc.uint8Array({ maxLength: 20 }),
        fc.uint8Array({ maxLength: 20 }),
        (secret, before, after) => {
          const bytes = Buffer.concat([before, Buffer.from(secret), after]);
          const form = inner(secret, before.length % 3);
          const url = form.replaceAll('+', '-').replaceAll('/', '_');
          expect(bytes.toString('base64')).toContain(form);
          expect(hideSecret(secret)(bytes.toString('base64'))).not.toContain(form);
          expect(hideSecret(secret)(bytes.toString('base64url'))).not.toContain(url);
        },
      ),
      { numRuns: 500 },
    );
  });
});

test('credentials in a URL and values of secret keys do not survive', () => {
  const word = fc.stringMatching(/^[A-Za-z0-9]{8,20}$/);
  fc.assert(
    fc.property(word, word, text, (user, secret, around) => {
      expect(redactUrls(`${around} https://${user}:${secret}@host/x`)).not.toContain(`${user}:${secret}`);
      for (const key of ['password', 'clientSecret', 'api_key', 'authorization', 'Set-Cookie', 'shareKey'])
        expect(redactJson(JSON.stringify({ [key]: `=${secret}=`, other: 1 }))).not.toContain(`=${secret}=`);
    }),
    { numRuns: 200 },
  );
});
