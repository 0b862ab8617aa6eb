import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { LittleHash, sha256 } from '../../src/base/hash.js';

afterEach(() => {
  vi.unstubAllGlobals();
});

function expected(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

it('hashes as node:crypto does at every length around the blocks', () => {
  for (let from = 0; from <= 200; from += 8) {
    const little = new LittleHash();
    for (let length = from; length < from + 8; length += 1) {
      const bytes = new Uint8Array(length).map((_, at) => at * 151 + length);
      expect(little.of(bytes), `${length} bytes`).toBe(expected(bytes));
    }
  }
});

it('hashes text of all characters as node:crypto does', () => {
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.constantFrom('\ud800', 'a\udc00b'));
  fc.assert(fc.property(text, (one) => new LittleHash().of(one) === expected(one)));
});

it('leaves to node:crypto what is too much', () => {
  const little = new LittleHash();
  expect([little.of('x'.repeat(2560)), little.of(new Uint8Array(70_000))]).toEqual([undefined, undefined]);
  expect(little.of('x'.repeat(2540))).toBe(expected('x'.repeat(2540)));
  expect(little.of('x')).toBeUndefined();
  for (const length of [2559, 2560, 70_000, 3])
    expect(sha256('y'.repeat(length))).toBe(expected('y'.repeat(length)));
});

it('needs no WebAssembly', () => {
  vi.stubGlobal('WebAssembly', undefined);
  expect(new LittleHash().of('abc')).toBeUndefined();
});
