import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeReport } from '../../../src/commands/links/reports.js';

/** A report file is replaced as a whole, or not at all. */

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docs-report-'));
  path = join(folder, 'links.sarif');
  writeFileSync(path, 'old');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the old report stays until the new one is whole', async () => {
  async function* pieces() {
    yield 'one\n';
    yield '';
    yield 'two\n';
    expect(readFileSync(path, 'utf8')).toBe('old');
  }
  await writeReport({}, path, pieces());
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
  expect(readdirSync(folder)).toEqual(['links.sarif']);
});

test('a check that fails leaves the old report and nothing else', async () => {
  async function* pieces() {
    yield 'half';
    throw new Error('The check failed.');
  }
  await expect(writeReport({}, path, pieces())).rejects.toThrow('The check failed.');
  expect(readFileSync(path, 'utf8')).toBe('old');
  expect(readdirSync(folder)).toEqual(['links.sarif']);
});

test('a path that cannot be written is an error before the check begins', async () => {
  let begun = false;
  async function* pieces() {
    begun = true;
    yield 'one';
  }
  const written = writeReport({}, join(folder, 'nowhere', 'links.sarif'), pieces());
  await expect(written).rejects.toMatchObject({ kind: 'local-io' });
  expect(begun).toBe(false);
});
