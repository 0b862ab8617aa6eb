import { expect, test } from 'vitest';
import type { Session } from '../../src/cli/declare/session.js';
import { checkImportBase } from '../../src/commands/backup/restore.js';

/** What the platform fetches from: never an address that holds a secret, nor one that only this machine reaches. */

const at = (baseUrl: string) =>
  ({ settings: { baseUrl: { value: baseUrl } }, globals: {} }) as unknown as Session;
const platform = at('https://api.example.com');

test.each([
  'https://user:secret@files.example.com/packs',
  'https://files.example.com/packs?signature=secret',
  'https://files.example.com/packs#secret',
  'ftp://files.example.com',
  'not a url',
  'http://127.0.0.1:8080',
  'http://localhost/packs',
  'http://10.1.2.3/packs',
  'http://[::1]/packs',
  'http://2130706433/packs',
  'http://nas.local/packs',
  'http://intranet/packs',
])('%s is refused, without its secret in the message', (typed) => {
  let message = '';
  try {
    checkImportBase(platform, typed);
  } catch (cause) {
    message = String(cause);
  }
  expect(message).toContain('--import-base');
  expect(message).not.toContain('secret');
});

test('a public address is taken', () => {
  expect(() => checkImportBase(platform, 'https://files.example.com/packs')).not.toThrow();
});
