import { createPrivateKey } from 'node:crypto';
import { lstat, readFile } from 'node:fs/promises';
import { type DocsError, usageError } from '../../../errors.js';
import { localIoError } from '../../../files/local-io-error.js';
import { type Child, signWithSshKeygen } from './agent.js';
import { fingerprintOf, openSshPrivateKey, type PrivateKey, privateKeyOf } from './keys.js';
import { isSignatureOf, parseSignature, signWith, supportedKey } from './ssh-signature.js';

/** Signs with an SSH key. */
export interface Signer {
  /** As in an allowed-signers file, decoded. */
  publicKey: Buffer;
  /** `SHA256:…` */
  fingerprint: string;
  /** The text of a signature file, which was checked. @throws DocsError usage `cannot_sign` */
  sign(message: Uint8Array): Promise<string>;
}

/** A key is small; anything larger is another file. In bytes. */
const largestKey = 1 << 16;

/**
 * Opens a key, and shows that it signs. A private key without a passphrase signs here; one with a passphrase,
 * and a public key, sign through `ssh-keygen` and the SSH agent.
 * @param path absolute
 * @throws DocsError usage `bad_key`, `cannot_sign`; local-io if the file cannot be read
 */
export async function openSigner(path: string, child: Child): Promise<Signer> {
  const own = await ownKey(path);
  const make = async (message: Uint8Array) =>
    own === undefined ? signWithSshKeygen(path, message, child) : signWith(own, message);
  const trial = parseSignature(await make(Buffer.from('trial')));
  const publicKey = trial && supportedKey(trial.publicKey);
  if (publicKey === undefined) throw badKey(path);
  const { blob } = publicKey;
  return {
    publicKey: blob,
    fingerprint: fingerprintOf(blob),
    async sign(message) {
      const text = await make(message);
      const made = parseSignature(text);
      if (made?.publicKey.equals(blob) && isSignatureOf(made, message)) return text;
      throw usageError('cannot_sign', `${path} made a signature that is not valid`);
    },
  };
}

/** The key itself; undefined where only the agent has it. */
async function ownKey(path: string): Promise<PrivateKey | undefined> {
  const text = await keyText(path);
  const [, kind, base64 = ''] =
    /-----BEGIN ((?:[A-Z]+ )*PRIVATE KEY)-----([\s\S]*?)-----END \1-----/.exec(text) ?? [];
  if (kind === undefined) {
    if (/^(?:ssh|ecdsa|sk)-[\w@.-]+ [A-Za-z0-9+/]+=*( |$)/m.test(text)) return undefined;
    throw badKey(path);
  }
  if (kind.includes('ENCRYPTED') || /^Proc-Type: 4,ENCRYPTED/m.test(base64)) return undefined;
  try {
    const key =
      kind === 'OPENSSH PRIVATE KEY'
        ? openSshPrivateKey(Buffer.from(base64, 'base64'))
        : privateKeyOf(createPrivateKey(text));
    if (key === 'encrypted') return undefined;
    if (key !== undefined) return key;
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
    throw localIoError(cause, `Cannot read the key ${path}`);
  }
}

function badKey(path: string): DocsError {
  const message = `${path} is not an SSH key of a supported kind: ssh-ed25519, ssh-rsa, ecdsa-sha2-nistp256, -nistp384 or -nistp521; nothing was written`;
  return usageError('bad_key', message, { hint: 'ssh-keygen -t ed25519 -f <file>' });
}
