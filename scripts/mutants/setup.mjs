/** Runs before each test file in the copy: turns a mutant on, or writes which ones the file reaches. */
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeEach } from 'vitest';

const file = globalThis.__vitest_worker__.filepath;
globalThis.__stryker__ ??= {};
const space = globalThis.__stryker__;
// Many mutants are tried in one run, each by a test file of its own: `x.m12.test.ts` is `x.test.ts` with the mutant 12.
space.activeMutant = /\.m(\d+)\.[a-z.]*ts$/.exec(file)?.[1] ?? process.env.SAMPLE_MUTANT;
// A loop that the mutant makes endless ends by it.
space.hitCount = 0;
space.hitLimit = 2_000_000;

if (space.activeMutant !== undefined) {
  let hasFailed = false;
  beforeEach(({ skip }) => {
    if (hasFailed) skip('a test before it failed');
  });
  afterEach(({ task }) => {
    hasFailed ||= task.result?.state === 'fail' || (task.result?.errors?.length ?? 0) > 0;
  });
}

const folder = process.env.SAMPLE_HITS;
if (folder !== undefined) {
  Error.stackTraceLimit = 200;
  space.mutantCoverage ??= { static: {}, perTest: {} };
  space.currentTestId = file;
  const loaded = new Set();
  const ran = new Set();
  const looks = new Map();
  space.mutantCoverage.perTest[file] = new Proxy(
    {},
    {
      set(counts, number, count) {
        counts[number] = count;
        const look = looks.get(number) ?? 0;
        // What loads does so early; after that, all is run.
        if (!ran.has(number) && look < 50) (isLoading(new Error().stack) ? loaded : ran).add(number);
        looks.set(number, look + 1);
        return true;
      },
    },
  );
  afterAll(() => {
    const name = `${basename(file)}-${process.pid}-${Date.now()}.json`;
    writeFileSync(join(folder, name), JSON.stringify({ file, loaded: [...loaded], ran: [...ran] }));
  });
}

/** Whether a module of the sources is just evaluated, which happens once for all files of a worker. */
function isLoading(stack) {
  const lines = stack.split('\n');
  // Node loads the sources, and Vitest the tests.
  const evaluator = lines.findIndex((line) => /\bModuleJob\.run |runInlinedModule/.test(line));
  if (evaluator === -1) return false;
  const body = lines.slice(0, evaluator).findLast((line) => /\/(src|test)\//.test(line));
  return body?.includes('/src/') ?? false;
}
