import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';

/** A budget of a time between processes; the rest of budgets is in budget.test.ts. */

it('holds across processes that reserve at once', async () => {
  const home = fs.mkdtempSync(join(tmpdir(), 'docs-budget-'));
  onTestFinished(() => fs.rmSync(home, { recursive: true, force: true }));
  const program = join(home, 'child.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'budget-child.ts')],
    outfile: program,
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
    banner: { js: "import{createRequire as __r}from'node:module';const require=__r(import.meta.url);" },
  });
  const run = promisify(execFile);
  const all = await Promise.all(Array.from({ length: 4 }, () => run('node', [program, home, '10', '25'])));
  const got = all.map(({ stdout }) => Number(stdout));
  expect(got.reduce((sum, one) => sum + one, 0)).toBe(25);
});
