import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ReportFile } from '../../../src/workflows/link-check/report-file.js';

/** A report is there as a whole, or the old one is. */

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docs-report-'));
  path = join(folder, 'links.sarif');
  writeFileSync(path, 'old');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the old report stays until the new one is whole', async () => {
  const file = new ReportFile(path);
  await file.write('one\n');
  await file.write('two\n');
  expect(readFileSync(path, 'utf8')).toBe('old');
  await file.close();
  await file.abandon();
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
  expect(readdirSync(folder)).toEqual(['links.sarif']);
});

test('a report that is given up leaves the old one and nothing else', async () => {
  const file = new ReportFile(path);
  await file.write('half');
  await file.abandon();
  expect(readFileSync(path, 'utf8')).toBe('old');
  expect(readdirSync(folder)).toEqual(['links.sarif']);
});

test('where it cannot be written, the next piece says so', async () => {
  const file = new ReportFile(join(folder, 'nowhere', 'links.sarif'));
  await expect(file.write('one')).rejects.toMatchObject({ kind: 'local-io' });
  await file.abandon();
});
