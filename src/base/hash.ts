import { isBinary } from './own-program.js';

/** `node:crypto`, loaded by its first use: it takes a twentieth of a short run, and most need none of it. */
export function nodeCrypto(): typeof import('node:crypto') {
  return process.getBuiltinModule('node:crypto');
}

/** What sha256.wat exports. */
interface Hashing {
  memory: { buffer: ArrayBuffer };
  hash: (end: number) => void;
}

/** The types of Node lack it. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: Hashing };
};

/** sha256.wat as `npx -p wabt@1.0.39 wat2wasm` compiles it. */
const compiled =
  'AGFzbQEAAAABEgRgAX8Bf2ACf38AYAF/AGAAAAMGBQABAgMCBQQBAQEBBxECBm1lbW9yeQIABGhhc2gABArlAwUZACAAQQh3Qf+B/AdxIABBCHhBgP6DeHFyCw8AIAAgACgCACABajYCAAt7AQN/A0AgASAAIAFqKAIAEAA2AsACIAFBBGoiAUHAAEkNAAsDQCABKAKEAiECIAEoArgCIQMgASABKAKAAiABKAKkAmogAkEHeCACQRJ4cyACQQN2cyADQRF4IANBE3hzIANBCnZzamo2AsACIAFBBGoiAUGAAkkNAAsL8wEBCn9BACgCACECQQAoAgQhA0EAKAIIIQRBACgCDCEFQQAoAhAhBkEAKAIUIQdBACgCGCEIQQAoAhwhCQNAIAkgBkEGeCAGQQt4cyAGQRl4c2ogCCAGIAcgCHNxc2ogACgCQCAAKALAAmpqIQEgCCEJIAchCCAGIQcgBSABaiEGIAEgAkECeCACQQ14cyACQRZ4cyACIANxIAQgAiADcnFyamohASAEIQUgAyEEIAIhAyABIQIgAEEEaiIAQYACSQ0AC0EAIAIQAUEEIAMQAUEIIAQQAUEMIAUQAUEQIAYQAUEUIAcQAUEYIAgQAUEcIAkQAQtIAQF/QQBBIEEg/AoAAEHABCEBA0AgARACEAMgAUHAAGoiASAASQ0AC0EAIQEDQCABIAEoAgAQADYCACABQQRqIgFBIEkNAAsLC6cCAQBBIAugAmfmCWqFrme7cvNuPDr1T6V/Ug5RjGgFm6vZgx8ZzeBbmC+KQpFEN3HP+8C1pdu16VvCVjnxEfFZpII/ktVeHKuYqgfYAVuDEr6FMSTDfQxVdF2+cv6x3oCnBtybdPGbwcFpm+SGR77vxp3BD8yhDCRvLOktqoR0StypsFzaiPl2UlE+mG3GMajIJwOwx39Zv/ML4MZHkafVUWPKBmcpKRSFCrcnOCEbLvxtLE0TDThTVHMKZbsKanYuycKBhSxykqHov6JLZhqocItLwqNRbMcZ6JLRJAaZ1oU1DvRwoGoQFsGkGQhsNx5Md0gntbywNLMMHDlKqthOT8qcW/NvLmjugo90b2OleBR4yIQIAseM+v++kOtsUKT3o/m+8nhxxg==';
/** Where the message begins in its memory. */
const start = 576;

/** What one process hashes by it, in bytes. From 2,900 on, V8 compiles it once more, which takes as long as `node:crypto`. */
const most = isBinary ? 0 : 2560;

/**
 * SHA-256 by WebAssembly, for as much as a single change hashes: it takes a third of the time that `node:crypto` takes to
 * load (docs/decisions/071).
 */
export class LittleHash {
  #left = most;
  #hashing: (Pick<Hashing, 'hash'> & { bytes: Buffer }) | undefined;

  /** @returns in hexadecimal; undefined where it is too much, or WebAssembly is not there */
  of(content: string | Uint8Array): string | undefined {
    if (content.length >= this.#left) return undefined;
    this.#hashing ??= begun();
    if (this.#hashing === undefined) {
      this.#left = 0;
      return undefined;
    }
    const { bytes, hash } = this.#hashing;
    const length = typeof content === 'string' ? bytes.write(content, start) : content.length;
    if (typeof content !== 'string') bytes.set(content, start);
    // A one, zeros, and the length in bits fill the last block of 64 bytes.
    const end = start + ((length + 72) & ~63);
    bytes.fill(0, start + length, end);
    bytes[start + length] = 0x80;
    bytes.writeUInt32BE(length * 8, end - 4);
    hash(end);
    this.#left -= end - start;
    return bytes.toString('hex', 0, 32);
  }
}

function begun() {
  try {
    const module = new WebAssembly.Module(Buffer.from(compiled, 'base64'));
    const { memory, hash } = new WebAssembly.Instance(module).exports;
    return { bytes: Buffer.from(memory.buffer), hash };
  } catch {
    // `node --jitless`, or too little address space (`ulimit -v`).
    return undefined;
  }
}

const little = new LittleHash();

/** The SHA-256 of content, text as UTF-8, in hexadecimal. */
export function sha256(content: string | Uint8Array): string {
  return little.of(content) ?? nodeCrypto().createHash('sha256').update(content).digest('hex');
}
