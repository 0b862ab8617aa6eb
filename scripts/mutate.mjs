/**
 * Changes the source in small ways, and tells which changes no test notices: `npm run test:mutate -- <folder or file>`.
 *
 * StrykerJS changes the files below each word (without one: those that git has as changed), and runs the unit and world
 * tests of their rooms, each change with the tests that run its lines. What survives is listed; what a later run finds
 * unchanged is not tried again (reports/mutation/incremental-<room>.json).
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

const git = (...words) =>
  execFileSync('git', [...words, '-z'], { encoding: 'utf8' })
    .split('\0')
    .filter(Boolean);

/** The files to change. */
function filesFor(words) {
  if (words.length === 0)
    return [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')];
  return words.flatMap((word) => (statSync(word).isDirectory() ? git('ls-files', word) : [word]));
}

/** `src/plans/file.ts` is of the room `plans`; what lies at the root is used by all rooms, and tested by all. */
function roomOf(path) {
  const [, room = '', ...rest] = path.split('/');
  return rest.length === 0 ? '' : room;
}

function mutateRoom(room, files) {
  const folder = mkdtempSync(join(tmpdir(), 'docs-mutate-'));
  const reports = 'reports/mutation';
  mkdirSync(reports, { recursive: true });
  const name = room === '' ? 'root' : room;
  const config = {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    mutate: files,
    // Not what imports the file, which is nearly all: the tests of its room.
    vitest: { configFile: 'vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    incremental: true,
    incrementalFile: join(reports, `incremental-${name}.json`),
    reporters: ['clear-text', 'progress-append-only', 'json'],
    clearTextReporter: { logTests: false, reportTests: false },
    jsonReporter: { fileName: join(reports, `${name}.json`) },
    concurrency: availableParallelism(),
    dryRunTimeoutMinutes: 30,
    // TypeScript 7 has no library that Stryker could read it with.
    tsconfigFile: 'none',
    tempDirName: folder,
    ignorePatterns: ['/docs/man', '/docs/reference', '/build', '/reports'],
  };
  const file = join(folder, 'stryker.config.json');
  writeFileSync(file, JSON.stringify(config));
  const env = { ...process.env, DOCS_TEST_SOURCES: join('test', room) };
  const { status } = spawnSync('npx', ['stryker', 'run', file], { stdio: 'inherit', env });
  rmSync(folder, { recursive: true, force: true });
  return status === 0;
}

const words = process.argv.slice(2);
const missing = words.filter((word) => !existsSync(word));
const files = missing.length > 0 ? [] : filesFor(words).filter((path) => /^src\/.*(?<!\.d)\.ts$/.test(path));
if (files.length === 0) {
  console.error(
    missing.length > 0
      ? `There is no ${missing.join(', ')}.`
      : 'No file of src: name a folder of it, or change a file first.',
  );
  process.exit(2);
}
let isWell = true;
for (const room of new Set(files.map(roomOf)))
  isWell =
    mutateRoom(
      room,
      files.filter((path) => roomOf(path) === room),
    ) && isWell;
process.exitCode = isWell ? 0 : 1;
