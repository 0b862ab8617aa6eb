// Packages of the registry, without their install scripts and without a node_modules folder of ours.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Where packages stay from one build to the next. */
const cache = 'build/packages';

/**
 * The folder of a package, at the version and with the integrity that a lock file names.
 * @param lockFile such as `package-lock.json`
 */
export function packageOf(name, lockFile) {
  const { version, integrity } = JSON.parse(readFileSync(lockFile, 'utf8')).packages[`node_modules/${name}`];
  const folder = join(cache, `${name.replace('/', '-')}-${version}`);
  if (!existsSync(folder)) take(name, version, integrity, folder);
  return join(folder, 'package');
}

/** Moved into place once it is whole: what stands there was checked. */
function take(name, version, integrity, folder) {
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(cache, 'taken-'));
  try {
    const words = ['pack', `${name}@${version}`, '--ignore-scripts', '--json', '--pack-destination', work];
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] };
    const [{ filename }] = JSON.parse(
      execFileSync(npm, words, { ...options, shell: process.platform === 'win32' }),
    );
    const archive = join(work, filename.replace('@', '').replace('/', '-'));
    const found = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
    if (found !== integrity)
      throw new Error(`${name}@${version} is ${found}, and the lock says ${integrity}.`);
    execFileSync('tar', ['-xzf', archive, '-C', work]);
    rmSync(archive);
    renameSync(work, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
