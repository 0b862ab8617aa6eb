// Installs the tarball of a release on each version of Node that docs runs on, and by npm 12:
// `npm run release:matrix [-- <folder>]`. Takes versions of Node and npm from the registry, as nodes.json pins them.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { checkTarball } from './checks.mjs';

const folder = resolve(process.argv[2] ?? 'build/release');
const pinned = JSON.parse(readFileSync(new URL('nodes.json', import.meta.url), 'utf8'));
if (process.platform !== 'linux' || process.arch !== 'x64')
  throw new Error('The pinned versions of Node are for Linux on x64.');

const names = Object.keys(pinned);
const nodes = names.filter((name) => name.startsWith('node-'));
const npm = names.find((name) => name.startsWith('npm@'));
for (const name of nodes) trial(name);
// npm 12 needs Node 22.22 or newer.
for (const name of nodes.filter((node) => !node.includes('@20.'))) trial(name, npm);

/** Installs and tries the tarball with one Node, by the npm of this machine or by the one given. */
function trial(name, other) {
  const node = join(packageOf(name), 'bin');
  const own = execFileSync('sh', ['-c', 'readlink -f "$(command -v npm)"'], { encoding: 'utf8' }).trim();
  const cli = other === undefined ? own : join(packageOf(other), 'bin/npm-cli.js');
  const work = mkdtempSync(join(tmpdir(), 'docs-matrix-'));
  try {
    console.log(`ok ${name}: ${checkTarball(folder, work, node, [join(node, 'node'), cli])}`);
  } catch (cause) {
    console.error(`error: ${name}${other === undefined ? '' : `, ${other}`}: ${cause.message}`);
    process.exitCode = 1;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The folder of a package that nodes.json pins; none of its scripts is run. */
function packageOf(name) {
  const place = resolve('build/nodes', name);
  if (!existsSync(place)) take(name, place);
  return join(place, 'package');
}

/** Moved into place once it is whole. */
function take(name, place) {
  mkdirSync('build/nodes', { recursive: true });
  const work = mkdtempSync('build/nodes/taken-');
  try {
    const words = ['pack', name, '--ignore-scripts', '--json', '--pack-destination', work];
    const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] };
    const [{ filename }] = JSON.parse(execFileSync('npm', words, options));
    const sum = createHash('sha512')
      .update(readFileSync(join(work, filename)))
      .digest('base64');
    if (`sha512-${sum}` !== pinned[name]) throw new Error(`${name} is not what nodes.json pins.`);
    execFileSync('tar', ['-xzf', join(work, filename), '-C', work]);
    rmSync(join(work, filename));
    renameSync(work, place);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
