import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** As a process begins: it hashes the first texts without `node:crypto`. */
async function begun(): Promise<(content: string | Uint8Array) => string> {
  vi.resetModules();
  return (await import('../../src/base/hash.js')).sha256;
}

function expected(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

it('agrees with node:crypto at every length around the blocks, without loading it', async () => {
  for (let from = 0; from <= 200; from += 8) {
    const sha256 = await begun();
    const all = Array.from({ length: 8 }, (_, at) =>
      new Uint8Array(from + at).map((_, byte) => byte * 151 + at),
    );
    const loads = vi.spyOn(process, 'getBuiltinModule');
    const hashes = all.map(sha256);
    expect(loads).not.toHaveBeenCalled();
    loads.mockRestore();
    expect(hashes).toEqual(all.map(expected));
  }
});

it('agrees with node:crypto on texts of all characters, one after the other, however many', async () => {
  const sha256 = await begun();
  const loads = vi.spyOn(process, 'getBuiltinModule');
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.constantFrom('\ud800', 'a\udc00b'));
  fc.assert(fc.property(text, (one) => sha256(one) === expected(one)));
  expect(sha256('x'.repeat(100_000))).toBe(expected('x'.repeat(100_000)));
  expect(loads).toHaveBeenCalledWith('node:crypto');
});

it('hashes a long content first, and short ones after it', async () => {
  const sha256 = await begun();
  for (const length of [2559, 2560, 70_000, 3]) {
    const bytes = new Uint8Array(length).fill(7);
    expect(sha256(bytes)).toBe(expected(bytes));
  }
});

it('needs no WebAssembly', async () => {
  vi.stubGlobal('WebAssembly', undefined);
  const sha256 = await begun();
  expect([sha256('abc'), sha256('')]).toEqual([expected('abc'), expected('')]);
});
