import { createHash, generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { wireString } from '../../src/signing/keys.js';
import type { BackupHome } from './backup-home.js';

/** What somebody changes in a backup, and the keys that tell. */

const page = ['b', 'spaces', 'Welcome', 'pages', 'faq.md'];
const manifest = ['b', 'spaces', 'Welcome', 'manifest.json'];
export const pageIn = (home: BackupHome) => readFileSync(home.at(...page), 'utf8');
const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

/** Changes a page, and its hash and size in the manifest of the space. */
export function forgePage(home: BackupHome): void {
  const path = home.at(...page);
  const old = hashOf(path);
  const forged = pageIn(home).replace(/^#.*$/m, (line) => line.replace(/[aeiou]/gi, 'x'));
  writeFileSync(path, forged);
  replaceIn(home.at(...manifest), old, hashOf(path));
}

/** The same, and the hash of that manifest in the one at the top. */
export function forgeAll(home: BackupHome): void {
  const path = home.at(...manifest);
  const old = hashOf(path);
  forgePage(home);
  replaceIn(home.at('b', 'manifest.json'), old, hashOf(path));
}

function replaceIn(path: string, from: string, to: string): void {
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
}

/** Makes a key that signs. @returns the line of its public half */
export function makeKey(home: BackupHome, name: string): string {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  writeFileSync(home.at(name), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const blob = Buffer.concat([wireString('ssh-ed25519'), wireString(Buffer.from(x, 'base64url'))]);
  return `ssh-ed25519 ${blob.toString('base64')}`;
}

/** Writes the file `allowed`, by which these keys are Ada's. */
export function allow(home: BackupHome, ...keys: string[]): void {
  writeFileSync(home.at('allowed'), keys.map((key) => `ada@example.com ${key}\n`).join(''));
}
