import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    layer: 'world' | 'program';
    /** Path of the program built for this run. */
    program: string;
    /** Path of the folder for the compiled code that homes of this run hand on. */
    compiled: string;
  }
}

/**
 * Builds the program once before any end-to-end test, into a folder of this run alone: no test sees an old
 * build, and two runs at once do not disturb each other.
 */
export default function setup(project: TestProject): () => void {
  const folder = resolve('node_modules', '.cache', `docs-test-${process.pid}`);
  // Two projects of one run share it. Another program needs no build.
  if (!existsSync(folder) && !process.env.DOCS_BIN) {
    execFileSync(process.execPath, ['scripts/build.mjs', join(folder, 'dist')], { stdio: 'inherit' });
    cpSync('docs/guide', join(folder, 'docs/guide'), { recursive: true });
  }
  project.provide('program', join(folder, 'bin', 'docs.js'));
  const compiled = mkdtempSync(join(tmpdir(), 'docs-test-code-'));
  project.provide('compiled', compiled);
  return () => {
    for (const path of [folder, compiled]) rmSync(path, { recursive: true, force: true });
  };
}
