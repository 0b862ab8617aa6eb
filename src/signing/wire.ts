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
