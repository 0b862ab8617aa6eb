import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyApprovals } from '../../../src/policy/approval/verify.js';
import { namespaces } from '../../../src/signing/namespaces.js';
import { openKey } from '../../../src/signing/signer.js';
import { isSignatureOf, parseSignature } from '../../../src/signing/ssh-signature.js';
import { uint32, wireString } from '../../../src/signing/wire.js';
import { type Kind, securityKey, startAgent } from './security-key.js';
import { approvalOf, fileOf, hourMs, now, planBy, policyFor } from './world.js';

/** Signatures of security keys (FIDO), against the system's ssh-keygen where there is one. */

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

  test.each([
    ['of another message', key.sign(Buffer.from('{"approval":2}'))],
    ['for another purpose', key.sign(message, namespaces.backup)],
    ['that nobody touched it for', key.sign(message, namespace, { flags: 0 })],
    ['with a PIN and without a touch', key.sign(message, namespace, { flags: 4 })],
    ['for another application', key.sign(message, namespace, { application: 'https://example.com' })],
  ])('a signature %s is not valid', (_, text) => {
    expect(parseSignature(text)).toBeDefined();
    expect(valid(text)).toBe(false);
  });

  test('a signature with a byte changed or cut off is not valid, and breaks nothing', () => {
    const text = key.sign(message);
    const body = Buffer.from(text.split('\n').slice(1, -2).join(''), 'base64');
    const armoured = (bytes: Buffer) =>
      `-----BEGIN SSH SIGNATURE-----\n${bytes.toString('base64')}\n-----END SSH SIGNATURE-----\n`;
    expect(valid(armoured(body))).toBe(true);
    for (let byte = 0; byte < body.length; byte += 1) {
      const changed = Buffer.from(body);
      changed[byte] = (changed[byte] ?? 0) ^ 1;
      expect(valid(armoured(changed)), `byte ${byte}`).toBe(false);
      expect(valid(armoured(body.subarray(0, byte)))).toBe(false);
    }
  });

  test('its approval holds, and not one that nobody touched it for', () => {
    const policy = policyFor([key]);
    const plan = planBy({ id: 'u2', email: 'bob@acme.example' });
    const age = { nowMs: now, maxAgeMs: 24 * hourMs };
    const approval = approvalOf(plan, [policy], key);
    expect(verifyApprovals(plan, fileOf(approval), policy, age).by).toEqual([email]);
    const untouched = { ...key, sign: (text: Uint8Array) => key.sign(text, namespace, { flags: 0 }) };
    const forged = verifyApprovals(plan, fileOf(approvalOf(plan, [policy], untouched)), policy, age);
    expect(forged.by).toEqual([]);
    expect(forged.judged).toMatchObject([{ is: 'bad-signature' }]);
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
