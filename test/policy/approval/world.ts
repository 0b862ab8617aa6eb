import { generateKeyPairSync } from 'node:crypto';
import { hashOfPlan } from '../../../src/plans/file.js';
import type { Plan } from '../../../src/plans/plan.js';
import { type Approval, type Statement, statementBytes } from '../../../src/policy/approval/approvals.js';
import type { Policy } from '../../../src/policy/policy.js';
import { fingerprintOf, privateKeyOf } from '../../../src/signing/keys.js';
import { type Namespace, namespaces, signWith } from '../../../src/signing/ssh-signature.js';

/** People with keys, and plans and policies for them. */

export interface Person {
  email: string;
  /** As a policy has it. */
  key: string;
  /** As OpenSSL writes it, for --key. */
  pem: string;
  fingerprint: string;
  sign(message: Uint8Array, namespace?: Namespace): string;
}

export function person(email: string): Person {
  const { privateKey } = generateKeyPairSync('ed25519');
  const own = privateKeyOf(privateKey);
  if (own === undefined) throw new Error('not a supported key');
  const { blob } = own.publicKey;
  return {
    email,
    key: `ssh-ed25519 ${blob.toString('base64')} ${email}`,
    pem: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    fingerprint: fingerprintOf(blob),
    sign: (message, namespace = namespaces.approval) => signWith(own, namespace, message),
  };
}

export const now = Date.parse('2026-06-01T12:00:00Z');
export const hourMs = 3_600_000;

export function planBy(by: Plan['by'], more: Partial<Plan> = {}): Plan {
  const plan: Omit<Plan, 'hash'> = {
    plan: 1,
    id: 'p-0123456789abcdef',
    madeAt: new Date(now - hourMs).toISOString(),
    version: '1.0.0',
    origin: 'https://docs.example',
    profile: 'default',
    command: 'members update',
    line: ['members', 'update', 'u1'],
    by,
    counts: {},
    risks: [],
    operations: [],
    ...more,
  };
  return { ...plan, hash: hashOfPlan(plan) };
}

export function policyFor(people: readonly Person[], more: Partial<Policy> = {}): Policy {
  return {
    file: '/etc/docs/policy.yaml',
    hash: 'a'.repeat(64),
    default: 'deny',
    allow: [],
    deny: [],
    ask: [],
    budget: [],
    protect: [],
    approve: { line: 9, by: people.map(({ email, key }) => ({ email, key })), validMs: 24 * hourMs },
    ...more,
  };
}

export function approvalOf(
  plan: Plan,
  policies: readonly Policy[],
  by: Person,
  more: Partial<Statement> = {},
): Approval {
  const statement: Statement = {
    approval: 1,
    plan: plan.id,
    hash: plan.hash,
    email: by.email,
    when: new Date(now - 60_000).toISOString(),
    host: 'desk',
    policies: policies.map(({ hash }) => hash),
    key: by.fingerprint,
    ...more,
  };
  return { ...statement, signature: by.sign(statementBytes(statement)) };
}

export const fileOf = (...approvals: readonly object[]) =>
  approvals.map((one) => `${JSON.stringify(one)}\n`).join('');
