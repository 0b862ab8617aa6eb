import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, inject, it } from 'vitest';
import { notice } from '../../scripts/notice.mjs';

it('names every package in the build, with its licence (npm run notice)', async () => {
  const written = await readFile('NOTICE', 'utf8');
  expect(written).toBe(await notice(resolve(inject('program'), '..', '..', 'dist')));
  expect(written).toMatch(/^commander \S+ \(MIT\), in the program$/m);
  // What npm installs beside the build is in the program without Node, and so is Bun.
  expect(written).toMatch(/^jq-wasm \S+ \(\S+\), in the program without Node$/m);
  expect(written).toMatch(/^@napi-rs\/keyring \S+ \(MIT\), in the program without Node$/m);
  expect(written).toMatch(/^Bun, in the program without Node$/m);
});
