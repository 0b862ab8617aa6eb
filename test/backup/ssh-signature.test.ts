import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { principalsOf, readAllowedSigners } from '../../src/backup/verify.js';
import { openSigner } from '../../src/signing/signer.js';
import { isSignatureOf, namespaces, parseSignature } from '../../src/signing/ssh-signature.js';

/** Signatures and their readers, without the system's ssh-keygen, which ssh-signature.program.test.ts compares with. */

const folder = mkdtempSync(join(tmpdir(), 'docs-keys-'));
const at = (name: string) => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { signal } = new AbortController();
const open = (path: string) =>
  openSigner(path, namespaces.backup, { env: { HOME: folder }, cwd: folder, signal });

test.each([
  ['text', 'hello\n'],
  [
    'an OpenSSH key cut short',
    '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaA==\n-----END OPENSSH PRIVATE KEY-----\n',
  ],
  ['a damaged key', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n'],
  [
    'a key of an unsupported kind',
    generateKeyPairSync('x25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  ],
])('%s is not a key, and is not quoted', async (_, text) => {
  writeFileSync(at('not-a-key'), text);
  const failure = await open(at('not-a-key')).catch((cause: unknown) => cause);
  expect(failure).toMatchObject({ kind: 'usage', code: 'bad_key' });
  expect(String(failure)).not.toContain(text.split('\n')[1] || text.trim());
});

const armoured = (body: Buffer) =>
  `-----BEGIN SSH SIGNATURE-----\n${body.toString('base64')}\n-----END SSH SIGNATURE-----\n`;

test('a signature with a byte changed is not valid, and breaks nothing', async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writeFileSync(at('ec'), privateKey.export({ format: 'pem', type: 'pkcs8' }));
  const message = Buffer.from('{"format": "docs-backup/1"}\n');
  const valid = (text: string) => {
    const signature = parseSignature(text);
    return signature !== undefined && isSignatureOf(signature, namespaces.backup, message);
  };
  const text = await (await open(at('ec'))).sign(message);
  expect(valid(text)).toBe(true);
  const body = Buffer.from(text.split('\n').slice(1, -2).join(''), 'base64');
  for (let at = 0; at < body.length; at += 1) {
    const changed = Buffer.from(body);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(valid(armoured(changed)), `byte ${at}`).toBe(false);
    expect(valid(armoured(body.subarray(0, at)))).toBe(false);
  }
});

describe('allowed signers', () => {
  const blob = Buffer.concat([Buffer.from([0, 0, 0, 11]), Buffer.from('ssh-ed25519'), Buffer.alloc(36, 7)]);
  const key = `ssh-ed25519 ${blob.toString('base64')}`;
  const now = Date.parse('2026-06-01T00:00:00Z');
  const allowed = async (text: string) => {
    writeFileSync(at('signers'), text);
    return principalsOf(await readAllowedSigners(at('signers')), blob, now);
  };

  test.each([
    [`ada@example.com ${key}`, 'ada@example.com'],
    [`# ours\n\n"ada@example.com,*@ops.example" ${key} a comment\n`, 'ada@example.com,*@ops.example'],
    [`ada namespaces="git,docs-*" ${key}`, 'ada'],
    [`ada namespaces="git" ${key}`, undefined],
    [`ada namespaces="*,!docs-backup" ${key}`, undefined],
    [`ada valid-after="20260101",valid-before="20270101Z" ${key}`, 'ada'],
    [`ada valid-before="20260531235959Z" ${key}`, undefined],
    [`ada valid-after="202606010001Z" ${key}`, undefined],
    [`ada valid-after="soon" ${key}`, undefined],
    [`ada cert-authority ${key}`, undefined],
    [`ada some-new-limit="x" ${key}`, undefined],
    ['', undefined],
  ])('%s allows %s', async (text, who) => {
    expect(await allowed(text)).toBe(who);
  });

  test.each([
    ['no key', 'ada@example.com\n'],
    ['a key of another kind than it says', `ada ${key.replace('ssh-ed25519', 'ssh-rsa')}\n`],
  ])('a line with %s is refused with its number', async (_, text) => {
    await expect(allowed(`# ours\n${text}`)).rejects.toMatchObject({
      kind: 'usage',
      code: 'bad_allowed_signers',
      message: expect.stringContaining('line 2'),
    });
  });
});
