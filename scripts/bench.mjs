// Builds the program and the benchmarks of test/bench into a folder of their own, and runs them.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const folder = resolve('node_modules', '.cache', 'bench');
const code = join(folder, 'code');
rmSync(folder, { recursive: true, force: true });
execFileSync(process.execPath, ['scripts/build.mjs', join(folder, 'program', 'dist')], { stdio: 'inherit' });

// What runs in the pages of reports is read from beside the program that writes them.
mkdirSync(code, { recursive: true });
cpSync(join(folder, 'program', 'dist', 'report-client.json'), join(code, 'report-client.json'));
cpSync('test/bench/watch.py', join(code, 'watch.py'));

// Each bare script and each server is a process of its own, and so a file of its own.
const separate = ['bare', 'servers'].flatMap((name) =>
  readdirSync(join('test/bench', name)).map((file) => join('test/bench', name, file)),
);
await build({
  entryPoints: ['test/bench/run.ts', 'test/bench/peak-memory.ts', ...separate],
  outbase: 'test/bench',
  outdir: code,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  logLevel: 'warning',
});

const { runBenchmarks } = await import(pathToFileURL(join(code, 'run.mjs')).href);
await runBenchmarks(process.argv.slice(2), { code, program: join(folder, 'program', 'bin', 'docs.js') });
