import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { principalsOf, readAllowedSigners } from '../../src/backup/verify.js';
import { openSigner, type Signer } from '../../src/signing/signer.js';
import { isSignatureOf, namespaces, parseSignature } from '../../src/signing/ssh-signature.js';

/** Signatures against those of the system's ssh-keygen. */

const namespace = namespaces.backup;
const hasSshKeygen = spawnSync('ssh-keygen', ['-?']).error === undefined;
const message = Buffer.from('{"format": "docs-backup/1"}\n');

const folder = mkdtempSync(join(tmpdir(), 'docs-keys-'));
const at = (name: string) => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const open = (path: string, env: Record<string, string> = {}): Promise<Signer> =>
  openSigner(path, namespace, {
    env: { PATH: process.env.PATH, HOME: folder, ...env },
    cwd: folder,
    signal: new AbortController().signal,
  });
const keygen = (...words: string[]) => execFileSync('ssh-keygen', words, { cwd: folder, stdio: 'pipe' });
const valid = (text: string, of = message) => {
  const signature = parseSignature(text);
  return signature !== undefined && isSignatureOf(signature, namespace, of);
};

describe.skipIf(!hasSshKeygen)('the keys of ssh-keygen', () => {
  const kinds: readonly (readonly [string, readonly string[]])[] = [
    ['ed25519', ['-t', 'ed25519']],
    ['rsa', ['-t', 'rsa', '-b', '2048']],
    ['ecdsa-256', ['-t', 'ecdsa', '-b', '256']],
    ['ecdsa-384', ['-t', 'ecdsa', '-b', '384']],
    ['ecdsa-521', ['-t', 'ecdsa', '-b', '521']],
    ['rsa-pem', ['-t', 'rsa', '-b', '2048', '-m', 'PEM']],
    ['ecdsa-pem', ['-t', 'ecdsa', '-m', 'PEM']],
    ['rsa-pkcs8', ['-t', 'rsa', '-b', '2048', '-m', 'PKCS8']],
  ];

  test.each(kinds)('%s: each takes the signatures of the other', async (name, words) => {
    keygen('-q', '-N', '', '-C', '', '-f', name, ...words);
    const publicKey = readFileSync(at(`${name}.pub`), 'utf8').trim();
    writeFileSync(at(`${name}.allowed`), `ada@example.com ${publicKey}\n`);
    const signer = await open(at(name));
    expect(keygen('-l', '-f', `${name}.pub`).toString()).toContain(signer.fingerprint);
    // Numbers of ECDSA differ in length from one signature to the next.
    for (let turn = 0; turn < (name.startsWith('ecdsa') ? 4 : 1); turn += 1) {
      const text = await signer.sign(message);
      expect(valid(text)).toBe(true);
      writeFileSync(at(`${name}.sig`), text);
      const args = ['-Y', 'verify', '-f', `${name}.allowed`, '-I', 'ada@example.com', '-n', namespace];
      const ran = spawnSync('ssh-keygen', [...args, '-s', `${name}.sig`], { cwd: folder, input: message });
      expect(ran.status, String(ran.stderr)).toBe(0);
    }
    writeFileSync(at('message'), message);
    rmSync(at('message.sig'), { force: true });
    keygen('-q', '-Y', 'sign', '-n', namespace, '-f', name, 'message');
    const theirs = readFileSync(at('message.sig'), 'utf8');
    expect(valid(theirs)).toBe(true);
    expect(valid(theirs, Buffer.from(`${message}x`))).toBe(false);
    const signers = await readAllowedSigners(at(`${name}.allowed`));
    expect(principalsOf(signers, signer.publicKey, Date.now())).toBe('ada@example.com');
  });

  test('a signature for another purpose is not one of a backup', async () => {
    keygen('-q', '-N', '', '-f', 'other', '-t', 'ed25519');
    writeFileSync(at('message'), message);
    rmSync(at('message.sig'), { force: true });
    keygen('-q', '-Y', 'sign', '-n', 'git', '-f', 'other', 'message');
    expect(valid(readFileSync(at('message.sig'), 'utf8'))).toBe(false);
  });

  test('a key with a passphrase signs through the agent, and without one is refused in words', async () => {
    keygen('-q', '-N', 'a passphrase', '-f', 'locked', '-t', 'ed25519');
    await expect(open(at('locked'))).rejects.toMatchObject({ kind: 'usage', code: 'cannot_sign' });
    const started = execFileSync('ssh-agent', ['-s'], { cwd: folder }).toString();
    const [, socket = ''] = /SSH_AUTH_SOCK=([^;]+)/.exec(started) ?? [];
    const [, pid = ''] = /SSH_AGENT_PID=(\d+)/.exec(started) ?? [];
    try {
      keygen('-q', '-N', '', '-f', 'agents', '-t', 'ed25519');
      execFileSync('ssh-add', ['-q', 'agents'], {
        cwd: folder,
        env: { ...process.env, SSH_AUTH_SOCK: socket },
      });
      rmSync(at('agents'));
      const signer = await open(at('agents.pub'), { SSH_AUTH_SOCK: socket });
      expect(valid(await signer.sign(message))).toBe(true);
    } finally {
      process.kill(Number(pid));
    }
  });
});

test('a key that ssh-keygen cannot use is refused in words, and the ssh-keygen of PATH is not asked', async () => {
  const { publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const parts = ['ssh-ed25519', Buffer.from(x, 'base64url')].map((part) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(part.length);
    return Buffer.concat([length, Buffer.from(part)]);
  });
  writeFileSync(at('alone.pub'), `ssh-ed25519 ${Buffer.concat(parts).toString('base64')} ada\n`);
  mkdirSync(at('bin'));
  writeFileSync(at('bin/ssh-keygen'), `#!/bin/sh\necho asked >'${at('asked')}'\n`, { mode: 0o755 });
  const refused = { code: 'cannot_sign', message: expect.stringContaining('nothing was written') };
  await expect(open(at('alone.pub'), { PATH: at('bin') })).rejects.toMatchObject(refused);
  expect(existsSync(at('asked'))).toBe(false);
});
