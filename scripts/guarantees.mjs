/**
 * Breaks one promise after the other, and runs the tests that should notice: `npm run test:guarantees [-- <words>]`.
 *
 * The promises are the tables in test/guarantees. Each names a file of the source, the text there that keeps the promise,
 * a text that breaks it, and the tests. All happens in a copy of the checkout, which goes at the end. Exits 1 where
 * nothing notices, and where a text is not there exactly once, so that the tables follow the source.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
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
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const tables = join(root, 'test/guarantees');

/** All promises, or those whose name or table has one of the words. */
async function promises(words) {
  const names = readdirSync(tables).filter((name) => name.endsWith('.mjs'));
  const all = [];
  for (const name of names.sort()) {
    const { guarantees } = await import(pathToFileURL(join(tables, name)).href);
    all.push(...guarantees.map((one) => ({ ...one, table: name.replace(/\.mjs$/, '') })));
  }
  const fits = ({ name, table }) => words.some((word) => name.includes(word) || table === word);
  return words.length === 0 ? all : all.filter(fits);
}

/** A copy of what git tracks or would track, with the packages of this checkout. */
function copyCheckout() {
  const folder = mkdtempSync(join(tmpdir(), 'docs-guarantees-'));
  const { stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    maxBuffer: 1e8,
  });
  for (const path of stdout.toString().split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path));
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** For the tests of one promise, in milliseconds. */
const longestMs = 300_000;

/** @returns what became of it: caught, survived, or why it could not be tried */
function tryOne(folder, { file, keeps, breaks, tests, only }) {
  const path = join(folder, file);
  const source = readFileSync(path, 'utf8');
  const times = source.split(keeps).length - 1;
  if (times !== 1) return `its text stands ${times} times in ${file}`;
  writeFileSync(
    path,
    source.replace(keeps, () => breaks),
  );
  try {
    const names = only === undefined ? [] : ['-t', only];
    const layers = ['unit', 'world', 'program'].flatMap((layer) => ['--project', layer]);
    const args = ['vitest', 'run', ...layers, '--bail', '1', '--maxWorkers', '2', ...tests, ...names];
    const ran = spawnSync('npx', args, { cwd: folder, encoding: 'utf8', maxBuffer: 1e8, timeout: longestMs });
    if (ran.error !== undefined) return `the tests did not end: ${ran.error.message}`;
    if (ran.status === 0) return 'survived';
    return /Tests .*failed/.test(ran.stdout)
      ? 'caught'
      : `the tests did not run: ${ran.stderr.slice(0, 300)}`;
  } finally {
    writeFileSync(path, source);
  }
}

const chosen = await promises(process.argv.slice(2));
const folder = copyCheckout();
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));
const open = [];
for (const one of chosen) {
  const found = tryOne(folder, one);
  console.log(
    `${found === 'caught' ? 'caught' : 'OPEN  '}  ${one.table}: ${one.name}${found === 'caught' ? '' : ` (${found})`}`,
  );
  if (found !== 'caught') open.push(one);
}
console.log(`${chosen.length - open.length} of ${chosen.length} broken promises are noticed`);
process.exitCode = open.length === 0 && chosen.length > 0 ? 0 : 1;
