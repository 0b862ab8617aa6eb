import { describe, expect, test } from 'vitest';
import { type Approval, statementBytes, verifyApprovals } from '../../../src/policy/approval/approvals.js';
import {
  isSignatureOf,
  type Namespace,
  namespaces,
  parseSignature,
} from '../../../src/signing/ssh-signature.js';
import { type Kind, securityKey } from './security-key.js';
import { approvalOf, fileOf, hourMs, now, person, planBy, policyFor } from './world.js';

const ada = person('ada@acme.example');

const bob = person('bob@acme.example');

const eve = person('ada@acme.example');

const plan = planBy({ id: 'u9', email: 'mia@acme.example' });

const policy = policyFor([ada, bob]);

const age = { nowMs: now, maxAgeMs: 24 * hourMs };

const good = approvalOf(plan, [policy], ada);

const signedBy = (
  who: typeof ada,
  one: Omit<Approval, 'signature'>,
  namespace: Namespace = namespaces.approval,
) => ({
  ...one,
  signature: who.sign(statementBytes(one), namespace),
});

const verify = (text: string, of = plan, under = policy, at = age) => {
  const { by, judged, unreadable } = verifyApprovals(of, text, under, at);
  return { by, is: judged.map((one) => one.is), unreadable };
};

test('an approval by a key that the policy names holds', () => {
  expect(verify(fileOf(good))).toEqual({ by: [ada.email], is: ['holds'], unreadable: 0 });
});

test.each<[string, object, string]>([
  [
    'by a key that the policy does not name, with the email of one it does',
    approvalOf(plan, [policy], eve),
    'unnamed-key',
  ],
  [
    'of an unnamed key that claims the fingerprint of a named one',
    approvalOf(plan, [policy], eve, { key: ada.fingerprint }),
    'bad-signature',
  ],
  ['over another hash', approvalOf(plan, [policy], ada, { hash: 'b'.repeat(64) }), 'other-plan'],
  ['copied from another plan', approvalOf(planBy(plan.by, { id: 'p-ffff' }), [policy], ada), 'other-plan'],
  [
    'with the hash put in afterwards',
    { ...approvalOf(planBy(plan.by, { id: 'p-ffff' }), [policy], ada), hash: plan.hash, plan: plan.id },
    'bad-signature',
  ],
  ['with another email', { ...good, email: bob.email }, 'unnamed-key'],
  ['with another time', { ...good, when: new Date(now).toISOString() }, 'bad-signature'],
  ['with another host', { ...good, host: 'elsewhere' }, 'bad-signature'],
  ['with a further policy', { ...good, policies: [...good.policies, 'c'.repeat(64)] }, 'bad-signature'],
  ['with no signature', { ...good, signature: '' }, 'bad-signature'],
  ['signed as a backup', signedBy(ada, good, namespaces.backup), 'bad-signature'],
  [
    'older than the policy allows',
    approvalOf(plan, [policy], ada, { when: new Date(now - 25 * hourMs).toISOString() }),
    'expired',
  ],
  [
    'from the future',
    approvalOf(plan, [policy], ada, { when: new Date(now + hourMs).toISOString() }),
    'expired',
  ],
  [
    'under another policy',
    approvalOf(plan, [policyFor([ada], { hash: 'c'.repeat(64) })], ada),
    'other-policy',
  ],
])('an approval %s does not', (_, approval, is) => {
  expect(verify(fileOf(approval))).toEqual({ by: [], is: [is], unreadable: 0 });
});

test('the smaller of the age that the policy allows and --max-age counts', () => {
  const text = fileOf(approvalOf(plan, [policy], ada, { when: new Date(now - 2 * hourMs).toISOString() }));
  expect(verify(text).by).toEqual([ada.email]);
  expect(verify(text, plan, policy, { nowMs: now, maxAgeMs: hourMs }).is).toEqual(['expired']);
  const strict = policyFor([ada], { approve: { line: 1, by: [ada], validMs: hourMs } });
  const under = fileOf(approvalOf(plan, [strict], ada, { when: new Date(now - 2 * hourMs).toISOString() }));
  expect(verify(under, plan, strict, { nowMs: now, maxAgeMs: Number.POSITIVE_INFINITY }).is).toEqual([
    'expired',
  ]);
});

