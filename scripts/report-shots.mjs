// Makes the sample reports of the tests and takes pictures of them, into a folder:
// node scripts/report-shots.mjs <folder> [<name of a sample> …]
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { reportClient } from './report-client.mjs';

const [target, ...names] = process.argv.slice(2);
if (target === undefined) throw new Error('Which folder? node scripts/report-shots.mjs <folder>');
const folder = resolve('node_modules', '.cache', 'report-shots');
mkdirSync(folder, { recursive: true });
await build({
  entryPoints: ['test/reports/shots.ts'],
  outdir: folder,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  logLevel: 'warning',
});
writeFileSync(join(folder, 'report-client.json'), JSON.stringify(await reportClient()));
const { takeShots } = await import(pathToFileURL(join(folder, 'shots.mjs')).href);
await takeShots(target, names);
