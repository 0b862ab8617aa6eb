// The systems that programs without Node are made for, and how their files begin.
import { closeSync, openSync, readSync } from 'node:fs';

/**
 * `bun` and `keyring` are packages, `executable` a file of the first, `begins` what the bytes of a result must be: the
 * format, and further on the machine; `note` is what is still to be done.
 */
export const targets = {
  'linux-x64': {
    bun: '@oven/bun-linux-x64',
    keyring: '@napi-rs/keyring-linux-x64-gnu',
    isFormat: (bytes) => bytes.startsWith('7f454c46') && bytes.slice(36, 40) === '3e00',
  },
  'linux-arm64': {
    bun: '@oven/bun-linux-aarch64',
    keyring: '@napi-rs/keyring-linux-arm64-gnu',
    isFormat: (bytes) => bytes.startsWith('7f454c46') && bytes.slice(36, 40) === 'b700',
  },
  'darwin-x64': {
    bun: '@oven/bun-darwin-x64',
    keyring: '@napi-rs/keyring-darwin-x64',
    isFormat: (bytes) => bytes.startsWith('cffaedfe07000001'),
    note: 'It has the signature of Bun, which no longer fits; sign it on a Mac: codesign --force -s -',
  },
  'darwin-arm64': {
    bun: '@oven/bun-darwin-aarch64',
    keyring: '@napi-rs/keyring-darwin-arm64',
    isFormat: (bytes) => bytes.startsWith('cffaedfe0c000001'),
  },
  'windows-x64': {
    bun: '@oven/bun-windows-x64',
    keyring: '@napi-rs/keyring-win32-x64-msvc',
    ending: '.exe',
    isFormat: isWindowsX64,
  },
};

/** The target of this machine; undefined where there is none. */
export function ownTarget() {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `${system}-${process.arch}`;
  return name in targets ? name : undefined;
}

/** Whether a file is a program for a target, by its header. */
export function isProgramFor(target, file) {
  const head = Buffer.alloc(4096);
  const fd = openSync(file, 'r');
  readSync(fd, head, 0, head.length, 0);
  closeSync(fd);
  return targets[target].isFormat(head.toString('hex'));
}

/** The header of the format proper is where the 4 bytes at 60 say; the machine is behind its name. */
function isWindowsX64(bytes) {
  const head = Buffer.from(bytes, 'hex');
  const at = head.readUInt32LE(60);
  return bytes.startsWith('4d5a') && bytes.slice(2 * at, 2 * at + 12) === '504500006486';
}
