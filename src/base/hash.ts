import { isBinary } from './own-program.js';

/** `node:crypto`, loaded by its first use: it takes a twentieth of a short run, and most need none of it. */
export function nodeCrypto(): typeof import('node:crypto') {
  return process.getBuiltinModule('node:crypto');
}

/** The SHA-256 of content, text as UTF-8, in hexadecimal. */
export function sha256(content: string | Uint8Array): string {
  return sha256OfLittle(content) ?? nodeCrypto().createHash('sha256').update(content).digest('hex');
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

/**
 * How many bytes of blocks it still hashes. At about 2,900, V8 compiles it once more on another thread, which takes
 * longer than to load `node:crypto`.
 */
let left = isBinary ? 0 : 2560;
let memory: Buffer | undefined;
let hashing: Hashing | undefined;

/**
 * By WebAssembly, which takes a third of the time of `node:crypto` to load: a single change hashes 30 blocks
 * (docs/decisions/071).
 * @returns undefined where there is more to hash, or no WebAssembly
 */
function sha256OfLittle(content: string | Uint8Array): string | undefined {
  if (content.length >= left) return undefined;
  try {
    hashing ??= new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(compiled, 'base64'))).exports;
  } catch {
    // `node --jitless`, or too little address space (`ulimit -v`).
    left = 0;
    return undefined;
  }
  memory ??= Buffer.from(hashing.memory.buffer);
  const length = typeof content === 'string' ? memory.write(content, start) : content.length;
  if (typeof content !== 'string') memory.set(content, start);
  // A one, zeros, and the length in bits fill the last block of 64 bytes.
  const end = start + ((length + 72) & ~63);
  memory.fill(0, start + length, end);
  memory[start + length] = 0x80;
  memory.writeUInt32BE(length * 8, end - 4);
  hashing.hash(end);
  left -= end - start;
  return memory.toString('hex', 0, 32);
}
