// The Debian package: the program, man pages, completions. Made by dpkg-deb; the same bytes for the same input.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runtimePackages } from '../notice.mjs';
import { own } from './source.mjs';

const machines = { x64: 'amd64', arm64: 'arm64' };
const maintainer = 'docs maintainers <maintainers@docs.invalid>';
const lib = 'usr/lib/docs-cli';
const papers = 'usr/share/doc/docs-cli';
/** Where each shell looks for completions of packages. */
const completions = {
  bash: 'usr/share/bash-completion/completions/docs',
  zsh: 'usr/share/zsh/vendor-completions/_docs',
  fish: 'usr/share/fish/vendor_completions.d/docs.fish',
};

/**
 * @param {object} made
 * @param {string} made.folder where the package goes
 * @param {string} made.unpacked what the tarball contains
 * @param {string} [made.binary] a program without Node; else the package runs on Debian's nodejs
 * @param {string} [made.machine] x64 or arm64, of the binary; without one, this machine's
 * @param {number} made.epoch the second that everything in it is dated
 * @returns {string} the name of the package
 */
export function makeDeb({ folder, unpacked, binary, machine = process.arch, epoch }) {
  const architecture = machines[machine];
  if (architecture === undefined) throw new Error(`Debian's name for ${machine} is not known.`);
  const root = mkdtempSync(join(tmpdir(), 'docs-deb-'));
  try {
    if (binary === undefined) putNodeProgram(root, unpacked);
    else putBinary(root, binary);
    putPages(root, unpacked);
    putPapers(root, unpacked, epoch);
    const needs =
      binary === undefined ? `nodejs (>= ${own.engines.node.replace(/^\D+/, '')}), libc6` : 'libc6';
    put(root, 'DEBIAN/control', controlOf(architecture, needs, sizeOf(root)));
    put(root, 'DEBIAN/md5sums', md5sumsOf(root));
    setTimes(root, epoch);
    const name = `docs-cli_${own.version}_${architecture}.deb`;
    const words = ['--root-owner-group', '-Zxz', '--threads-max=1', '--build', root, join(folder, name)];
    execFileSync('dpkg-deb', words, { env: { ...process.env, SOURCE_DATE_EPOCH: String(epoch) } });
    return name;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** The program without Node, and what lintian finds in it and nobody here can change. */
function putBinary(root, binary) {
  put(root, 'usr/bin/docs', readFileSync(binary), 0o755);
  put(root, 'usr/share/lintian/overrides/docs-cli', readFileSync('packaging/lintian-overrides'));
}

/** The program for Debian's nodejs: what npm would install, in a folder of its own. */
function putNodeProgram(root, unpacked) {
  for (const part of ['package.json', 'bin', 'dist', 'docs/guide'])
    cpSync(join(unpacked, part), join(root, lib, part), { recursive: true });
  for (const name of withDependencies(runtimePackages(join(unpacked, 'dist'))))
    cpSync(join('node_modules', name), join(root, lib, 'node_modules', name), { recursive: true });
  setModes(join(root, lib));
  chmodSync(join(root, lib, 'bin/docs.js'), 0o755);
  mkdirSync(join(root, 'usr/bin'), { recursive: true });
  symlinkSync('../lib/docs-cli/bin/docs.js', join(root, 'usr/bin/docs'));
}

/** Packages with all that they need, as far as it is installed: of native parts, that of this machine. */
function withDependencies(names, found = new Set()) {
  for (const name of names) {
    const path = join('node_modules', name, 'package.json');
    if (found.has(name) || !existsSync(path)) continue;
    // npm installs the native parts for musl too, where a package does not say that they are.
    if (name.endsWith('-musl')) continue;
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(readFileSync(path, 'utf8'));
    found.add(name);
    withDependencies(Object.keys({ ...dependencies, ...optionalDependencies }), found);
  }
  return [...found].sort();
}

/** Man pages, and the completion that the program prints. */
function putPages(root, unpacked) {
  for (const name of readdirSync(join(unpacked, 'docs/man')))
    put(root, `usr/share/man/man1/${name}.gz`, zipped(join(unpacked, 'docs/man', name)));
  for (const [shell, path] of Object.entries(completions))
    put(root, path, execFileSync(process.execPath, [join(unpacked, 'bin/docs.js'), 'completion', shell]));
}

/** What Debian asks of every package: its licences, and the changes from one version to the next. */
function putPapers(root, unpacked, epoch) {
  const licence = readFileSync('LICENSE', 'utf8');
  put(root, `${papers}/copyright`, `${licence}\nLicences of what it contains: NOTICE.gz in this folder.\n`);
  put(root, `${papers}/NOTICE.gz`, zipped(join(unpacked, 'NOTICE')));
  put(root, `${papers}/CHANGES.md.gz`, zipped(join(unpacked, 'CHANGELOG.md')));
  const date = new Date(epoch * 1000).toUTCString().replace('GMT', '+0000');
  const entry = `docs-cli (${own.version}) unstable; urgency=medium\n\n  * Release ${own.version}; CHANGES.md.gz says what is new.\n`;
  const changes = `${entry}\n -- ${maintainer}  ${date}\n`;
  put(root, `${papers}/changelog.gz`, execFileSync('gzip', ['-9n'], { input: changes }));
}

function controlOf(architecture, needs, size) {
  const lines = {
    Package: 'docs-cli',
    Version: own.version,
    Architecture: architecture,
    Maintainer: maintainer,
    'Installed-Size': size,
    Depends: needs,
    Section: 'utils',
    Priority: 'optional',
    Description: `administer a documentation platform from the shell\n ${folded(own.description)}`,
  };
  return Object.entries(lines)
    .map(([key, value]) => `${key}: ${value}\n`)
    .join('');
}

function folded(text) {
  return text.replaceAll(/(.{1,76})(?: |$)/g, '$1\n ').trimEnd();
}

function put(root, path, content, mode = 0o644) {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  chmodSync(file, mode);
}

function zipped(path) {
  return execFileSync('gzip', ['-9n', '--stdout', path], { maxBuffer: 1 << 28 });
}

/** Every file of a folder, in the order of their paths. */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
}

/** Kilobytes, as Debian counts them. */
function sizeOf(root) {
  const sizes = filesIn(root).map((path) => Math.ceil(lstatSync(join(root, path)).size / 1024));
  return sizes.reduce((sum, size) => sum + size, 0);
}

function md5sumsOf(root) {
  const files = filesIn(root).filter(
    (path) => !path.startsWith('DEBIAN') && lstatSync(join(root, path)).isFile(),
  );
  return execFileSync('md5sum', files, { cwd: root });
}

function setModes(folder) {
  for (const path of filesIn(folder)) {
    const file = join(folder, path);
    const found = lstatSync(file);
    if (!found.isSymbolicLink()) chmodSync(file, found.isDirectory() ? 0o755 : 0o644);
  }
}

function setTimes(root, epoch) {
  for (const path of ['.', ...filesIn(root)]) {
    const file = join(root, path);
    if (lstatSync(file).isDirectory()) chmodSync(file, 0o755);
    lutimesSync(file, epoch, epoch);
  }
}
