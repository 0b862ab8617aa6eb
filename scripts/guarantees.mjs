/**
 * Breaks one promise after the other, and runs the tests that should notice: `npm run test:guarantees [-- <words>]`.
 *
 * The promises are the tables in test/guarantees. Each names a file of the source, the text there that keeps the promise,
 * a text that breaks it, and the tests, by their paths without the layer and `.test.ts`. Each processor has a copy of the
 * checkout for it, which goes at the end. Exits 1 where nothing notices, where a text is not there exactly once, and where
 * there is no such test, so that the tables follow the source and the tests.
 */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { copyCheckout } from './checkout-copy.mjs';

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

const vitest = join(root, 'node_modules/vitest/vitest.mjs');
/** For the tests of one promise, in milliseconds. */
const longestMs = 300_000;

/** By project, how the names of its files end. */
const layers = {
  unit: '.test.ts',
  world: '.world.test.ts',
  program: '.program.test.ts',
  docs: '.docs.test.ts',
};

/** The files of these tests in all layers, and the projects that run them. */
function filesOf(folder, tests) {
  const files = [];
  const projects = new Set();
  const missing = [];
  for (const path of tests) {
    const those = Object.entries(layers).filter(([, ending]) => existsSync(join(folder, path + ending)));
    if (those.length === 0) missing.push(path);
    for (const [project, ending] of those) {
      files.push(path + ending);
      projects.add(project);
    }
  }
  return { files, projects: [...projects], missing };
}

/** @returns what became of it: caught, survived, or why it could not be tried */
async function tryOne(folder, { file, keeps, breaks, tests, only }) {
  const { files, projects, missing } = filesOf(folder, tests);
  if (missing.length > 0) return `there is no test ${missing.join(', ')}`;
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
    const chosen = projects.flatMap((project) => ['--project', project]);
    // A question that never comes is noticed, too: by the limit of its test.
    const limits = ['--bail', '1', '--testTimeout', '60000', '--maxWorkers', '1'];
    const { error, stdout, stderr } = await run(folder, ['run', ...chosen, ...limits, ...files, ...names]);
    if (error === null) return /Tests .*passed/.test(stdout) ? 'survived' : 'no test has this name';
    if (error.killed) return 'the tests did not end';
    return /Tests .*failed/.test(stdout) ? 'caught' : `the tests did not run: ${stderr.slice(0, 300)}`;
  } finally {
    writeFileSync(path, source);
  }
}

function run(cwd, words) {
  const options = { cwd, maxBuffer: 1e8, timeout: longestMs };
  return new Promise((done) => {
    execFile(process.execPath, [vitest, ...words], options, (error, stdout, stderr) =>
      done({ error, stdout, stderr }),
    );
  });
}

const chosen = await promises(process.argv.slice(2));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));
const waiting = chosen.values();
const open = [];

/** Takes one promise after the other, until none is left. */
async function work() {
  const folder = copyCheckout(root, 'docs-guarantees-');
  for (const one of waiting) {
    const result = await tryOne(folder, one);
    const isCaught = result === 'caught';
    console.log(
      `${isCaught ? 'caught' : 'OPEN  '}  ${one.table}: ${one.name}${isCaught ? '' : ` (${result})`}`,
    );
    if (!isCaught) open.push(one);
  }
}

await Promise.all(Array.from({ length: Math.min(availableParallelism(), chosen.length) }, work));
console.log(`${chosen.length - open.length} of ${chosen.length} broken promises are noticed`);
process.exitCode = open.length === 0 && chosen.length > 0 ? 0 : 1;
