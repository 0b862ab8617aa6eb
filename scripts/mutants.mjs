/**
 * Draws a sample of all mutants of the source, and tells which ones no test notices: `npm run test:sample`.
 *
 * One run of the unit and world tests shows which of their files reach which mutant (reports/mutation/sample-map.json);
 * then each mutant has those files run with it, the nearest first, until one fails. A mutant that changes what a module
 * makes as it is loaded is tried with the tests of its room, then with all. What became of each is in
 * reports/mutation/sample.json. Those that no test can notice are in scripts/mutants/explained.mjs, each with its reason.
 *
 *   --only 3,17    tries these numbers alone
 *   --map <file>   takes what reaches what from an earlier run
 *   --program <n>  tries mutant n with the program tests that follow as words, or all: it is built in
 *   --list         prints the sample
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { copyCheckout, trackedFiles } from './checkout-copy.mjs';
import { draw, mutated, placeSwitches } from './mutants/draw.mjs';
import { explained } from './mutants/explained.mjs';

const seed = '86fb257c';
const count = 300;

const root = fileURLToPath(new URL('..', import.meta.url));
const { values: flags, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    map: { type: 'string' },
    program: { type: 'string' },
    list: { type: 'boolean' },
  },
});
const reports = join(root, 'reports/mutation');
const reportFile = join(reports, 'sample.json');
const ownMapFile = join(reports, 'sample-map.json');
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const tracked = trackedFiles(root);

/** A copy whose mutants can be switched on. */
async function copyWithSwitches(drawn) {
  const folder = copyCheckout(root, 'docs-sample-');
  cpSync(join(root, 'scripts/mutants/setup.mjs'), join(folder, 'sample-setup.mjs'));
  cpSync(join(root, 'scripts/mutants/vitest.config.mjs'), join(folder, 'sample.config.mjs'));
  await placeSwitches(folder, drawn);
  return folder;
}

/** @returns by test file how long it took and whether it failed; none of what did not end, or not begin */
function runTests(
  folder,
  files,
  { env = {}, limitMs, config = ['--config', 'sample.config.mjs'], more = [] },
) {
  const result = join(folder, 'result.json');
  rmSync(result, { force: true });
  const order = join(folder, 'order.json');
  writeFileSync(order, JSON.stringify(files));
  const flags = ['--maxWorkers', '1', '--reporter', 'json', '--outputFile', result, ...more];
  const child = spawn(process.execPath, [vitest, 'run', ...config, ...flags, ...files], {
    cwd: folder,
    env: { ...process.env, SAMPLE_ORDER: order, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  let said = '';
  child.stderr.on('data', (data) => {
    said += data;
  });
  return new Promise((done) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      process.kill(-child.pid, 'SIGKILL');
    }, limitMs);
    child.on('close', (status) => {
      clearTimeout(timer);
      if (isLate) return done({ isLate });
      if (!existsSync(result)) throw new Error(`The tests did not run (${status}): ${said.slice(-2000)}`);
      const { testResults, success } = JSON.parse(readFileSync(result, 'utf8'));
      const ran = testResults.map(
        ({ name, status: state, startTime, endTime, assertionResults, message }) => {
          const failed = assertionResults.find(({ status: one }) => one === 'failed');
          return {
            file: relative(folder, name),
            ms: endTime - startTime,
            failed: state === 'failed' ? (failed?.fullName ?? message.slice(0, 200)) : undefined,
            isSlow: failed?.failureMessages.some((text) => /timed out in/.test(text)),
          };
        },
      );
      done({ ran, success, said });
    });
  });
}

const sourceLayers = ['--project', 'unit', '--project', 'world'];
const isSourceTest = (path) =>
  /^test\/.*\.test\.ts$/.test(path) && !/\.(program|docs|long|many)\.test\.ts$/.test(path);

