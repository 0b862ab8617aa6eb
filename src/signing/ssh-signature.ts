import { createHash, sign, verify } from 'node:crypto';
import {
  type PrivateKey,
  type PublicKey,
  publicKeyOf,
  type Scheme,
  uint32,
  WireReader,
  wireNumber,
  wireString,
} from './keys.js';

/** What a signature is for: one of a backup is valid for nothing else, and neither is one of an approval. */
export const namespaces = { backup: 'docs-backup', approval: 'docs-approval' } as const;
export type Namespace = (typeof namespaces)[keyof typeof namespaces];

/** Signatures as `ssh-keygen -Y sign` makes them (OpenSSH PROTOCOL.sshsig). */

const preamble = 'SSHSIG';
const version = 1;
const [begin, end] = ['-----BEGIN SSH SIGNATURE-----', '-----END SSH SIGNATURE-----'];
/** Characters of Base64 in a line, as OpenSSH has them. */
const lineLength = 70;

interface SshSignature {
  publicKey: Buffer;
  namespace: string;
  hash: string;
  algorithm: string;
  bytes: Buffer;
  /** Of a security key: what it says of itself and how it was asked, which it signed, too. */
  hardware?: { flags: number; counter: number };
}

/** The flag by which a security key says that somebody touched it (OpenSSH PROTOCOL.u2f). */
const userPresent = 1;

/** Signs a message with a key that this process holds. @returns the text of a signature file */
export function signWith({ key, publicKey }: PrivateKey, namespace: Namespace, message: Uint8Array): string {
  const [scheme] = publicKey.schemes as [Scheme];
  const hash = 'sha512';
  const data = toBeSigned(namespace, hash, message);
  const raw = sign(scheme.hash, data, optionsOf(key, scheme));
  const signature = Buffer.concat([wireString(scheme.algorithm), wireString(encoded(raw, scheme))]);
  const parts = [publicKey.blob, namespace, '', hash, signature].map(wireString);
  return armoured(Buffer.concat([Buffer.from(preamble), uint32(version), ...parts]));
}

/** The parts of a signature file; undefined if it is not one. */
export function parseSignature(text: string): SshSignature | undefined {
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from === -1 || to < from) return undefined;
  const reader = new WireReader(Buffer.from(text.slice(from + begin.length, to), 'base64'));
  try {
    if (reader.bytes(preamble.length).toString('latin1') !== preamble) return undefined;
    if (reader.uint32() !== version) return undefined;
    const publicKey = reader.string();
    const own = reader.text();
    reader.string(); // reserved
    const hash = reader.text();
    const signature = new WireReader(reader.string());
    const [algorithm, bytes] = [signature.text(), signature.string()];
    const hardware = algorithm.startsWith('sk-')
      ? { flags: signature.byte(), counter: signature.uint32() }
      : undefined;
    return reader.atEnd && signature.atEnd
      ? { publicKey, namespace: own, hash, algorithm, bytes, ...(hardware && { hardware }) }
      : undefined;
  } catch (cause) {
    if (cause instanceof RangeError) return undefined;
    throw cause;
  }
}

/**
 * Whether a signature is one of this message, for this purpose, by the key that it names. One of a security key must
 * say that somebody touched it.
 */
export function isSignatureOf(signature: SshSignature, namespace: Namespace, message: Uint8Array): boolean {
  const { hash, algorithm, bytes } = signature;
  if (signature.namespace !== namespace || !['sha256', 'sha512'].includes(hash)) return false;
  const publicKey = supportedKey(signature.publicKey);
  const scheme = publicKey?.schemes.find((one) => one.algorithm === algorithm);
  const raw = scheme && decoded(bytes, scheme);
  if (publicKey === undefined || scheme === undefined || raw === undefined) return false;
  const data = signedData(signature, publicKey, toBeSigned(namespace, hash, message));
  return data !== undefined && verify(scheme.hash, data, optionsOf(publicKey.key, scheme), raw);
}

/** What the key itself signed; undefined where nobody touched it. */
function signedData(
  { hardware }: SshSignature,
  { application }: PublicKey,
  data: Buffer,
): Buffer | undefined {
  if (application === undefined) return data;
  if (hardware === undefined || (hardware.flags & userPresent) === 0) return undefined;
  const { flags, counter } = hardware;
  const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
  return Buffer.concat([sha256(application), Buffer.of(flags), uint32(counter), sha256(data)]);
}

/** The key of a signature or an allowed signer; undefined for a kind that is not supported. */
export function supportedKey(blob: Buffer): PublicKey | undefined {
  try {
    return publicKeyOf(blob);
  } catch {
    return undefined; // Cut short, or no key of its kind.
  }
}

function toBeSigned(namespace: Namespace, hash: string, message: Uint8Array): Buffer {
  const digest = createHash(hash).update(message).digest();
  return Buffer.concat([Buffer.from(preamble), ...[namespace, '', hash, digest].map(wireString)]);
}

function optionsOf(key: PrivateKey['key'], { half }: Scheme) {
  return half === undefined ? { key } : { key, dsaEncoding: 'ieee-p1363' as const };
}

/** The two numbers of an ECDSA signature, as SSH writes them. */
function encoded(raw: Buffer, { half }: Scheme): Buffer {
  if (half === undefined) return raw;
  return Buffer.concat([wireNumber(raw.subarray(0, half)), wireNumber(raw.subarray(half))]);
}

function decoded(bytes: Buffer, { half }: Scheme): Buffer | undefined {
  if (half === undefined) return bytes;
  try {
    const reader = new WireReader(bytes);
    const numbers = [reader.number(), reader.number()];
    if (!reader.atEnd || numbers.some(({ length }) => length > half)) return undefined;
    return Buffer.concat(numbers.flatMap((number) => [Buffer.alloc(half - number.length), number]));
  } catch (cause) {
    if (cause instanceof RangeError) return undefined;
    throw cause;
  }
}

function armoured(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(new RegExp(`.{1,${lineLength}}`, 'g')) ?? [];
  return `${[begin, ...lines, end].join('\n')}\n`;
}
