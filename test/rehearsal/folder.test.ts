import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeFolder, removeFolder } from '../../src/rehearsal/janitor.js';

/** No process has the last number there can be. */
const dead = 2 ** 22 - 1;
let temporary: string;

beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'docs-folders-'));
  vi.stubEnv('TMPDIR', temporary);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(temporary, { recursive: true, force: true });
});

test('a folder of a process that was killed goes with the next, even where it was killed at once', () => {
  const own = makeFolder();
  const left = basename(own).replace(`-${process.pid}.`, `-${dead}.`);
  mkdirSync(join(temporary, left));
  const next = makeFolder();
  expect(readdirSync(temporary).sort()).toEqual([basename(own), basename(next)].sort());
});

test('what another machine works in, and what no rehearsal made, stays', () => {
  const own = makeFolder();
  const elsewhere = `docs-rehearsal-${dead}.1.another-host.abcdef`;
  mkdirSync(join(temporary, elsewhere));
  mkdirSync(join(temporary, 'docs-rehearsal-notes'));
  writeFileSync(join(temporary, `docs-rehearsal-${dead}.1.file.abcdef`), '');
  removeFolder(own);
  makeFolder();
  expect(readdirSync(temporary)).toHaveLength(4);
  expect(readdirSync(temporary)).toContain(elsewhere);
});
