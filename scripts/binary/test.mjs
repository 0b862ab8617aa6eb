// Runs the black-box tests against the program without Node, but for what test/exceptions.ts lists.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ownTarget, targets } from './targets.mjs';

const own = ownTarget();
const program = resolve('build', `docs-${own}${targets[own]?.ending ?? ''}`);
if (!existsSync(program)) throw new Error(`${program} is missing; run npm run build:binary.`);
const words = [
  'vitest',
  'run',
  '--project',
  'world',
  '--project',
  'program',
  '--project',
  'docs',
  ...process.argv.slice(2),
];
const env = { ...process.env, DOCS_BIN: program };
const { status } = spawnSync('npx', words, { env, stdio: 'inherit', shell: process.platform === 'win32' });
process.exitCode = status ?? 1;
