import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeSums } from '../../scripts/release/sums.mjs';

/** A release as far as its installer goes: a program that says what it is, a tarball with a man page, and their sums. */

export interface Place {
  /** A folder for one test, with the folder of the release in it. */
  root: string;
  release: string;
  remove(): void;
}

export const tarball = 'docs-cli-docs-0.1.0.tgz';
/** What `uname` is made to say, so that the tests are the same on every machine. */
export const linux = { system: 'Linux', machine: 'x86_64' };

/** @param programs the programs without Node that the release has */
export async function sampleRelease(programs: readonly string[] = ['docs-linux-x64']): Promise<Place> {
  const root = mkdtempSync(join(tmpdir(), 'docs-release-'));
  const release = join(root, 'release');
  const pages = join(root, 'package/docs/man');
  for (const folder of [release, pages]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(pages, 'docs.1'), '.TH DOCS 1\n');
  execFileSync('tar', ['-czf', join(release, tarball), '-C', root, 'package']);
  for (const name of programs) writeFileSync(join(release, name), `#!/bin/sh\necho "${name} $*"\n`);
  writeFileSync(join(release, 'install.sh'), readFileSync('packaging/install.sh'));
  await writeSums(release);
  return { root, release, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** Puts a program into a folder that stands first on PATH. @returns the folder */
export function standIn(root: string, name: string, script: string): string {
  const folder = join(root, 'stand-ins');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return folder;
}

/** Changes one bit of the byte in the middle of a file. */
export function changeByte(path: string): void {
  const bytes = readFileSync(path);
  const at = Math.floor(bytes.length / 2);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}
