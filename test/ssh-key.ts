import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';

/** A key as ssh-keygen writes it, the same in every run. */
export interface SshKey {
  /** With the lines around it, as in `~/.ssh/id_ed25519`. */
  private: string;
  /** `ssh-ed25519 AAAA… <name>`, and a line end. */
  public: string;
}

/** A number and a string as SSH has them (RFC 4251, section 5). */
function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function wireString(value: string | Buffer): Buffer {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value;
  return Buffer.concat([uint32(bytes.length), bytes]);
}

/** Makes the key of a name. Ed25519 signs without chance, so that what it signs is the same in every run, too. */
export function sshKey(name: string): SshKey {
  const secret = createHash('sha256').update(`test key of ${name}`).digest();
  // PKCS #8 of an Ed25519 key (RFC 8410) is these bytes, and the secret.
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), secret]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  const point = Buffer.from(x, 'base64url');
  const blob = Buffer.concat([wireString('ssh-ed25519'), wireString(point)]);
  const check = uint32(secret.readUInt32BE());
  const inner = [check, check, blob, wireString(Buffer.concat([secret, point])), wireString(name)];
  const length = Buffer.concat(inner).length;
  const padding = Buffer.from(Array.from({ length: (8 - (length % 8)) % 8 }, (_, at) => at + 1));
  const bytes = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    ...['none', 'none', ''].map(wireString),
    uint32(1),
    wireString(blob),
    wireString(Buffer.concat([...inner, padding])),
  ]);
  const lines = bytes.toString('base64').match(/.{1,70}/g) ?? [];
  const around = (word: string) => `-----${word} OPENSSH PRIVATE KEY-----`;
  return {
    private: [around('BEGIN'), ...lines, around('END'), ''].join('\n'),
    public: `ssh-ed25519 ${blob.toString('base64')} ${name}\n`,
  };
}
