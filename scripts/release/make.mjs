// Makes a release into build/release, without publishing it: `npm run release [-- <folder>]`.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makeDeb } from './deb.mjs';
import { sbom } from './sbom.mjs';
import { binaryName, own, sourceEpoch, tarballName, uncommitted } from './source.mjs';
import { writeSums } from './sums.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    // The folder that programs without Node are taken from.
    binaries: { type: 'string', default: 'build' },
    // A tarball that is there already; without it, npm builds and packs.
    tarball: { type: 'string' },
  },
});
const folder = resolve(positionals[0] ?? 'build/release');
const epoch = sourceEpoch();
if (uncommitted() !== '')
  console.error('There are changes that are not committed: nobody else can make this release.');

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
if (values.tarball === undefined) pack();
else cpSync(values.tarball, join(folder, tarballName));
const names = existsSync(values.binaries) ? readdirSync(values.binaries) : [];
const binaries = names.filter((name) => binaryName.test(name));
for (const name of binaries) cpSync(join(values.binaries, name), join(folder, name));
const unpacked = mkdtempSync(join(tmpdir(), 'docs-release-'));
try {
  execFileSync('tar', ['-xzf', join(folder, tarballName), '-C', unpacked, '--strip-components=1']);
  const bom = await sbom(join(unpacked, 'dist'), epoch, binaries.length > 0);
  writeFileSync(join(folder, `docs-${own.version}.cdx.json`), bom);
  makeDebs();
} finally {
  rmSync(unpacked, { recursive: true, force: true });
}
for (const name of ['install.sh', 'Containerfile']) cpSync(join('packaging', name), join(folder, name));
cpSync('packaging/setup-docs/action.yml', join(folder, 'setup-docs.yml'));
await writeSums(folder);
for (const name of readdirSync(folder)) console.log(join(folder, name));

/** npm builds dist/ before it packs. */
function pack() {
  execFileSync('npm', ['pack', '--silent', '--offline', '--pack-destination', folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
}

/** One for each program for Linux; without one, for the Node of this machine. */
function makeDebs() {
  if (process.platform !== 'linux')
    return console.error('Debian packages are made on Linux only; there is none.');
  const made = { folder, unpacked, epoch };
  const programs = binaries.map((name) => ({ name, ...binaryName.exec(name).groups }));
  const ofLinux = programs.filter(({ system }) => system === 'linux');
  for (const { name, machine } of ofLinux) makeDeb({ ...made, binary: join(values.binaries, name), machine });
  if (ofLinux.length === 0) makeDeb(made);
}