/** Which files reach which mutant, how long each takes, and which fail with the switches though none is on. */
async function takeMap(folder, drawn) {
  const hits = join(folder, 'hits');
  mkdirSync(hits);
  const env = { SAMPLE_HITS: hits };
  const files = tracked.filter(isSourceTest);
  const { ran } = await runTests(folder, files, { env, limitMs: 1_800_000, more: sourceLayers });
  const map = { files: {}, failing: ran.filter(({ failed }) => failed).map(({ file }) => file), mutants: {} };
  for (const { file, ms } of ran) map.files[file] = Math.round(ms);
  for (const { key } of drawn) map.mutants[key] = { loaded: [], ran: [] };
  const keys = new Map(drawn.map(({ number, key }) => [String(number), key]));
  for (const name of readdirSync(hits)) {
    const { file, ...reached } = JSON.parse(readFileSync(join(hits, name), 'utf8'));
    for (const kind of ['loaded', 'ran'])
      for (const number of reached[kind]) map.mutants[keys.get(number)][kind].push(relative(folder, file));
  }
  return map;
}

/** How many folders of the path of a source the path of a test has: `src/a/b/x.ts` and `test/a/y.test.ts` have 1. */
function nearness(source, test) {
  const folders = source.split('/').slice(1);
  const others = test.split('/').slice(1);
  let shared = 0;
  while (shared < folders.length - 1 && folders[shared] === others[shared]) shared += 1;
  const name = (path) => path.split('/').at(-1).split('.')[0];
  return shared + (name(source) === name(test) ? 0.5 : 0);
}

/** Test files in the order in which they are worth trying: near ones first, but not those that take long. */
function inOrder(map, { file }, tests) {
  const cost = (test) => ((map.files[test] ?? 1000) + 300) / 4 ** nearness(file, test);
  return tests
    .filter((test) => existsSync(join(root, test)) && !map.failing.includes(test))
    .sort((a, b) => cost(a) - cost(b));
}

/** The test files that may notice a mutant, those first that most likely do. */
function testsFor(map, mutant) {
  const { loaded = [], ran = [] } = map.mutants[mutant.key] ?? {};
  // Of a file that is newer than the map it is not known what it reaches.
  const fresh = tracked.filter(
    (test) => isSourceTest(test) && map.files[test] === undefined && nearness(mutant.file, test) > 0,
  );
  const reached = inOrder(map, mutant, [...ran, ...fresh]);
  if (loaded.length === 0) return reached;
  const room = mutant.file.split('/').length > 2 ? mutant.file.split('/')[1] : '';
  const all = Object.keys(map.files);
  // What is declared is in the reference, which is made anew from it.
  const likely = all.filter((test) => loaded.includes(test) || /^test\/reference\/generated/.test(test));
  const ofRoom = all.filter((test) => test.startsWith(`test/${room}/`));
  return [...new Set([...reached, ...[likely, ofRoom, all].flatMap((tests) => inOrder(map, mutant, tests))])];
}

const isLong = (map, test) => (map.files[test] ?? 1000) > 5000;
const patience = ['--testTimeout', '30000', '--hookTimeout', '30000'];
const caughtBy = ({ file, failed, isSlow }) => ({ status: 'caught', by: `${file}: ${failed}`, isSlow });
const withNumber = (test, number) => test.replace(/((\.world)?\.test\.ts)$/, `.m${number}$1`);

/**
 * Tries many mutants in one run, each with a few of its test files, and all with one file before the next begins. After
 * them comes the file without a mutant: where that fails, one of them has left something behind, and none counts.
 * @param pairs of a mutant and a test file
 * @param spoilt gets those that have to be tried alone
 * @returns by number what caught it
 */
