import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Redaction, redactJson, redactQuery, redactUrls } from '../../../src/api/transport/redaction.js';
import { DocsError } from '../../../src/base/errors.js';
import { redactText } from '../../../src/base/redaction.js';
import { anyText } from '../../any-text.js';
import { runs } from '../../runs.js';

/** Whatever the token is and wherever it stands: no encoding of it survives. (RELIABILITY.md, "Secrets and origins") */

const token = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 8,
  maxLength: 60,
});
const hideSecret = (secret: string) => {
  const redaction = new Redaction([secret]);
  return (shown: string) => redaction.text(shown);
};
const text = anyText({ maxLength: 40 });
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
      { numRuns: runs(100) },
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
      { numRuns: runs(100) },
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
    { numRuns: runs(100) },
  );
});

test.each([
  ...['clientSecret', 'Passwd', 'pwd', 'apikey', 'Authorisation', 'credentials', 'session', 'private-key'],
  ...[
    'signature',
    'sig',
    'SAS',
    'hmac',
    'jwt',
    'auth',
    'key-pair-id',
    'AWSAccessKeyId',
    'x-amz-date',
    'x-goog-date',
  ],
])('the value of the key %s does not survive in a text without other signs of a secret', (name) => {
  expect(redactText(`{"title":"T","${name}":"8f3aQz"}`)).toBe(`{"title":"T","${name}":"[redacted]"}`);
});

test('a token that is absent changes nothing', () => {
  for (const secret of ['gb_api_7xK/9+q==', undefined])
    expect(new Redaction([secret]).text('nothing here')).toBe('nothing here');
});

describe('a token that is split or encoded', () => {
  const secret = 'gb_fault+T0ken/9f3aQz==x';
  const codes = [...secret].map((character) => character.charCodeAt(0));
  const halves = [secret.slice(0, 9), secret.slice(9)] as const;
  test.each([
    ['by quotes', `'${halves[0]}''${halves[1]}'`],
    ['by quotes and plus signs', `'${halves[0]}' +\n  '${halves[1]}'`],
    ['by escaped quotes and plus signs', JSON.stringify(`"${halves[0]}" +\n "${halves[1]}"`)],
    ['by escaped quotes', JSON.stringify(`"${halves[0]}" "${halves[1]}"`)],
    ['over lines', halves.join('\n  ')],
    ['over lines of JSON', JSON.stringify(halves.join('\r\n'))],
    ['letter by letter', [...secret].join(' ')],
    ['in entities', codes.map((code) => `&#${code};`).join('')],
    ['in entities of hexadecimal', codes.map((code) => `&#x${code.toString(16)};`).join('')],
    ['percent-encoded twice', encodeURIComponent(encodeURIComponent(secret))],
    ['escaped by half', `\\u00${(codes[0] ?? 0).toString(16)}${secret.slice(1)}`],
    ['in JSON in JSON', JSON.stringify(JSON.stringify({ a: `\u0001${secret}` }))],
    ['as a dump of bytes', codes.map((code) => code.toString(16)).join(' ')],
    ['as a list of bytes', JSON.stringify(Buffer.from(secret))],
    ['escaped by code', codes.map((code) => `\\u00${code.toString(16)}`).join('')],
    ['in base64 over lines', Buffer.from(`Bearer ${secret}`).toString('base64').replace(/.{10}/g, '$&\n')],
    ['in base64 in a URL', encodeURIComponent(Buffer.from(`user:${secret}`).toString('base64'))],
  ])('%s does not survive', (_, form) => {
    const shown = new Redaction([secret]).text(`before ${form} after`);
    expect(shown).toContain('[redacted]');
    expect(shown.length).toBeLessThan(form.length * 0.6 + 40);
    expect(shown).toMatch(/^before .* after$/s);
  });

  test('is found in linear time, whatever stands there', () => {
    const almost = secret.slice(0, -1);
    const redaction = new Redaction([secret]);
    for (const hostile of [almost, [...almost].join('\\n\\n'), `g${'\\n'.repeat(9)}`, '%25%25', 'g""""'])
      expect(redaction.text(hostile.repeat(20_000))).not.toContain('[redacted]');
  });

  test('is taken out of keys and strings of a value, and spread over several refuses it', () => {
    let told = 0;
    const redaction = new Redaction([secret], () => {
      told += 1;
    });
    const json = (value: unknown) => redaction.json(value, JSON.stringify(value));
    expect(json({ a: 1, b: ['x'] })).toEqual({ value: { a: 1, b: ['x'] } });
    expect(told).toBe(0);
    expect(json({ [`x ${secret}`]: [`Bearer ${secret}`, 5], title: 'kept' })).toEqual({
      value: { 'x [redacted]': ['Bearer [redacted]', 5], title: 'kept' },
    });
    expect(told).toBe(1);
    expect(json(halves)).toBeUndefined();
    expect(json([...Buffer.from(secret)])).toBeUndefined();
  });

  test('becomes asterisks in bytes, wherever a chunk ends', async () => {
    const whole = Buffer.from(`\u00e9\xff${secret}\xfe${encodeURIComponent(secret)} end`, 'latin1');
    for (const size of [1, 7, 1000]) {
      const chunks = async function* () {
        for (let at = 0; at < whole.length; at += size) yield whole.subarray(at, at + size);
      };
      const parts: Uint8Array[] = [];
      for await (const part of new Redaction([secret]).stream(chunks())) parts.push(part);
      const shown = Buffer.concat(parts).toString('latin1');
      expect(shown).toMatch(/^\u00e9\xff\*{24}\xfe\*+ end$/);
      expect(shown).toHaveLength(whole.length);
    }
  });

  test('that is cut off at the end of a text goes as well', () => {
    expect(new Redaction([secret]).cutText(`Bearer ${halves[0]}`)).toBe('Bearer [redacted]');
  });
});

