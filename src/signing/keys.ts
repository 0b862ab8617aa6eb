import { createHash, createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';

/** The binary form of SSH keys and signatures (RFC 4251, section 5): strings and numbers with their lengths. */

export class WireReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get atEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** @throws RangeError past the end, as all others */
  bytes(length: number): Buffer {
    if (length > this.#bytes.length - this.#at) throw new RangeError('cut short');
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  byte(): number {
    return this.bytes(1).readUInt8();
  }

  uint32(): number {
    return this.bytes(4).readUInt32BE();
  }

  string(): Buffer {
    return this.bytes(this.uint32());
  }

  text(): string {
    return this.string().toString('latin1');
  }

  /** A number that is not negative, without the zeros before it. */
  number(): Buffer {
    const bytes = this.string();
    const first = bytes.findIndex((byte) => byte !== 0);
    return first === -1 ? Buffer.alloc(0) : bytes.subarray(first);
  }
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export function wireString(value: string | Uint8Array): Buffer {
  const bytes = Buffer.from(value as Uint8Array);
  return Buffer.concat([uint32(bytes.length), bytes]);
}

/** A number that is not negative: no zeros before it but the one that keeps its sign. */
export function wireNumber(value: Uint8Array): Buffer {
  const bytes = new WireReader(wireString(value)).number();
  const isHigh = (bytes[0] ?? 0) > 127;
  return wireString(isHigh ? Buffer.concat([Buffer.of(0), bytes]) : bytes);
}

/** Keys as SSH has them (RFC 4253, 5656, 8709; OpenSSH PROTOCOL.key, PROTOCOL.u2f) and as node:crypto takes them. */

const curves = {
  nistp256: { crv: 'P-256', hash: 'sha256', bytes: 32 },
  nistp384: { crv: 'P-384', hash: 'sha384', bytes: 48 },
  nistp521: { crv: 'P-521', hash: 'sha512', bytes: 66 },
} as const;
type Curve = keyof typeof curves;

/** How a kind of key signs. */
export interface Scheme {
  /** Name of the signature. */
  algorithm: string;
  /** undefined: the key hashes on its own. */
  hash: string | undefined;
  /** Bytes of each of the two numbers of an ECDSA signature. */
  half?: number;
}

export interface PublicKey {
  /** As in an allowed-signers file, decoded. */
  blob: Buffer;
  type: string;
  key: KeyObject;
  /** What it signs by, the preferred one first. */
  schemes: readonly Scheme[];
  /** Of a key on a security key (FIDO): what it was made for, usually `ssh:`, which each signature covers. */
  application?: Buffer;
}

export interface PrivateKey {
  key: KeyObject;
  publicKey: PublicKey;
}

/** `SHA256:…`, as `ssh-keygen -l` prints it. */
export function fingerprintOf(blob: Uint8Array): string {
  return `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`;
}

/** @returns undefined for a kind of key that is not supported @throws RangeError for one that is cut short */
export function publicKeyOf(blob: Buffer): PublicKey | undefined {
  const reader = new WireReader(blob);
  const type = reader.text();
  const jwk = publicJwk(hardwareTypes.get(type) ?? type, reader);
  const application = jwk !== undefined && hardwareTypes.has(type) ? reader.string() : undefined;
  if (jwk === undefined || !reader.atEnd) return undefined;
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  return { blob, type, key, schemes: schemesOf(type), ...(application && { application }) };
}

/** Kinds of keys on security keys, and the kind of the key within. */
const hardwareTypes: ReadonlyMap<string, string> = new Map([
  ['sk-ssh-ed25519@openssh.com', 'ssh-ed25519'],
  ['sk-ecdsa-sha2-nistp256@openssh.com', 'ecdsa-sha2-nistp256'],
]);

/** The kinds of keys that sign and verify, as errors name them. */
export const keyKinds =
  'ssh-ed25519, ssh-rsa, ecdsa-sha2-nistp256, -nistp384 or -nistp521, sk-ssh-ed25519 or sk-ecdsa-sha2-nistp256';

function schemesOf(algorithm: string): Scheme[] {
  const type = hardwareTypes.get(algorithm) ?? algorithm;
  if (type === 'ssh-ed25519') return [{ algorithm, hash: undefined }];
  if (type === 'ssh-rsa')
    return [
      { algorithm: 'rsa-sha2-512', hash: 'sha512' },
      { algorithm: 'rsa-sha2-256', hash: 'sha256' },
    ];
  const curve = curves[curveOf(type) ?? 'nistp256'];
  return [{ algorithm, hash: curve.hash, half: curve.bytes }];
}

function curveOf(type: string): Curve | undefined {
  const name = type.replace(/^ecdsa-sha2-/, '');
  return name !== type && name in curves ? (name as Curve) : undefined;
}

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

/** Reads the public part of a key. Fails (RangeError) where it is cut short. */
function publicJwk(type: string, reader: WireReader): JsonWebKey | undefined {
  if (type === 'ssh-ed25519') return { kty: 'OKP', crv: 'Ed25519', x: base64url(reader.string()) };
  if (type === 'ssh-rsa') {
    const e = base64url(reader.number());
    return { kty: 'RSA', e, n: base64url(reader.number()) };
  }
  const curve = curveOf(type);
  if (curve === undefined || reader.text() !== curve) return undefined;
  const { crv, bytes } = curves[curve];
  const point = reader.string();
  if (point.length !== 1 + 2 * bytes || point[0] !== 4) return undefined;
  const [x, y] = [point.subarray(1, 1 + bytes), point.subarray(1 + bytes)];
  return { kty: 'EC', crv, x: base64url(x), y: base64url(y) };
}

/** A key of node:crypto with its public part; undefined for a kind that is not supported. */
export function privateKeyOf(key: KeyObject): PrivateKey | undefined {
  const { kty, crv, x = '', y = '', n = '', e = '' } = createPublicKey(key).export({ format: 'jwk' });
  const bytes = (text: string) => Buffer.from(text, 'base64url');
  let blob: Buffer | undefined;
  if (kty === 'OKP' && crv === 'Ed25519')
    blob = Buffer.concat([wireString('ssh-ed25519'), wireString(bytes(x))]);
  if (kty === 'RSA')
    blob = Buffer.concat([wireString('ssh-rsa'), wireNumber(bytes(e)), wireNumber(bytes(n))]);
  const [name] = Object.entries(curves).find((curve) => curve[1].crv === crv) ?? [];
  if (kty === 'EC' && name !== undefined) {
    const point = Buffer.concat([Buffer.of(4), bytes(x), bytes(y)]);
    blob = Buffer.concat([wireString(`ecdsa-sha2-${name}`), wireString(name), wireString(point)]);
  }
  const publicKey = blob && publicKeyOf(blob);
  return publicKey && { key, publicKey };
}

const magic = 'openssh-key-v1\0';

/**
 * The public part of an OpenSSH private key, which is readable without its passphrase.
 * @throws RangeError where it is not one
 */
export function openSshPublicPart(bytes: Uint8Array): Buffer {
  const reader = new WireReader(bytes);
  skipHead(reader);
  return reader.string();
}

/** Reads up to the public key. @returns the name of the cipher */
function skipHead(reader: WireReader): string {
  if (reader.bytes(magic.length).toString('latin1') !== magic) throw new RangeError('no OpenSSH key');
  const cipher = reader.text();
  reader.string(); // name of the key derivation
  reader.string(); // its options
  if (reader.uint32() !== 1) throw new RangeError('several keys');
  return cipher;
}

/**
 * Reads what stands between the lines of an OpenSSH private key.
 * @returns `encrypted` for one with a passphrase; `hardware` for one that only its security key can use; undefined for a kind that is not supported
 * @throws RangeError, Error where it is not one
 */
export function openSshPrivateKey(bytes: Uint8Array): PrivateKey | 'encrypted' | 'hardware' | undefined {
  const reader = new WireReader(bytes);
  const cipher = skipHead(reader);
  const type = new WireReader(reader.string()).text();
  if (hardwareTypes.has(type)) return 'hardware';
  if (cipher !== 'none') return 'encrypted';
  const inner = new WireReader(reader.string());
  const [check, again] = [inner.uint32(), inner.uint32()];
  if (check !== again) throw new RangeError('check numbers differ');
  const jwk = privateJwk(inner.text(), inner);
  return jwk && privateKeyOf(createPrivateKey({ key: jwk, format: 'jwk' }));
}

function privateJwk(type: string, reader: WireReader): JsonWebKey | undefined {
  if (type === 'ssh-rsa') return rsaJwk(reader);
  const jwk = publicJwk(type, reader);
  if (jwk === undefined) return undefined;
  if (type === 'ssh-ed25519') return { ...jwk, d: base64url(reader.string().subarray(0, 32)) };
  const number = reader.number();
  const size = curves[curveOf(type) ?? 'nistp256'].bytes;
  return { ...jwk, d: base64url(Buffer.concat([Buffer.alloc(size - number.length), number])) };
}

/** OpenSSH leaves out two of the numbers that a JWK has. */
function rsaJwk(reader: WireReader): JsonWebKey {
  const [n, e, d, qi, p, q] = Array.from({ length: 6 }, () => reader.number()) as [
    Buffer,
    Buffer,
    Buffer,
    Buffer,
    Buffer,
    Buffer,
  ];
  const big = (bytes: Buffer) => BigInt(`0x${bytes.toString('hex')}`);
  const modulo = (prime: Buffer) => {
    const hex = (big(d) % (big(prime) - 1n)).toString(16);
    return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  };
  const numbers = { n, e, d, p, q, dp: modulo(p), dq: modulo(q), qi };
  const members = Object.entries(numbers).map(([name, bytes]) => [name, base64url(bytes)]);
  return { kty: 'RSA', ...Object.fromEntries(members) };
}
