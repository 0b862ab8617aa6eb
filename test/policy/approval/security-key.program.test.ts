import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uint32, wireString } from '../../../src/signing/keys.js';
import { openKey } from '../../../src/signing/signer.js';
import { isSignatureOf, namespaces, parseSignature } from '../../../src/signing/ssh-signature.js';
import { type Kind, securityKey, startAgent } from './security-key.js';

/** Signatures of security keys (FIDO), against the system's ssh-keygen; what they hold is in security-key.test.ts. */

const hasSshKeygen = spawnSync('ssh-keygen', ['-?']).error === undefined;
const message = Buffer.from('{"approval":1}');
const namespace = namespaces.approval;
const email = 'ada@acme.example';
const kinds: readonly Kind[] = ['ed25519', 'ecdsa'];

let folder: string;
const at = (name: string) => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'docs-sk-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const valid = (text: string, of = message) => {
  const signature = parseSignature(text);
  return signature !== undefined && isSignatureOf(signature, namespace, of);
};

describe.each(kinds)('a security key of %s', (kind) => {
  const key = securityKey(email, kind);

  test.skipIf(!hasSshKeygen)('signs as ssh-keygen verifies it', () => {
    writeFileSync(at('allowed'), `${email} ${key.key}\n`);
    // Numbers of ECDSA differ in length from one signature to the next.
    for (let turn = 0; turn < 8; turn += 1) {
      const text = key.sign(message, namespace, { flags: turn % 2 === 0 ? 1 : 5, counter: turn });
      writeFileSync(at('sig'), text);
      const words = ['-Y', 'verify', '-f', at('allowed'), '-I', email, '-n', namespace, '-s', at('sig')];
      const ran = spawnSync('ssh-keygen', words, { input: message });
      expect(ran.status, String(ran.stderr)).toBe(0);
      expect(valid(text)).toBe(true);
    }
  });

  test.skipIf(!hasSshKeygen)('signs through ssh-keygen and the agent: by its public part', async () => {
    const socket = at(`${kind}.socket`);
    const agent = await startAgent(socket, key);
    try {
      writeFileSync(at(`${kind}.pub`), `${key.key}\n`);
      const env = { PATH: process.env.PATH, HOME: folder, SSH_AUTH_SOCK: socket };
      const child = { env, cwd: folder, signal: new AbortController().signal };
      const signer = await openKey(at(`${kind}.pub`), namespace, child);
      expect(signer).toMatchObject({ needsTouch: true, fingerprint: key.fingerprint });
      expect(valid(await signer.sign(message))).toBe(true);
    } finally {
      await agent.close();
    }
  });
});

test('the file of a key on a security key shows which one it is, and is not taken for the key itself', async () => {
  const key = securityKey(email);
  const inner = Buffer.concat([uint32(1), uint32(1), wireString('sk-ssh-ed25519@openssh.com')]);
  const bytes = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    ...['none', 'none', ''].map(wireString),
    uint32(1),
    ...[key.blob, inner].map(wireString),
  ]);
  const text = `-----BEGIN OPENSSH PRIVATE KEY-----\n${bytes.toString('base64')}\n-----END OPENSSH PRIVATE KEY-----\n`;
  writeFileSync(at('id_sk'), text, { mode: 0o600 });
  const child = { env: { PATH: '/nowhere' }, cwd: folder, signal: new AbortController().signal };
  const signer = await openKey(at('id_sk'), namespace, child);
  expect(signer).toMatchObject({ needsTouch: true, fingerprint: key.fingerprint });
  await expect(signer.sign(message)).rejects.toMatchObject({ code: 'cannot_sign' });
});
