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
  // The folder that programs without Node are taken from.
  options: { binaries: { type: 'string', default: 'build' } },
});
const folder = resolve(positionals[0] ?? 'build/release');
const epoch = sourceEpoch();
if (uncommitted() !== '')
  console.error('There are changes that are not committed: nobody else can make this release.');

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
// npm builds dist/ before it packs.
execFileSync('npm', ['pack', '--silent', '--offline', '--pack-destination', folder], {
  stdio: ['ignore', 'ignore', 'inherit'],
  shell: process.platform === 'win32',
});
const binaries = existsSync(values.binaries)
  ? readdirSync(values.binaries).filter((name) => binaryName.test(name))
  : [];
for (const name of binaries) cpSync(join(values.binaries, name), join(folder, name));
writeFileSync(join(folder, `docs-${own.version}.cdx.json`), await sbom('dist', epoch, binaries.length > 0));
makeDebs();
for (const name of ['install.sh', 'Containerfile']) cpSync(join('packaging', name), join(folder, name));
cpSync('packaging/setup-docs/action.yml', join(folder, 'setup-docs.yml'));
await writeSums(folder);
for (const name of readdirSync(folder)) console.log(join(folder, name));

/** One for each program for Linux; without one, for the Node of this machine. None where dpkg-deb is not there. */
function makeDebs() {
  if (process.platform !== 'linux')
    return console.error('Debian packages are made on Linux only; there is none.');
  const unpacked = mkdtempSync(join(tmpdir(), 'docs-release-'));
  try {
    execFileSync('tar', ['-xzf', join(folder, tarballName), '-C', unpacked, '--strip-components=1']);
    const made = { folder, unpacked, epoch };
    const programs = binaries.map((name) => ({ name, ...binaryName.exec(name).groups }));
    const ofLinux = programs.filter(({ system }) => system === 'linux');
    for (const { name, machine } of ofLinux)
      makeDeb({ ...made, binary: join(values.binaries, name), machine });
    if (ofLinux.length === 0) makeDeb(made);
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
  }
}
