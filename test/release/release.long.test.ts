import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { isInstalled } from '../e2e/shell.js';
import { changeByte } from './sample-release.js';

/**
 * A release of the build that is tested, with a program that stands in for the one without Node. What asks the
 * registry, the installation of the tarball, is left out: `npm run release:verify` does it.
 */

const made = [
  'Containerfile',
  'SHA256SUMS',
  'docs-0.1.0.cdx.json',
  'docs-cli-docs-0.1.0.tgz',
  'docs-cli_0.1.0_amd64.deb',
];
const names = [...made, 'docs-linux-x64', 'install.sh', 'setup-docs.yml'];
const onLoopback = ['sbom', 'image', 'programs', 'deb', 'installer'].flatMap((name) => ['--only', name]);
const canMake = process.platform === 'linux' && process.arch === 'x64' && isInstalled('dpkg-deb');

let root: string;
let release: string;
const node = (words: readonly string[]) =>
  spawnSync(process.execPath, words, {
    encoding: 'utf8',
    env: { ...process.env, SOURCE_DATE_EPOCH: '1700000000' },
  });
const verify = (folder: string, words: readonly string[]) =>
  node(['scripts/release/verify.mjs', folder, ...words]);

/** The tarball of the build, with the pages that are packed beside it. */
function pack(): string {
  const folder = join(root, 'package');
  const built = dirname(dirname(inject('program')));
  for (const name of ['bin', 'dist', 'docs'])
    cpSync(join(built, name), join(folder, name), { recursive: true });
  for (const name of ['package.json', 'docs/man', 'NOTICE', 'CHANGELOG.md', 'LICENSE'])
    cpSync(name, join(folder, name), { recursive: true });
  const words = ['pack', '--ignore-scripts', '--offline', '--silent', '--pack-destination', root];
  execFileSync('npm', words, { cwd: folder, stdio: 'pipe' });
  return join(root, 'docs-cli-docs-0.1.0.tgz');
}

function make(folder: string, tarball: string): void {
  const words = [
    'scripts/release/make.mjs',
    folder,
    '--tarball',
    tarball,
    '--binaries',
    join(root, 'programs'),
  ];
  const { status, stderr } = node(words);
  expect({ status, error: /^.*Error.*$/m.exec(stderr)?.[0] }).toEqual({ status: 0, error: undefined });
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'docs-release-'));
  if (!canMake) return;
  const programs = join(root, 'programs');
  mkdirSync(programs);
  writeFileSync(join(programs, 'notes.txt'), 'is no program, and is left');
  const script = `#!/bin/sh\nexec '${process.execPath}' '${inject('program')}' "$@"\n`;
  writeFileSync(join(programs, 'docs-linux-x64'), script, { mode: 0o755 });
  release = join(root, 'release');
  make(release, pack());
}, 120_000);
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe.skipIf(!canMake)('a release', () => {
  it('has all its parts, and no other', () => {
    expect(readdirSync(release).sort()).toEqual([...names].sort());
  });

  it('is the same, byte for byte, when it is made again', () => {
    make(join(root, 'again'), join(release, 'docs-cli-docs-0.1.0.tgz'));
    const sums = (folder: string): string => readFileSync(join(folder, 'SHA256SUMS'), 'utf8');
    expect(sums(join(root, 'again'))).toBe(sums(release));
  });

  it('passes the checks of its users', () => {
    const { status, stdout, stderr } = verify(release, onLoopback);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout.match(/^ok \w+/gm)).toEqual([
      'ok sums',
      'ok sbom',
      'ok image',
      'ok programs',
      'ok deb',
      'ok installer',
    ]);
  });

  it.each(names)('fails them if a byte of %s differs', (name) => {
    const copy = join(root, 'copy');
    cpSync(release, copy, { recursive: true });
    changeByte(join(copy, name));
    const { status, stdout, stderr } = verify(copy, onLoopback);
    rmSync(copy, { recursive: true });
    // Nothing of it is run.
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(
      name === 'SHA256SUMS' ? /^error: sums: / : new RegExp(`^error: sums: ${name} is not what`),
    );
  });

  it('fails them if a file is missing, or is one too many', () => {
    const copy = join(root, 'copy');
    cpSync(release, copy, { recursive: true });
    rmSync(join(copy, 'install.sh'));
    writeFileSync(join(copy, 'more.sh'), '');
    const { status, stderr } = verify(copy, onLoopback);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'error: sums: install.sh is missing; more.sh is not in SHA256SUMS\n',
    });
  });

  it('is installed by dpkg, and removed without a trace', () => {
    const own = join(root, 'system');
    mkdirSync(join(own, 'var/lib/dpkg/updates'), { recursive: true });
    mkdirSync(join(own, 'var/lib/dpkg/info'));
    writeFileSync(join(own, 'var/lib/dpkg/status'), '');
    const dpkg = (...words: string[]) => {
      const flags = [`--root=${own}`, '--force-not-root', '--force-depends', `--log=${join(root, 'log')}`];
      return spawnSync('dpkg', [...flags, ...words], {
        encoding: 'utf8',
        env: { ...process.env, LC_ALL: 'C' },
      });
    };
    expect(dpkg('--install', join(release, 'docs-cli_0.1.0_amd64.deb'))).toMatchObject({ status: 0 });
    expect(dpkg('--verify', 'docs-cli')).toMatchObject({ status: 0, stdout: '' });
    expect(readdirSync(join(own, 'usr/bin'))).toEqual(['docs']);
    expect(dpkg('--purge', 'docs-cli')).toMatchObject({ status: 0 });
    expect(readdirSync(own)).toEqual(['var']);
  });
});
