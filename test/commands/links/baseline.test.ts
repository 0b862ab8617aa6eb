import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { knownOf, readBaseline, writeBaseline } from '../../../src/commands/links/link-check.js';
import { finding } from './a-check.js';

/** What a run may take out of the baseline, and what it has to leave in. */

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docs-baseline-'));
  path = join(folder, 'links.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const known = (fingerprint: string, more: Parameters<typeof finding>[0] = {}) =>
  knownOf(finding({ fingerprint, ...more }));
const mapOf = (...all: ReturnType<typeof known>[]) => new Map(all.map((one) => [one.fingerprint, one]));
const broken = { statuses: ['broken'] as const, covers: () => true };

test('a finding a line, by space and page, whatever the order of finding', async () => {
  const found = mapOf(known('b', { space: { id: 's2' } }), known('a'));
  expect(await writeBaseline({}, path, new Map(), found, broken)).toBe(2);
  expect(readFileSync(path, 'utf8')).toBe(`{
  "format": "docs-links-baseline/1",
  "findings": [
    {"fingerprint":"a","status":"broken","space":"s1","page":"p1","link":"../gone.md"},
    {"fingerprint":"b","status":"broken","space":"s2","page":"p1","link":"../gone.md"}
  ]
}
`);
  expect(await readBaseline(path, false)).toEqual(found);
});

test('what is mended goes; spaces and states that were not looked at stay', async () => {
  const old = mapOf(
    known('mended'),
    known('elsewhere', { space: { id: 's2' } }),
    known('in-app', { status: 'in-app' }),
  );
  await writeBaseline({}, path, old, mapOf(known('new')), { ...broken, covers: (space) => space === 's1' });
  expect([...(await readBaseline(path, false)).keys()].sort()).toEqual(['elsewhere', 'in-app', 'new']);
});

test('a file that is not there is empty only where it is to be written', async () => {
  expect(await readBaseline(path, true)).toEqual(new Map());
  await expect(readBaseline(path, false)).rejects.toMatchObject({ kind: 'local-io', code: 'no_such_file' });
});

test.each([
  ['not JSON', '{'],
  ['another format', '{"format":"x","findings":[]}'],
  ['a finding without a fingerprint', '{"format":"docs-links-baseline/1","findings":[{"link":"x"}]}'],
])('%s is refused', async (_, text) => {
  writeFileSync(path, text);
  await expect(readBaseline(path, true)).rejects.toMatchObject({ kind: 'usage', code: 'bad_baseline' });
});
