import { createPrivateKey } from 'node:crypto';
import { lstat, readFile } from 'node:fs/promises';
import { runChild } from '../base/child-process.js';
import { type DocsError, localIoError, usageError } from '../base/errors.js';
import { findTool, toolMissing } from '../base/own-tools.js';
import {
  fingerprintOf,
  keyKinds,
  openSshPrivateKey,
  openSshPublicPart,
  type PrivateKey,
  privateKeyOf,
} from './keys.js';
import { isSignatureOf, type Namespace, parseSignature, signWith, supportedKey } from './ssh-signature.js';

/** Signs with an SSH key. */
export interface Signer {
  /** As in an allowed-signers file, decoded. */
  publicKey: Buffer;
  /** `SHA256:…` */
  fingerprint: string;
  /** Whether it is on a security key, which somebody must touch for each signature. */
  needsTouch: boolean;
  /** The text of a signature file, which was checked. @throws DocsError usage `cannot_sign` */
  sign(message: Uint8Array): Promise<string>;
}

/** A key is small; anything larger is another file. In bytes. */
const largestKey = 1 << 16;

/**
 * Opens a key, and shows that it signs. A private key without a passphrase signs here; one with a passphrase, one
 * on a security key, and a public key, sign through `ssh-keygen` and the SSH agent.
 * @param path absolute
 * @throws DocsError usage `bad_key`, `cannot_sign`; local-io if the file cannot be read
 */
export async function openSigner(path: string, namespace: Namespace, child: Child): Promise<Signer> {
  const make = makerOf(path, (await readKey(path)).own, namespace, child);
  const trial = parseSignature(await make(Buffer.from('trial')));
  if (trial === undefined) throw badKey(path);
  return signerBy(path, trial.publicKey, namespace, make);
}

/**
 * Opens a key by its public part, which is readable without a passphrase: nothing is signed, and nobody is asked
 * for a passphrase, before `sign`. Of a private key that does not show its public part, `<path>.pub` does.
 * @param path absolute
 * @throws DocsError usage `bad_key`; local-io if the file cannot be read
 */
export async function openKey(path: string, namespace: Namespace, child: Child): Promise<Signer> {
  const { own, text } = await readKey(path);
  const beside = async () => publicPartOf(await keyText(`${path}.pub`).catch(() => ''));
  const blob = own?.publicKey.blob ?? publicPartOf(text) ?? (await beside());
  if (blob === undefined) throw badKey(path);
  return signerBy(path, blob, namespace, makerOf(path, own, namespace, child));
}

type Make = (message: Uint8Array) => Promise<string>;

function makerOf(path: string, own: PrivateKey | undefined, namespace: Namespace, child: Child): Make {
  return async (message) =>
    own === undefined
      ? signWithSshKeygen(path, namespace, message, child)
      : signWith(own, namespace, message);
}

function signerBy(path: string, of: Buffer, namespace: Namespace, make: Make): Signer {
  const key = supportedKey(of);
  if (key === undefined) throw badKey(path);
  const { blob } = key;
  return {
    publicKey: blob,
    needsTouch: key.application !== undefined,
    fingerprint: fingerprintOf(blob),
    async sign(message) {
      const text = await make(message);
      const made = parseSignature(text);
      if (made?.publicKey.equals(blob) && isSignatureOf(made, namespace, message)) return text;
      throw usageError('cannot_sign', `${path} made a signature that is not valid`);
    },
  };
}

/** A line of a public key file, or of `authorized_keys`. */
const publicLine = /^(?:ssh|ecdsa|sk)-[\w@.-]+ ([A-Za-z0-9+/]+=*)(?: |$)/m;

/**
 * The public part of a key file, decoded; undefined where it does not show.
 * @param text of a public key, or of an OpenSSH private key
 */
export function publicPartOf(text: string): Buffer | undefined {
  const [, base64] = publicLine.exec(text.replaceAll('\r', '')) ?? [];
  if (base64 !== undefined) return Buffer.from(base64, 'base64');
  const [, inner] =
    /-----BEGIN OPENSSH PRIVATE KEY-----([\s\S]*?)-----END OPENSSH PRIVATE KEY-----/.exec(text) ?? [];
  try {
    return inner === undefined ? undefined : openSshPublicPart(Buffer.from(inner, 'base64'));
  } catch {
    return undefined; // Cut short.
  }
}

interface KeyFile {
  text: string;
  /** The key itself; undefined where only the agent has it. */
  own?: PrivateKey;
}

async function readKey(path: string): Promise<KeyFile> {
  const text = await keyText(path);
  const [, kind, base64 = ''] =
    /-----BEGIN ((?:[A-Z]+ )*PRIVATE KEY)-----([\s\S]*?)-----END \1-----/.exec(text) ?? [];
  if (kind === undefined) {
    if (publicLine.test(text)) return { text };
    throw badKey(path);
  }
  if (kind.includes('ENCRYPTED') || /^Proc-Type: 4,ENCRYPTED/m.test(base64)) return { text };
  try {
    const key =
      kind === 'OPENSSH PRIVATE KEY'
        ? openSshPrivateKey(Buffer.from(base64, 'base64'))
        : privateKeyOf(createPrivateKey(text));
    if (key === 'encrypted' || key === 'hardware') return { text };
    if (key !== undefined) return { text, own: key };
  } catch {
    // Not a key; said below, without what stands in it.
  }
  throw badKey(path);
}

async function keyText(path: string): Promise<string> {
  try {
    const stats = await lstat(path);
    const isFile = stats.isFile() || stats.isSymbolicLink();
    if (!isFile || stats.size > largestKey) throw badKey(path);
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (cause instanceof Error && cause.name === 'DocsError') throw cause;
    throw localIoError(cause, `cannot read the key ${path}`);
  }
}

function badKey(path: string): DocsError {
  const message = `${path} is not an SSH key of a supported kind: ${keyKinds}; nothing was written`;
  return usageError('bad_key', message, { hint: 'ssh-keygen -t ed25519 -f <file>' });
}

/** Signing through `ssh-keygen` and the SSH agent, for keys that this process does not hold. */

/** Where a child runs, and its environment. */
interface Child {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  signal: AbortSignal;
  /** Whether somebody is at the terminal, whom `ssh-keygen` may ask for a passphrase. */
  attended?: boolean;
}

/** @param path of the key @throws DocsError usage `cannot_sign` */
async function signWithSshKeygen(
  path: string,
  namespace: Namespace,
  message: Uint8Array,
  child: Child,
): Promise<string> {
  const { env, cwd, signal, attended = false } = child;
  const { platform } = process;
  const program = findTool({ platform }, 'ssh-keygen');
  if (program === undefined) throw cannotSign(path, toolMissing('ssh-keygen', platform));
  // In a session of its own it has no terminal: it asks for no passphrase, which nobody may be there to type.
  const { code, stdout, stderr } = await runChild(
    { env, cwd },
    program,
    ['-Y', 'sign', '-q', '-n', namespace, '-f', path],
    { own: { SSH_ASKPASS_REQUIRE: 'never' }, detached: !attended, signal, input: message },
  ).catch(() => {
    throw cannotSign(path, 'ssh-keygen failed to start');
  });
  if (code === 0) return stdout.toString('utf8');
  throw cannotSign(path, stderr.trim().split('\n').at(-1) ?? `ssh-keygen exited with ${code}`);
}

function cannotSign(path: string, why: string) {
  const message = `cannot sign with ${path}: a key with a passphrase or on a security key signs through ssh-keygen and the SSH agent (${why}); nothing was written`;
  return usageError('cannot_sign', message, { hint: 'ssh-add <key>' });
}