async function tryMany(folder, map, pairs, isLoaded, spoilt) {
  const caught = new Map();
  if (pairs.length === 0) return caught;
  const byTest = new Map();
  for (const pair of pairs) byTest.set(pair[1], [...(byTest.get(pair[1]) ?? []), pair]);
  const files = [];
  let usual = 0;
  // A long file would cost more than it shows.
  for (const [test, those] of byTest)
    for (const number of [
      ...those.map(([mutant]) => mutant.number),
      ...(isLoaded || isLong(map, test) ? [] : [0]),
    ]) {
      const copy = withNumber(test, number);
      cpSync(join(folder, test), join(folder, copy));
      files.push(copy);
      usual += (map.files[test] ?? 1000) + (isLoaded ? 2000 : 0);
    }
  const more = [...sourceLayers, ...patience];
  const env = isLoaded ? { SAMPLE_ISOLATED: '1' } : {};
  const { ran = [] } = await runTests(folder, files, { env, more, limitMs: 300_000 + 5 * usual });
  for (const file of files) rmSync(join(folder, file));
  const failed = new Map(ran.filter((one) => one.failed !== undefined).map((one) => [one.file, one]));
  for (const [test, those] of byTest) {
    if (failed.has(withNumber(test, 0))) {
      console.log(`after a mutant ${test} fails without one: each is tried alone`);
      for (const [mutant] of those) spoilt.add(mutant);
      continue;
    }
    for (const [{ number }] of those) {
      const found = failed.get(withNumber(test, number));
      if (found !== undefined && !caught.has(number)) caught.set(number, caughtBy({ ...found, file: test }));
    }
  }
  return caught;
}

/** Tries a mutant with what is left of its test files. */
async function tryAlone(folder, map, mutant, files) {
  if (files.length === 0) return { status: 'survived' };
  const env = { SAMPLE_MUTANT: String(mutant.number) };
  const more = [...sourceLayers, '--bail', '1', ...patience];
  const usual = files.reduce((sum, file) => sum + (map.files[file] ?? 1000), 0);
  const { ran, isLate, success } = await runTests(folder, files, { env, more, limitMs: 120_000 + 5 * usual });
  if (isLate) return { status: 'caught', by: 'it does not end' };
  const failed = ran.find((file) => file.failed !== undefined);
  if (failed) return caughtBy(failed);
  return success ? { status: 'survived' } : { status: 'caught', by: 'an error outside of tests' };
}

/** How many further test files each mutant is tried with in one run after the other. */
const rounds = [1, 2, 4];

async function tryAll(folder, map, mutants, tell) {
  const tests = new Map(mutants.map((mutant) => [mutant, testsFor(map, mutant)]));
  let open = mutants;
  const close = (mutant, found) => {
    open = open.filter((one) => one !== mutant);
    tell(mutant, found);
  };
  for (const mutant of mutants) if (tests.get(mutant).length === 0) close(mutant, { status: 'not reached' });
  const isLoaded = ({ key }) => map.mutants[key]?.loaded.length > 0;
  let from = 0;
  const spoilt = new Set();
  for (const size of rounds) {
    const pairs = open.flatMap((mutant) =>
      tests
        .get(mutant)
        .slice(from, from + size)
        .filter((test) => !isLong(map, test))
        .map((test) => [mutant, test]),
    );
    from += size;
    for (const kind of [false, true]) {
      const those = pairs.filter(([mutant]) => isLoaded(mutant) === kind);
      const caught = await tryMany(folder, map, those, kind, spoilt);
      for (const [mutant] of those) {
        if (caught.has(mutant.number) && open.includes(mutant)) close(mutant, caught.get(mutant.number));
      }
    }
    console.log(`after ${from} test files ${open.length} of ${mutants.length} are left`);
  }
  const left = (mutant) =>
    tests.get(mutant).filter((test, at) => at >= from || spoilt.has(mutant) || isLong(map, test));
  for (const mutant of open.sort((a, b) => left(a).length - left(b).length))
    close(mutant, await tryAlone(folder, map, mutant, left(mutant)));
}

/** With the mutant in the program as built. */
async function tryProgram(mutant, tests) {
  const folder = copyCheckout(root, 'docs-sample-');
  const path = join(folder, mutant.file);
  writeFileSync(path, mutated(readFileSync(path, 'utf8'), mutant));
  const files = tracked.filter((file) => /\.(program|docs)\.test\.ts$/.test(file));
  const chosen =
    tests.length === 0 ? files : files.filter((file) => tests.some((word) => file.includes(word)));
  const more = ['--project', 'program', '--project', 'docs', '--bail', '1'];
  const { ran, isLate, said } = await runTests(folder, chosen, { more, config: [], limitMs: 900_000 });
  if (isLate) return { status: 'caught', by: 'it does not end' };
  const failed = ran.find((file) => file.failed !== undefined);
  if (failed) return { status: 'caught', by: `${failed.file}: ${failed.failed}` };
  return ran.length === 0
    ? { status: 'caught', by: `build: ${said.slice(0, 200)}` }
    : { status: 'survived', tried: ran.length };
}