describe('what looks secret in a text about the platform', () => {
  test.each([
    ['GET /f?sig=abc&page=2 failed', 'GET /f?sig=[redacted]&page=2 failed'],
    [
      'see (https://h/f?X-Amz-Signature=a1&X-Amz-Date=2)',
      'see (https://h/f?X-Amz-Signature=[redacted]&X-Amz-Date=[redacted]',
    ],
    [
      '/r?to=https%3A%2F%2Fh%2Ff%3Ftoken%3Dabc%26a%3D1',
      '/r?to=https%3A%2F%2Fh%2Ff%3Ftoken%3D[redacted]%26a%3D1',
    ],
    ['sent {"authorization":"Bearer abc","a":"b"}', 'sent {"authorization":"[redacted]","a":"b"}'],
    [
      "sent { cookie: 'a=b', apiKey: 'x y', b: 'c' }",
      "sent { cookie: '[redacted]', apiKey: '[redacted]', b: 'c' }",
    ],
    ['DOCS_CREDENTIAL_STORE: "x" is not keychain', 'DOCS_CREDENTIAL_STORE: "x" is not keychain'],
    ['sent {\\"x-api-key\\":\\"abc\\"}', 'sent {\\"x-api-key\\":\\"[redacted]\\"}'],
    ['Authorization: Bearer abc, Accept: */*', 'Authorization: Bearer [redacted], Accept: */*'],
    ['Cookie: a=b; c=d\nHost: h', 'Cookie: [redacted]\nHost: h'],
    ['Bearer abc123def456 is expired', 'Bearer [redacted] is expired'],
    ['Basic authentication is off: use a token', 'Basic authentication is off: use a token'],
    ['DOCS_CREDENTIAL_STORE=file', 'DOCS_CREDENTIAL_STORE=file'],
    ['--title must be 1 to 100 characters long, not 0', '--title must be 1 to 100 characters long, not 0'],
  ])('%s', (text, shown) => {
    expect(redactText(text)).toBe(shown);
  });

  test('is in no error: neither message, path nor details', () => {
    const error = new DocsError('refused', 'refused', 'no such file: https://h/f?sig=abc', {
      path: '/v1/x?access_token=abc',
      details: { at: ['https://u:p@h/'], n: 1 },
    });
    expect(error.toJSON()).toMatchObject({
      message: 'no such file: https://h/f?sig=[redacted]',
      path: '/v1/x?access_token=[redacted]',
      details: { at: ['https://[redacted]@h/'], n: 1 },
    });
  });

  test('is in no body that is shown, in its strings either', () => {
    expect(redactJson('{"message":"see /f?sig=abc","n":12345678901234567890}')).toBe(
      '{"message":"see /f?sig=[redacted]","n":12345678901234567890}',
    );
  });
});

test.each([
  ['see https://user:pw@host/x', 'see https://[redacted]@host/x'],
  ['HTTP://u@h and ftp://a:b@c', 'HTTP://[redacted]@h and ftp://[redacted]@c'],
  ['https://host/@me and a@b.c', 'https://host/@me and a@b.c'],
])('credentials in %s', (text, expected) => {
  expect(redactUrls(text)).toBe(expected);
});

test.each([
  ['/v1/x?shareKey=abc&page=2', '/v1/x?shareKey=[redacted]&page=2'],
  ['/v1/x?page=2&access_token=abc', '/v1/x?page=2&access_token=[redacted]'],
  ['?API%2DKEY=abc', '?API%2DKEY=[redacted]'],
  ['/v1/x?page=2', '/v1/x?page=2'],
])('the query of %s', (text, expected) => {
  expect(redactQuery(text)).toBe(expected);
});

test.each([
  [
    '{"token":"a","list":[{"clientSecret":{"x":1},"id":2}]}',
    '{"token":"[redacted]","list":[{"clientSecret":"[redacted]","id":2}]}',
  ],
  ['{"password": "a\\"b", "id": 1', '{"password": "[redacted]", "id": 1'],
  ['{"apiKey": "unfinished', '{"apiKey": "[redacted]"'],
  ['user=a&password=b', 'user=a&password=[redacted]'],
])('the body %s', (text, expected) => {
  expect(redactJson(text)).toBe(expected);
});
