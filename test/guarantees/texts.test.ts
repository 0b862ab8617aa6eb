import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Guarantee {
  name: string;
  file: string;
  keeps: string;
  tests: string[];
}

const layers = ['.test.ts', '.world.test.ts', '.program.test.ts', '.docs.test.ts'];
const tables = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.mjs'));

test.each(tables)('the promises of %s name a text of the source, and tests', async (name) => {
  const { guarantees } = (await import(new URL(name, import.meta.url).href)) as { guarantees: Guarantee[] };
  const lost = guarantees.filter(({ file, keeps, tests }) => {
    const stands = existsSync(file) && readFileSync(file, 'utf8').split(keeps).length === 2;
    return !stands || tests.some((path) => !layers.some((layer) => existsSync(path + layer)));
  });
  expect(lost.map(({ name: promise }) => promise)).toEqual([]);
});
