// The parts of a release, each as its users meet it. Each check gets the release and an empty folder to work in.
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { createReadStream, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { binaryName, own, tarballName } from './source.mjs';
import { expectEqual, tryManPage, tryProgram } from './trials.mjs';

const run = promisify(execFile);
const ownBinary = `docs-${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

/** The SBOM names docs, and what docs cannot be without. */
export function checkSbom(folder) {
  const { bomFormat, metadata, components } = JSON.parse(
    readFileSync(join(folder, `docs-${own.version}.cdx.json`), 'utf8'),
  );
  expectEqual('format of the SBOM', bomFormat, 'CycloneDX');
  expectEqual('name in the SBOM', metadata.component.name, own.name);
  expectEqual('version in the SBOM', metadata.component.version, own.version);
  const names = new Set(components.map(({ name }) => name));
  const missing = Object.keys(own.dependencies).filter((name) => !names.has(name));
  expectEqual('packages missing in the SBOM', missing.join(', '), '');
  return `${components.length} components`;
}

/** The program without Node, of this machine. */
export function checkPrograms(folder, work) {
  const names = readdirSync(folder).filter((name) => binaryName.test(name));
  const here = names.find((name) => name.replace(/\.exe$/, '') === ownBinary);
  if (here === undefined) return `${names.length} programs without Node, none for this machine`;
  const command = join(work, 'docs');
  execFileSync('install', ['-m', '755', join(folder, here), command]);
  tryProgram(command, work);
  return `${here} works, of ${names.length}`;
}

/** Debian packages, unpacked; those of this machine are tried. */
export function checkDebs(folder, work) {
  const names = readdirSync(folder).filter((name) => name.endsWith('.deb'));
  if (names.length === 0) return 'none';
  const tried = names.filter((name) => tryDeb(join(folder, name), join(work, name)));
  return `${names.join(', ')}; tried: ${tried.join(', ') || 'none'}`;
}

/** @returns whether the package is for this machine, and so was tried */
function tryDeb(file, root) {
  const field = (name) => execFileSync('dpkg-deb', ['--field', file, name], { encoding: 'utf8' }).trim();
  expectEqual('version of the package', field('Version'), own.version);
  execFileSync('dpkg-deb', ['--extract', file, root]);
  for (const page of own.man) {
    const path = join(root, 'usr/share/man/man1', `${basename(page)}.gz`);
    if (!existsSync(path)) throw new Error(`${path} is missing.`);
  }
  tryManPage(join(root, 'usr/share/man/man1/docs.1.gz'));
  for (const path of [
    'bash-completion/completions/docs',
    'zsh/vendor-completions/_docs',
    'fish/vendor_completions.d/docs.fish',
  ])
    if (readFileSync(join(root, 'usr/share', path), 'utf8') === '') throw new Error(`${path} is empty.`);
  const machine = { x64: 'amd64', arm64: 'arm64' }[process.arch];
  if (field('Architecture') !== machine) return false;
  tryProgram(join(root, 'usr/bin/docs'), join(root, 'tmp'));
  return true;
}

/** The Debian packages by the rules of Debian. */
export function checkLintian(folder, work) {
  if (spawnSync('lintian', ['--version']).error !== undefined) return 'not tried: lintian is not installed';
  const names = readdirSync(folder).filter((name) => name.endsWith('.deb'));
  for (const name of names) {
    const words = ['--no-cfg', '--allow-root', '--fail-on', 'error,warning', join(folder, name)];
    const env = { ...process.env, TMPDIR: work };
    const { status, stdout, stderr } = spawnSync('lintian', words, { cwd: work, env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${name}: exit ${status}, ${stdout}${stderr}`);
  }
  return `no error and no warning in ${names.join(', ') || 'no package'}`;
}

/** install.sh, with the release on a server; for a machine with a program without Node. */
export async function checkInstaller(folder, work) {
  if (!existsSync(join(folder, ownBinary)))
    return 'not tried: it would install the tarball, which is a check of its own';
  const { address, close } = await serve(folder);
  const prefix = join(work, 'prefix');
  try {
    const words = [join(folder, 'install.sh'), '--from', address, '--prefix', prefix];
    await run('sh', words, { cwd: work, env: { PATH: process.env.PATH, HOME: work } });
  } finally {
    close();
  }
  tryProgram(join(prefix, 'bin/docs'), work);
  tryManPage(join(prefix, 'share/man/man1/docs-spaces.1'));
  return `installs ${ownBinary} into an empty prefix`;
}

/** The files of a folder on a port of this machine. @returns its address, and what ends it */
export async function serve(folder) {
  const server = createServer((request, response) => {
    const file = join(folder, basename(request.url ?? ''));
    if (!existsSync(file)) return response.writeHead(404).end();
    return createReadStream(file).pipe(response);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { address: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/**
 * The tarball, installed globally into an empty prefix by the npm of this machine, or by that which is given.
 * @param {string} [node] folder of a Node, which stands before PATH
 * @param {readonly string[]} [npm] how npm is started
 */
export function checkTarball(folder, work, node = '', npm = ['npm']) {
  const prefix = join(work, 'prefix');
  const env = { ...process.env, PATH: `${node}:${process.env.PATH}`, npm_config_prefix: prefix, HOME: work };
  // Of the npm that started this script: they would be those of the one that is tried.
  for (const name of Object.keys(env))
    if (/^npm_(?!config_(?:registry|prefix|cache|cafile))/.test(name)) delete env[name];
  mkdirSync(prefix);
  writeFileSync(join(work, 'package.json'), '{}');
  const [command, ...words] = npm;
  const install = [
    'install',
    '--global',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    join(folder, tarballName),
  ];
  execFileSync(command, [...words, ...install], { cwd: work, env, stdio: ['ignore', 'ignore', 'pipe'] });
  tryProgram(join(prefix, 'bin/docs'), work, node);
  const version = execFileSync(command, [...words, '--version'], { env, encoding: 'utf8' }).trim();
  // npm 12 and newer link no man pages.
  const linked = Number(version.split('.')[0]) < 12;
  const installed = join(prefix, 'lib/node_modules', own.name, 'docs/man');
  for (const page of ['docs.1', 'docs-spaces.1'])
    tryManPage(join(linked ? join(prefix, 'share/man/man1') : installed, page));
  return `works by npm ${version}`;
}
