// Builds programs that need no Node into build/: `npm run build:binary [-- --target linux-arm64 | all]`.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { packageOf } from './packages.mjs';
import { isProgramFor, ownTarget, targets } from './targets.mjs';

/** What people do most, the most important first. */
const usual = [
  ['__complete', 'spaces', 'get', ''],
  // Refused: what is used before an answer comes.
  ['spaces', 'get', 's1', '--json', '--base-url', 'http://127.0.0.1:1', '--no-retry'],
  ['spaces', 'list', '--sandbox', '--json'],
  ['members', 'list', '--sandbox'],
  ['--help'],
  ['spaces', '--help'],
  ['config', 'list'],
];
const runtimes = 'scripts/binary/package-lock.json';
const modules = 'build/modules';
const { values } = parseArgs({
  options: { target: { type: 'string', multiple: true }, outdir: { type: 'string', default: 'build' } },
});
const own = ownTarget();
if (own === undefined) throw new Error(`There is no Bun for ${process.platform} on ${process.arch}.`);
const wanted = values.target?.includes('all') ? Object.keys(targets) : (values.target ?? [own]);
for (const name of wanted) {
  if (!(name in targets))
    throw new Error(`"${name}" is not a target; expected ${Object.keys(targets).join(', ')}, all`);
}

execFileSync(process.execPath, ['scripts/build.mjs', modules, '--binary'], { stdio: 'inherit' });
const assets = gatherAssets();
const bun = resolve(executableOf(own));
const first = resolve('build', `first${targets[own].ending ?? ''}`);
compile(own, first, []);
const orders = ordersOf(first);
rmSync(first);
for (const name of wanted) make(name);
if (wanted.includes(own)) makeLeast();

function make(target) {
  const file = resolve(values.outdir, `docs-${target}${targets[target].ending ?? ''}`);
  compile(target, file, orders);
  if (!isProgramFor(target, file)) throw new Error(`${file} is not a program for ${target}.`);
  const { note } = targets[target];
  console.log(`${file}: ${Math.round(statSync(file).size / 1e6)} MB${note === undefined ? '' : `. ${note}`}`);
}

/** Puts what the program reads beside its modules. @returns the paths, as the program names them */
function gatherAssets() {
  cpSync('docs/guide', join(modules, 'docs/guide'), { recursive: true });
  return ['docs', 'outlines', 'records', 'report-client.json'];
}

function executableOf(target) {
  const { bun: name, ending = '' } = targets[target];
  return join(packageOf(name, runtimes), 'bin', `bun${ending}`);
}

/**
 * What no program can be faster than: an empty one made by the same flags, and one that only writes a line by `node:fs`,
 * as `--version` does. The benchmark measures them beside ours.
 */
function makeLeast() {
  const texts = { empty: '', line: "import { writeSync } from 'node:fs';\nwriteSync(1, '0.1.0\\n');\n" };
  for (const [name, text] of Object.entries(texts)) {
    writeFileSync(join(modules, `least-${name}.js`), text);
    bundle(`./least-${name}.js`, resolve('build', `least-${name}`), []);
  }
}

/** Compiles the program for a target; its first lines are the code that a start needs, where `orders` name it. */
function compile(target, file, orders) {
  putKeyring(target);
  bundle('./binary.js', file, [
    ...orders.map((order) => `--bytecode-order=${order}`),
    ...assets.map((asset) => `--asset=${asset}`),
    ...(target === own ? [] : [`--compile-executable-path=${resolve(executableOf(target))}`]),
    ...(target === own ? [] : [`--target=bun-${target}`]),
  ]);
}

function bundle(entry, file, more) {
  const made = `${file}.made${file.endsWith('.exe') ? '.exe' : ''}`;
  rmSync(file, { force: true });
  const flags = [
    ...['--compile', '--bytecode', '--splitting', '--format=esm', '--target=bun', '--sourcemap=none'],
    // Nothing of the folder that it is started in is read.
    ...['dotenv', 'bunfig', 'tsconfig', 'package-json'].map((name) => `--no-compile-autoload-${name}`),
    // Most runs end before compiling to machine code pays; a long one has it a little later.
    '--compile-jit-policy=32',
    ...more,
    `--outfile=${made}`,
  ];
  execFileSync(bun, ['build', ...flags, entry], { cwd: modules, env: cleanEnv(), stdio: 'inherit' });
  // Bun writes a file in pieces, which Linux keeps in small pages; one written at once, as by whoever installs it,
  // starts a fifth faster.
  copyFileSync(made, file);
  rmSync(made);
}

/** Without the variables of Bun, which change what it builds. */
function cleanEnv() {
  return Object.fromEntries(Object.entries(process.env).filter(([key]) => !/^BUN_/.test(key)));
}

/** Runs of a first program write down which code they used, so that it stands together in those that are kept. */
function ordersOf(first) {
  const home = mkdtempSync(join(tmpdir(), 'docs-order-'));
  try {
    return usual.map((words, index) => {
      const order = resolve('build', `order-${index}`);
      const env = {
        PATH: process.env.PATH ?? '',
        HOME: home,
        DOCS_TOKEN: 'none',
        BUN_BYTECODE_ORDER_OUT: order,
      };
      const { error } = spawnSync(first, words, { cwd: home, env, stdio: 'ignore' });
      if (error !== undefined) throw error;
      return order;
    });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** The module of the keychain with the native part of the target alone, where the modules find it first. */
function putKeyring(target) {
  const folder = join(modules, 'node_modules', '@napi-rs', 'keyring');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const from = packageOf(targets[target].keyring, 'package-lock.json');
  const { main } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  cpSync(join(from, main), join(folder, 'keyring.node'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module","main":"index.js"}\n');
  writeFileSync(
    join(folder, 'index.js'),
    "export const { Entry, findCredentials } = require('./keyring.node');\n",
  );
}
