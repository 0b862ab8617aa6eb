import { expect, it, vi } from 'vitest';

/** What the declarations are made with gives what TypeBox gives, of which their types are. */

async function schemas(): Promise<Record<string, string>> {
  const { operations } = await import('../../src/api/resources/index.js');
  const { commandTree } = await import('../../src/cli/declare/outline.js');
  const { groups } = await import('../../src/commands/index.js');
  const commands = (await commandTree(groups)).map(({ path, command: { returns, options } }) => [
    path,
    JSON.stringify([returns, options.map(({ schema }) => schema)]),
  ]);
  return Object.fromEntries([...operations.map((op) => [op.id, JSON.stringify(op)]), ...commands]);
}

it('every schema is that of TypeBox, byte for byte', async () => {
  const ours = await schemas();
  vi.resetModules();
  vi.doMock('../../src/api/type.js', async () => ({ Type: await import('@sinclair/typebox') }));
  const theirs = await schemas();
  expect(ours).toEqual(theirs);
  expect(Object.keys(ours).length).toBeGreaterThan(250);
});
