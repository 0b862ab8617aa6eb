import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:net';
import { fingerprintOf, uint32, WireReader, wireNumber, wireString } from '../../../src/signing/keys.js';
import { type Namespace, namespaces } from '../../../src/signing/ssh-signature.js';
import type { Person } from './world.js';

/** Security keys without hardware, as OpenSSH PROTOCOL.u2f and PROTOCOL.sshsig describe what they sign. */

export type Kind = 'ed25519' | 'ecdsa';

interface Touch {
  /** 1: somebody touched it; 4: somebody typed its PIN. */
  flags?: number;
  counter?: number;
  /** What it signs for, where that is not what its public part says. */
  application?: string;
}

export interface SecurityKey extends Person {
  blob: Buffer;
  /** A signature as an SSH agent gives it. */
  raw(data: Uint8Array, touch?: Touch): Buffer;
  sign(message: Uint8Array, namespace?: Namespace, touch?: Touch): string;
}

export function securityKey(email: string, kind: Kind = 'ed25519'): SecurityKey {
  const { type, blob, signed } = kind === 'ed25519' ? ed25519() : ecdsa();
  const raw = (data: Uint8Array, { flags = 1, counter = 7, application = 'ssh:' }: Touch = {}) => {
    const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest();
    const tail = Buffer.concat([Buffer.of(flags), uint32(counter)]);
    const bytes = signed(Buffer.concat([sha256(application), tail, sha256(data)]));
    return Buffer.concat([wireString(type), wireString(bytes), tail]);
  };
  return {
    email,
    key: `${type} ${blob.toString('base64')} ${email}`,
    pem: '',
    fingerprint: fingerprintOf(blob),
    blob,
    raw,
    sign(message, namespace = namespaces.approval, touch = {}) {
      const digest = createHash('sha512').update(message).digest();
      const data = [namespace, '', 'sha512', digest].map(wireString);
      const signature = raw(Buffer.concat([Buffer.from('SSHSIG'), ...data]), touch);
      const parts = [blob, namespace, '', 'sha512', signature].map(wireString);
      const bytes = Buffer.concat([Buffer.from('SSHSIG'), uint32(1), ...parts]);
      const lines = bytes.toString('base64').replaceAll(/.{70}/g, '$&\n');
      return `-----BEGIN SSH SIGNATURE-----\n${lines}\n-----END SSH SIGNATURE-----\n`;
    },
  };
}

function ed25519() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const type = 'sk-ssh-ed25519@openssh.com';
  const blob = Buffer.concat([type, Buffer.from(x, 'base64url'), 'ssh:'].map(wireString));
  return { type, blob, signed: (data: Buffer) => sign(undefined, data, privateKey) };
}

function ecdsa() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const type = 'sk-ecdsa-sha2-nistp256@openssh.com';
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  const blob = Buffer.concat([type, 'nistp256', point, 'ssh:'].map(wireString));
  const signed = (data: Buffer) => {
    const both = sign('sha256', data, { key: privateKey, dsaEncoding: 'ieee-p1363' });
    return Buffer.concat([wireNumber(both.subarray(0, 32)), wireNumber(both.subarray(32))]);
  };
  return { type, blob, signed };
}

/** Messages of the protocol of SSH agents. */
const [wantsKeys, keys, wantsSignature, signature, failure] = [11, 12, 13, 14, 5];

/** An SSH agent that holds one security key. @param path of its socket */
export async function startAgent(path: string, key: SecurityKey): Promise<{ close(): Promise<void> }> {
  const answered = (request: Buffer): Buffer => {
    const reader = new WireReader(request);
    const asked = reader.byte();
    if (asked === wantsKeys)
      return Buffer.concat([Buffer.of(keys), uint32(1), wireString(key.blob), wireString('a key')]);
    if (asked !== wantsSignature || !reader.string().equals(key.blob)) return Buffer.of(failure);
    return Buffer.concat([Buffer.of(signature), wireString(key.raw(reader.string()))]);
  };
  const server = createServer((socket) => {
    let read = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.on('data', (piece: Buffer) => {
      read = Buffer.concat([read, piece]);
      while (read.length >= 4 && read.length >= 4 + read.readUInt32BE()) {
        const end = 4 + read.readUInt32BE();
        socket.write(wireString(answered(read.subarray(4, end))));
        read = read.subarray(end);
      }
    });
  });
  await new Promise<void>((ready) => server.listen(path, ready));
  return { close: () => new Promise((closed) => server.close(() => closed())) };
}
