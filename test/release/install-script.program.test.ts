import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serve } from '../../scripts/release/checks.mjs';
import { isInstalled } from '../e2e/shell.js';
import { changeByte, linux, type Place, sampleRelease, standIn, tarball } from './sample-release.js';

/** install.sh: what it installs where, and that it installs nothing that is not what SHA256SUMS says. */

/** The shells of Debian, of macOS, and of small systems. */
const shells = ['dash', 'bash', 'busybox'].filter(isInstalled);
let place: Place;
beforeEach(async () => {
  place = await sampleRelease();
});
afterEach(() => place.remove());

interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the installer for a machine; `ldd` says which C library it has. */
async function install(
  words: readonly string[],
  { shell = shells[0] ?? 'sh', machine = linux, libc = 'glibc' } = {},
): Promise<Ran> {
  const { root } = place;
  const path = standIn(
    root,
    'uname',
    `case $1 in -s) echo ${machine.system} ;; *) echo ${machine.machine} ;; esac`,
  );
  standIn(root, 'ldd', `echo ${libc}`);
  standIn(root, 'npm', `printf '%s\\n' "$*" >'${root}/npm'`);
  for (const folder of ['home', 'tmp']) mkdirSync(join(root, folder), { recursive: true });
  const env = { PATH: `${path}:${process.env.PATH}`, HOME: join(root, 'home'), TMPDIR: join(root, 'tmp') };
  const line = [...(shell === 'busybox' ? ['sh'] : []), join(place.release, 'install.sh'), ...words];
  return new Promise((done, failed) => {
    const child = spawn(shell, line, { cwd: root, env });
    const ran: Ran = { code: null, stdout: '', stderr: '' };
    child.stdout.on('data', (data) => {
      ran.stdout += data;
    });
    child.stderr.on('data', (data) => {
      ran.stderr += data;
    });
    child.on('error', failed);
    child.on('close', (code) => done({ ...ran, code }));
  });
}

/** What there is of an installation, and of what the installer needed for it. */
const left = (): string[] =>
  ['prefix', 'home', 'tmp'].flatMap((name) => {
    const folder = join(place.root, name);
    return existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  });
const inPrefix = (): string[] => ['--prefix', join(place.root, 'prefix')];

describe('installs', () => {
  it.each(shells)('the program and its man pages into a prefix, from an address, with %s', async (shell) => {
    const { address, close } = await serve(place.release);
    try {
      const { code, stdout, stderr } = await install(['--from', `${address}/`, ...inPrefix()], { shell });
      expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
      expect(stderr).toContain(`Installed ${place.root}/prefix/bin/docs, and its man pages`);
      expect(stderr).toContain(`Add ${place.root}/prefix/bin to PATH.`);
    } finally {
      close();
    }
    const files = ['bin', 'bin/docs', 'share', 'share/man', 'share/man/man1', 'share/man/man1/docs.1'];
    expect(left().sort()).toEqual(files);
  });

  it('what lies beside it, into ~/.local', async () => {
    expect(await install([])).toMatchObject({ code: 0 });
    const program = join(place.root, 'home/.local/bin/docs');
    expect(readFileSync(program, 'utf8')).toBe(readFileSync(join(place.release, 'docs-linux-x64'), 'utf8'));
  });

  it('over an earlier version', async () => {
    mkdirSync(join(place.root, 'prefix/bin'), { recursive: true });
    writeFileSync(join(place.root, 'prefix/bin/docs'), 'earlier');
    expect(await install(inPrefix())).toMatchObject({ code: 0 });
    expect(readFileSync(join(place.root, 'prefix/bin/docs'), 'utf8')).toContain('docs-linux-x64');
  });

  it('a release that is pinned by the sum of its sums', async () => {
    const sum = createHash('sha256')
      .update(readFileSync(join(place.release, 'SHA256SUMS')))
      .digest('hex');
    expect(await install(['--sum', sum, ...inPrefix()])).toMatchObject({ code: 0 });
  });
});

describe('chooses the program of the machine', () => {
  const all = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'windows-x64.exe'].map(
    (name) => `docs-${name}`,
  );

  it.each([
    ['Linux', 'aarch64', 'docs-linux-arm64', 'docs'],
    ['Darwin', 'x86_64', 'docs-darwin-x64', 'docs'],
    ['Darwin', 'arm64', 'docs-darwin-arm64', 'docs'],
    ['MINGW64_NT-10.0-26100', 'x86_64', 'docs-windows-x64.exe', 'docs.exe'],
  ])('%s %s: %s', async (system, machine, name, file) => {
    place.remove();
    place = await sampleRelease(all);
    expect(await install(inPrefix(), { machine: { system, machine } })).toMatchObject({ code: 0 });
    expect(readFileSync(join(place.root, 'prefix/bin', file), 'utf8')).toContain(name);
  });

  it.each([
    ['of another machine', { machine: { system: 'Linux', machine: 'riscv64' } }, []],
    ['of another system', { machine: { system: 'FreeBSD', machine: 'amd64' } }, []],
    ['with musl', { libc: 'musl libc' }, []],
    ['whose user wants the tarball', {}, ['--tarball']],
  ])('npm installs the tarball on one %s', async (_, on, words) => {
    expect(await install([...inPrefix(), ...words], on)).toMatchObject({ code: 0 });
    const line = readFileSync(join(place.root, 'npm'), 'utf8');
    expect(line).toMatch(/^install --global --ignore-scripts /);
    expect(line).toContain(`--prefix ${place.root}/prefix `);
    expect(line).toContain(`/${tarball}\n`);
  });
});

describe('installs nothing', () => {
  const refused = async (words: readonly string[], message: string): Promise<void> => {
    const { code, stdout, stderr } = await install([...inPrefix(), ...words]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/\nNothing was installed\.\n$/);
    expect(left()).toEqual([]);
  };

  it.each(['docs-linux-x64', tarball])('if a byte of %s differs', async (name) => {
    changeByte(join(place.release, name));
    await refused([], `error: ${name} has the sum `);
  });

  it('if a byte of SHA256SUMS differs from what --sum pins', async () => {
    const path = join(place.release, 'SHA256SUMS');
    const sum = createHash('sha256').update(readFileSync(path)).digest('hex');
    changeByte(path);
    await refused(['--sum', sum], 'error: SHA256SUMS has the sum ');
  });

  it('if SHA256SUMS names no tarball', async () => {
    writeFileSync(join(place.release, 'SHA256SUMS'), '');
    await refused([], 'error: SHA256SUMS names no tarball');
  });

  it('if the address has no release', async () => {
    const { address, close } = await serve(join(place.root, 'package'));
    try {
      await refused(['--from', address], `error: cannot get SHA256SUMS from ${address}`);
    } finally {
      close();
    }
  });

  it.each([[['--from']], [['--prefx', '/tmp']]])('if it is called wrongly: %j', async (words) => {
    const { code, stderr } = await install(words);
    expect({ code, first: stderr.split('\n')[0] }).toMatchObject({
      code: 2,
      first: expect.stringMatching(/^error: /),
    });
    expect(left()).toEqual([]);
  });
});
