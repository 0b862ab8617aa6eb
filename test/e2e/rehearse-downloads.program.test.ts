import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seedId } from '../sandbox/client.js';
import { rehearseHomeOfFile } from './rehearse-home.js';

/** What a command downloads in a rehearsal are the platform's own bytes, and it prints what it prints outside of one. */

const home = rehearseHomeOfFile();
const space = seedId('space welcome');

/** Runs a command for real, then in a rehearsal. @returns what both wrote at a path */
async function both(words: readonly string[], path: string): Promise<[Buffer, Buffer]> {
  const at = join(home.path, path);
  const real = await home.run(words);
  expect(real).toMatchObject({ code: 0 });
  const wanted = readFileSync(at);
  rmSync(at);
  const tried = await home.run(['rehearse', '--quiet', '--', ...words]);
  expect(tried).toEqual(real);
  return [wanted, readFileSync(at)];
}

test('files', async () => {
  const [file] = await home.json<{ id: string }[]>(['content', 'files', 'list', '--space', space]);
  const words = ['content', 'files', 'get', file?.id ?? '', '--space', space, '--download', 'file.bin'];
  const [wanted, got] = await both(words, 'file.bin');
  expect(wanted.length).toBeGreaterThan(0);
  expect(got.equals(wanted)).toBe(true);
  const list = ['content', 'files', 'list', '--space', space, '--json'];
  expect(await home.run(['rehearse', '--quiet', '--', ...list])).toEqual(await home.run(list));
});

test('a PDF', async () => {
  const [request] = await home.json<{ id: string }[]>(['change-requests', 'list', '--space', space]);
  const words = ['change-requests', 'pdf', request?.id ?? '', '--space', space, '--download', 'space.pdf'];
  const [wanted, got] = await both(words, 'space.pdf');
  expect(wanted.subarray(0, 5).toString()).toBe('%PDF-');
  expect(got.length).toBe(wanted.length);
});

test('links', async () => {
  const words = ['links', 'check', '--json'];
  const real = await home.run(words);
  const tried = await home.run(['rehearse', '--quiet', '--', ...words]);
  expect({ code: tried.code, stdout: tried.stdout }).toEqual({ code: real.code, stdout: real.stdout });
});