describe('who made the plan', () => {
  test.each([
    ['by email', { id: 'u1', email: 'ADA@acme.example ' }],
    ['by id', { id: 'ada@acme.example', email: 'x@acme.example' }],
  ])('does not approve it, known %s', (_, by) => {
    const own = planBy(by);
    expect(verify(fileOf(approvalOf(own, [policy], ada)), own)).toMatchObject({ by: [], is: ['maker'] });
    expect(verify(fileOf(approvalOf(own, [policy], bob)), own).by).toEqual([bob.email]);
  });

  test('does not approve it by another email of the same key', () => {
    const twice = policyFor([ada, { ...ada, email: 'boss@acme.example' }]);
    const own = planBy({ id: 'u1', email: ada.email });
    const approval = approvalOf(own, [twice], ada, { email: 'boss@acme.example' });
    expect(verify(fileOf(approval), own, twice)).toMatchObject({ by: [], is: ['maker'] });
  });

  test.each(['unknown' as const, { id: 'u1' }])('is unknown (%j): two people must approve', (by) => {
    const own = planBy(by);
    const first = approvalOf(own, [policy], ada);
    expect(verify(fileOf(first), own)).toMatchObject({ by: [], is: ['alone'] });
    expect(verify(fileOf(first, first), own)).toMatchObject({ by: [], is: ['alone', 'alone'] });
    expect(verify(fileOf(first, approvalOf(own, [policy], bob)), own).by).toEqual([ada.email, bob.email]);
  });

  test('is unknown: one key under two emails is one person, and so are two keys of one email', () => {
    const own = planBy('unknown');
    const twoEmails = policyFor([ada, { ...ada, email: 'boss@acme.example' }]);
    const each = [ada.email, 'boss@acme.example'].map((email) =>
      approvalOf(own, [twoEmails], ada, { email }),
    );
    expect(verify(fileOf(...each), own, twoEmails)).toMatchObject({ by: [], is: ['alone', 'alone'] });
    const twoKeys = policyFor([ada, eve]);
    const both = [ada, eve].map((who) => approvalOf(own, [twoKeys], who));
    expect(verify(fileOf(...both), own, twoKeys)).toMatchObject({ by: [], is: ['alone', 'alone'] });
  });
});

test('a plan that says another hash than its own is not the one that was approved', () => {
  const forged = { ...planBy(plan.by, { command: 'spaces delete' }), hash: plan.hash };
  expect(verify(fileOf(good), forged)).toMatchObject({ by: [], is: ['other-plan'] });
});

test('a torn line and hostile content spoil nothing', () => {
  const whole = fileOf(good);
  const hostile = [
    whole.slice(0, 100),
    'null',
    '[]',
    '{"approval":1}',
    `{"approval":1,"policies":${'['.repeat(5000)}${']'.repeat(5000)}}`,
    '['.repeat(15_000),
    '\u0000\u001b[31m',
    JSON.stringify({ ...good, approval: 3 }),
    JSON.stringify({ ...good, extra: true }),
    JSON.stringify({ ...good, when: 'soon' }),
    JSON.stringify({ ...good, policies: 'all' }),
    JSON.stringify({ ...good, host: 'x'.repeat(20_000) }),
  ];
  const { by, is, unreadable } = verify(`${hostile.join('\n')}\n${whole}${whole.slice(0, 50)}`);
  expect({ by, is, unreadable }).toEqual({ by: [ada.email], is: ['holds'], unreadable: hostile.length + 1 });
  expect(
    verify(
      fileOf({
        ...good,
        signature: `-----BEGIN SSH SIGNATURE-----\n${'A'.repeat(200)}\n-----END SSH SIGNATURE-----`,
      }),
    ).is,
  ).toEqual(['bad-signature']);
});

test('each byte of what is signed counts', () => {
  const line = fileOf(good).trimEnd();
  for (let at = 0; at < line.indexOf('"signature"'); at += 1) {
    const changed = `${line.slice(0, at)}${String.fromCharCode(line.charCodeAt(at) ^ 1)}${line.slice(at + 1)}`;
    expect(verify(changed).by, `byte ${at}`).toEqual([]);
  }
});

test('a policy that wants a rehearsal takes an approval that says so, and no other', () => {
  const strict = policyFor([ada, bob]);
  const approve = { line: 1, validMs: 24 * hourMs, ...strict.approve, rehearse: true as const };
  const wants = { ...strict, approve };
  const old = approvalOf(plan, [wants], ada);
  expect(verify(fileOf(old), plan, wants)).toEqual({ by: [], is: ['not-rehearsed'], unreadable: 0 });
  const claimed = { ...old, rehearsed: true };
  expect(verify(fileOf(claimed), plan, wants).is).toEqual(['bad-signature']);
  const seen = approvalOf(plan, [wants], ada, { rehearsed: true });
  expect(verify(fileOf(seen), plan, wants)).toEqual({ by: [ada.email], is: ['holds'], unreadable: 0 });
  expect(verify(fileOf(seen), plan, strict).is).toEqual(['holds']);
  // Anything else in its place is no approval.
  expect(verify(JSON.stringify({ ...seen, rehearsed: 'yes' }), plan, wants).unreadable).toBe(1);
});

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
