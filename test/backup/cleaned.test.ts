import { expect, test } from 'vitest';
import { Addresses, cleaned } from '../../src/backup/gathering.js';

/** What is left out of a backup, and what stays. */

test('secrets, rights of the reader and addresses of downloads are left out', () => {
  const resource = {
    id: 's1',
    sourceURL: 'https://me:secret@acme.example/spec.json?token=abc&page=2',
    shareKey: 'k1',
    nested: [{ apiToken: 'abc', downloadURL: 'https://files.example/x?token=1', size: 3 }],
    permissions: { view: true },
    certificate: 'public',
  };
  expect(cleaned(resource)).toEqual({
    id: 's1',
    sourceURL: 'https://[redacted]@acme.example/spec.json?token=[redacted]&page=2',
    shareKey: '[left out]',
    nested: [{ apiToken: '[left out]', size: 3 }],
    certificate: 'public',
  });
});

test('what people wrote stays as it is', () => {
  const page = {
    markdown: 'GET https://api.example/?token=abc',
    body: { markdown: 'password: x' },
    jsonSchema: { properties: { session: { type: 'boolean' } } },
    filesystem: { 'api.json': { components: { securitySchemes: { apiKey: {} } } } },
  };
  expect(cleaned(page)).toEqual(page);
});

test('a page links to the file in the backup, whatever signature the address has', () => {
  const addresses = new Addresses();
  addresses.add('https://files.example/f1/logo.png?token=now', 'files/my logo.png');
  const text = [
    '![](https://files.example/f1/logo.png?token=earlier)',
    'https://files.example/other.png?token=abc&v=1',
    'https://elsewhere.example/?token=abc',
  ].join('\n');
  expect(addresses.replaced(text, '../')).toBe(
    [
      '![](../files/my%20logo.png)',
      'https://files.example/other.png?token=[redacted]&v=1',
      'https://elsewhere.example/?token=abc',
    ].join('\n'),
  );
});
