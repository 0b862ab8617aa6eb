import { describe, expect, test } from 'vitest';
import { verifyApprovals } from '../../../src/policy/approval/approvals.js';
import { isSignatureOf, namespaces, parseSignature } from '../../../src/signing/ssh-signature.js';
import { type Kind, securityKey } from './security-key.js';
import { approvalOf, fileOf, hourMs, now, planBy, policyFor } from './world.js';

/** Which signatures of security keys (FIDO) hold, and of what. */

const message = Buffer.from('{"approval":1}');
const namespace = namespaces.approval;
const email = 'ada@acme.example';
const kinds: readonly Kind[] = ['ed25519', 'ecdsa'];

const valid = (text: string) => {
  const signature = parseSignature(text);
  return signature !== undefined && isSignatureOf(signature, namespace, message);
};

describe.each(kinds)('a security key of %s', (kind) => {
  const key = securityKey(email, kind);

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
});
