import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** The man pages of the project as a reader of them shows them. That they are up to date is in generated.test.ts. */

const hasGroff = spawnSync('groff', ['--version']).status === 0;
const page = (name: string) => join('docs/man', name);

it.skipIf(!hasGroff)('are read by groff without a warning', () => {
  const pages = readdirSync('docs/man').map(page);
  const { stderr } = spawnSync('groff', ['-man', '-Tutf8', '-ww', '-z', ...pages], { encoding: 'utf8' });
  expect(stderr).toBe('');
});

it.skipIf(!hasGroff)('show flags, quotes and letters beyond ASCII as they are typed', () => {
  const shown = (name: string): string =>
    execFileSync('groff', ['-man', '-Tutf8', '-P-cbou', '-rLL=200n', page(`${name}.1`)], {
      encoding: 'utf8',
    });
  expect(shown('docs-spaces')).toContain(`'topics:=["api","billing"]'`);
  expect(shown('docs-spaces')).toContain(
    'docs spaces update FVBgvClY2GOXVTOA3nXE --title Handbook --emoji 📘',
  );
  expect(shown('docs')).toMatch(/DOCS_TOKEN +Token; sent only to DOCS_BASE_URL/);
});