/** Of sources that did not change, the sample of the last run. */
async function drawOnce() {
  const hash = createHash('sha256').update(`${seed} ${count}`);
  for (const path of paths) hash.update(path).update(readFileSync(join(root, path)));
  const sources = hash.digest('hex');
  const file = join(reports, 'sample-draw.json');
  const last = read(file);
  if (last?.sources === sources) return last;
  const made = { sources, ...(await draw(root, paths, seed, count)) };
  writeFileSync(file, JSON.stringify(made));
  return made;
}

/** Whether this entry of what is explained is of the mutant. */
const isOf = ({ file, original, replacement, nth = 1 }, mutant) =>
  file === mutant.file &&
  original === mutant.original &&
  replacement === mutant.replacement &&
  nth === mutant.nth;

function summarize() {
  const all = drawn.map((mutant) => ({ ...mutant, status: 'not tried', ...report.get(mutant.key) }));
  const isCaught = ({ status }) => status === 'caught';
  const without = all.filter((mutant) => !isCaught(mutant) && explained.some((one) => isOf(one, mutant)));
  const open = all.filter((mutant) => !isCaught(mutant) && !without.includes(mutant));
  console.log(`${all.filter(isCaught).length} caught, ${without.length} explained, ${open.length} open`);
  for (const mutant of open) console.log(`${mutant.status}  ${describe(mutant)}`);
  process.exitCode = open.length === 0 ? 0 : 1;
}

const describe = ({ number, file, line, mutator, original, replacement }) =>
  `${number} ${file}:${line} ${mutator}\n    ${original.slice(0, 160)}\n    -> ${replacement.slice(0, 160)}`;

const read = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined);
mkdirSync(reports, { recursive: true });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));
const paths = tracked.filter((path) => /^src\/.*(?<!\.d)\.ts$/.test(path));
const { of, drawn } = await drawOnce();
for (const one of explained.filter((one) => !drawn.some((mutant) => isOf(one, mutant))))
  console.log(`explained.mjs has one that is not in the sample: ${one.file} ${one.original}`);
console.log(`${drawn.length} of ${of} mutants`);
const numbers = flags.only?.split(',').map(Number);
const report = new Map((read(reportFile) ?? []).map((one) => [one.key, one]));
const save = (mutant, found) => {
  report.set(mutant.key, { ...mutant, ...found });
  const all = drawn.map(({ key, ...one }) => ({ ...one, ...report.get(key), number: one.number, key }));
  writeFileSync(reportFile, JSON.stringify(all, null, 1));
};

if (flags.list) {
  for (const mutant of drawn) console.log(describe(mutant));
} else if (flags.program) {
  for (const number of flags.program.split(',').map(Number)) {
    const mutant = drawn.find((one) => one.number === number);
    const found = await tryProgram(mutant, words);
    console.log(`${found.status}  ${describe(mutant)}\n    ${found.by ?? `${found.tried} files`}`);
    save(mutant, found);
  }
} else {
  const folder = await copyWithSwitches(drawn);
  let map = read(flags.map ?? '');
  if (map === undefined) {
    map = await takeMap(folder, drawn);
    writeFileSync(ownMapFile, JSON.stringify(map, null, 1));
    console.log(
      `${Object.keys(map.files).length} test files; with the switches ${map.failing.length} fail ${map.failing}`,
    );
  }
  const chosen = drawn.filter(
    (mutant) => numbers?.includes(mutant.number) ?? !explained.some((one) => isOf(one, mutant)),
  );
  await tryAll(folder, map, chosen, (mutant, found) => {
    save(mutant, found);
    console.log(
      found.status === 'caught'
        ? `${mutant.number} caught by ${found.by}`
        : `${found.status} ${describe(mutant)}`,
    );
  });
}
if (!flags.list) summarize();
