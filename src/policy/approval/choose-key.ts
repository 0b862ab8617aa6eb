import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { type DocsError, usageError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { sameEmail } from '../../base/name.js';
import { openKey, publicPartOf, type Signer } from '../../signing/signer.js';
import { namespaces } from '../../signing/ssh-signature.js';
import type { Policy } from '../policy.js';
import { keysOf } from './approvals.js';

/** Which key signs an approval, and for whom. */
export interface Approver {
  signer: Signer;
  /** As the policies have it. */
  email: string;
  /** All emails that the policies name the key for. */
  emails: readonly string[];
  /** The policies that name the key for this email. */
  policies: readonly Policy[];
}

interface Asked {
  /** `--key`, as typed. */
  key?: string | undefined;
  /** `--email`. */
  email?: string | undefined;
}

/**
 * Finds the key of an approver, and the policies that name it. Nothing is signed.
 * @param asked without a key: the one in ~/.ssh that the policies name
 * @throws DocsError usage `key_not_named`, `missing_key`, `ambiguous_email`, `bad_key`; local-io
 */
export async function chooseKey(io: Io, policies: readonly Policy[], asked: Asked): Promise<Approver> {
  const path = asked.key === undefined ? await keyAtHome(io, policies, asked) : resolve(io.cwd, asked.key);
  const { env, cwd, signal } = io;
  const signer = await openKey(path, namespaces.approval, { env, cwd, signal, attended: true });
  const named = policies.flatMap((policy) =>
    keysOf(policy).flatMap(({ email, blob }) => (blob.equals(signer.publicKey) ? [{ policy, email }] : [])),
  );
  const emails = named.map(({ email }) => email).filter(isFirst);
  const fitting = emails.filter((email) => asked.email === undefined || sameEmail(email, asked.email));
  const [email, other] = fitting;
  if (email === undefined) throw notNamed(policies, signer, emails, asked);
  if (other !== undefined) throw ambiguous(signer, emails);
  const own = named.filter((one) => sameEmail(one.email, email)).map(({ policy }) => policy);
  return { signer, email, emails, policies: own.filter((one, at) => own.indexOf(one) === at) };
}

function isFirst(email: string, at: number, all: readonly string[]): boolean {
  return all.findIndex((other) => sameEmail(email, other)) === at;
}

/** The key in ~/.ssh that a policy names: by its public part, which stands beside it. */
async function keyAtHome(io: Io, policies: readonly Policy[], { email }: Asked): Promise<string> {
  const folder = join(io.env.HOME ?? homedir(), '.ssh');
  const wanted = policies.flatMap(keysOf).filter((key) => email === undefined || sameEmail(key.email, email));
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    const blob = publicPartOf(await readFile(path, 'utf8').catch(() => ''));
    if (blob === undefined || !wanted.some((key) => key.blob.equals(blob))) continue;
    const own = path.slice(0, -'.pub'.length);
    // Of a key that only the agent has, the public part is enough.
    return existsSync(own) ? own : path;
  }
  const whose = email === undefined ? '' : ` for ${email}`;
  const message = `${folder} has no key that ${filesOf(policies)} names${whose}; nothing was signed. Pass --key.`;
  throw usageError('missing_key', message, { hint: 'docs plan approve --help' });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.pub'))
      .sort();
  } catch {
    return []; // No such folder, or not to be read: there is no key in it.
  }
}

function filesOf(policies: readonly Policy[]): string {
  return policies.map(({ file }) => file).join(' or ');
}

function notNamed(
  policies: readonly Policy[],
  { fingerprint }: Signer,
  emails: readonly string[],
  { email }: Asked,
): DocsError {
  const names =
    emails.length === 0
      ? `does not name the key ${fingerprint}`
      : `names the key ${fingerprint} for ${emails.join(' and ')}, not for ${email}`;
  const message = `${filesOf(policies)} ${names}; nothing was signed`;
  return usageError('key_not_named', message, { hint: 'docs plan approve --help' });
}

function ambiguous({ fingerprint }: Signer, emails: readonly string[]): DocsError {
  const message = `the key ${fingerprint} is named for ${emails.join(' and ')}; nothing was signed. Pass --email.`;
  return usageError('ambiguous_email', message, { hint: 'docs plan approve --help' });
}
