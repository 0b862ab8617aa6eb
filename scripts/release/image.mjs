// The images of a release: their recipe is read, and built where buildah is there. It gets no base from a registry:
// files of this machine stand in for them, so that nothing is downloaded.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isProgramFor, ownTarget } from '../binary/targets.mjs';
import { binaryName } from './source.mjs';
import { sumOf } from './sums.mjs';
import { expectEqual, tryProgram } from './trials.mjs';

const image = 'localhost/docs';
/** The user of the bases, as a file of the system. */
const user = 'nonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin\n';

/** No stage that becomes an image runs as root, what is copied from the release is there, and the image works. */
export async function checkImage(folder, work) {
  readRecipe(folder);
  const reason = whyNotBuilt(folder);
  if (reason !== undefined) return `its images do not run as root; not built: ${reason}`;
  const buildah = storeOf(work);
  build(buildah, folder, work);
  await checkLayers(buildah, folder, work);
  const container = buildah('from', '--pull-never', image);
  tryProgram(entryPoint(buildah, container, work), work);
  const { uid, gid } = statSync(join(buildah('mount', container), 'home/nonroot/.local'));
  expectEqual('who has what it wrote', `${uid}:${gid}`, '65532:65532');
  return 'built on stand-ins for its bases; it adds one file, has no shell, and works as 65532:65532';
}

function readRecipe(folder) {
  const text = readFileSync(join(folder, 'Containerfile'), 'utf8').replaceAll(/\\\n/g, ' ');
  const [, ...stages] = text.split(/^FROM /m);
  const images = stages.filter((stage) => /^ENTRYPOINT \["\//m.test(stage));
  expectEqual('images', images.length, 2);
  for (const stage of images) {
    const id = /^USER (\d+):\d+$/m.exec(stage)?.[1];
    expectEqual('whether an image runs as another user than root', Number(id) > 0, true);
  }
  const names = readdirSync(folder);
  const binaries = names.some((name) => binaryName.test(name));
  for (const [, sources] of text.matchAll(/^COPY (?!--from)(.*) \S+$/gm)) {
    for (const source of sources.split(' ')) {
      const pattern = new RegExp(`^${source.replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
      const isThere = names.some((name) => pattern.test(name));
      if (!isThere && (binaries || !source.startsWith('docs-linux')))
        throw new Error(`COPY ${source}: not found.`);
    }
  }
}

/** @returns undefined where an image of the program without Node can be built */
function whyNotBuilt(folder) {
  const program = programIn(folder);
  if (process.platform !== 'linux' || !existsSync(program)) return 'there is no program for this machine';
  if (!isProgramFor(ownTarget(), program)) return `${program} only stands in for one`;
  if (spawnSync('buildah', ['--version']).error !== undefined) return 'buildah is not installed';
  if (process.getuid() !== 0) return 'this needs root';
  return undefined;
}

function programIn(folder) {
  return join(folder, `docs-${ownTarget()}`);
}

/** buildah with images of its own, which go with the folder; its output is part of what goes wrong. */
function storeOf(work) {
  const own = ['--root', join(work, 'images'), '--runroot', join(work, 'state'), '--storage-driver', 'vfs'];
  const run = (...words) => {
    const { status, stdout, stderr } = spawnSync('buildah', [...own, ...words], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`buildah ${words[0]}: exit ${status}, ${stderr}`);
    return stdout.trim();
  };
  return Object.assign(run, { line: ['buildah', ...own] });
}

/** Builds the recipe as it is; only its bases are others. */
function build(buildah, folder, work) {
  const base = join(work, 'base');
  putLibraries(base, programIn(folder));
  mkdirSync(join(base, 'etc'), { recursive: true });
  writeFileSync(join(base, 'etc/passwd'), user);
  const builder = join(work, 'builder');
  for (const program of ['/bin/sh', 'sha256sum', 'install']) putProgram(builder, program);
  for (const root of [base, builder]) {
    mkdirSync(join(root, 'tmp'));
    chmodSync(join(root, 'tmp'), 0o1777);
  }
  const homes = join(work, 'homes');
  mkdirSync(join(homes, 'nonroot'), { recursive: true });
  makeBase(buildah, 'localhost/base', [
    [base, '/'],
    [homes, '/home', '--chown', '65532:65532'],
  ]);
  makeBase(buildah, 'localhost/builder', [[builder, '/']]);
  const bases = ['BASE=localhost/base', 'NODE_BASE=localhost/base', 'BUILDER=localhost/builder'];
  const flags = bases.flatMap((each) => ['--build-arg', each]);
  buildah('build', '--quiet', '--isolation', 'chroot', '--pull-never', ...flags, '--tag', image, folder);
}

function makeBase(buildah, name, copies) {
  const container = buildah('from', 'scratch');
  for (const [from, to, ...flags] of copies) buildah('copy', '--quiet', ...flags, container, from, to);
  buildah('commit', '--quiet', '--rm', container, name);
}

/** Puts a program of this machine, and what it is linked with, where they are here. */
function putProgram(root, name) {
  const path = execFileSync('sh', ['-c', 'command -v "$0"', name], { encoding: 'utf8' }).trim();
  putLibraries(root, path);
  put(root, path);
}

function putLibraries(root, program) {
  const linked = execFileSync('ldd', [program], { encoding: 'utf8' });
  for (const [path] of linked.matchAll(/(?<=\s)\/\S+/g)) put(root, path);
}

function put(root, path) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  cpSync(path, join(root, path), { dereference: true });
}

/** The image says who it runs as, and its own layer has the program of the release and nothing else. */
async function checkLayers(buildah, folder, work) {
  const layout = join(work, 'layout');
  buildah('push', '--quiet', image, `oci:${layout}`);
  const blob = (digest) => join(layout, 'blobs', digest.replace(':', '/'));
  const read = ({ digest }) => JSON.parse(readFileSync(blob(digest), 'utf8'));
  const [manifest] = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8')).manifests.map(read);
  const { config } = read(manifest.config);
  expectEqual('user of the image', config.User, '65532:65532');
  expectEqual('entry point of the image', config.Entrypoint.join(' '), '/usr/bin/docs');
  const added = blob(manifest.layers.at(-1).digest);
  const names = execFileSync('tar', ['-tzf', added], { encoding: 'utf8' }).split('\n');
  expectEqual(
    'files that the image adds',
    names.filter((name) => !/(?:^|\/)$/.test(name)).join(),
    'usr/bin/docs',
  );
  execFileSync('tar', ['-xzf', added, '-C', work, 'usr/bin/docs']);
  const sums = [await sumOf(join(work, 'usr/bin/docs')), await sumOf(programIn(folder))];
  expectEqual('sum of the program in the image', sums[0], sums[1]);
}

/** @returns the path of a script that runs what the image runs, as its user */
function entryPoint(buildah, container, work) {
  const run = ['run', '--isolation', 'chroot', container, '--'];
  if (spawnSync(buildah.line[0], [...buildah.line.slice(1), ...run, '/bin/sh', '-c', ':']).status === 0)
    throw new Error('The image has a shell.');
  const quoted = [...buildah.line, ...run, '/usr/bin/docs'].map((word) => `'${word}'`).join(' ');
  const script = join(work, 'docs');
  writeFileSync(script, `#!/bin/sh\nexec ${quoted} "$@"\n`, { mode: 0o755 });
  return script;
}
