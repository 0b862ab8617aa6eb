// A copy of the checkout in which sources can be broken without harm.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The paths that git tracks or would track, as far as they are there. */
export function trackedFiles(root) {
  const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { stdout } = spawnSync('git', words, { cwd: root, maxBuffer: 1e8 });
  const names = stdout.toString().split('\0');
  return names.filter((name) => name !== '' && existsSync(join(root, name)));
}

/** Copies them, with the packages of this checkout. @returns the folder, which goes with the process */
export function copyCheckout(root, prefix) {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const path of trackedFiles(root)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path));
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}
