import { defineConfig } from 'vitest/config';
import { exceptions } from './test/exceptions.js';
import { Budgets } from './test/layers/budgets.js';
import { LongestFirst } from './test/layers/order.js';
import { fromSources, makeSources } from './test/layers/sources.js';

await makeSources();
const plugins = [fromSources];

// What a poll or a test waits for comes, however busy the machine is; the limits are for what never comes.
const patience = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 150_000 } },
};
// What changes the sources has no use for the built program, and names the folder of tests to run (scripts/mutate.mjs).
const { DOCS_TEST_SOURCES: mutated, DOCS_BIN: other = '' } = process.env;
const all = `${mutated ?? 'test'}/**/*.test.ts`;
/** The layer of a file is in its name; docs/contributing/tests.md says what belongs where. */
const of = (layer: string) => all.replace('.test.ts', `.${layer}.test.ts`);
const world = of('world');
const program = of('program');
const docs = of('docs');
const long = of('long');
const many = of('many');
// `DOCS_BIN=<path>` tests another program, such as the one without Node, but for its exceptions.
const isOther = other !== '';
const leftOut = exceptions.filter(({ name }) => isOther && name === undefined);
const leavesOut = {
  exclude: leftOut.map(({ file }) => `test/${file}`),
  setupFiles: isOther ? ['test/layers/leave-out.ts'] : [],
};
const built = { globalSetup: ['test/layers/built.ts'], provide: { layer: 'program' as const } };
// No file leaves state behind, so a worker loads the sources once.
const shared = { isolate: false, ...patience };

/** What runs the sources in its own process, and no program. */
const here = { provide: { layer: 'world' as const, program: '/no-program', compiled: '' }, ...shared };

export default defineConfig({
  test: {
    // One more than the cores: whole programs wait for each other much of the time.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', new Budgets()],
    projects: [
      {
        plugins,
        test: {
          name: 'unit',
          include: [all],
          exclude: [world, program, docs, long, many],
          setupFiles: ['test/layers/unit.ts'],
          ...shared,
        },
      },
      {
        plugins,
        test: {
          name: 'world',
          include: [world],
          ...(isOther ? { globalSetup: built.globalSetup } : {}),
          provide: { layer: 'world' },
          ...leavesOut,
          setupFiles: isOther ? leavesOut.setupFiles : ['test/layers/world.ts'],
          ...shared,
        },
      },
      {
        plugins,
        test: { name: 'program', include: mutated ? [] : [program], ...built, ...leavesOut, ...shared },
      },
      {
        plugins,
        test: { name: 'docs', include: mutated ? [] : [docs], ...built, ...leavesOut, ...shared },
      },
      {
        plugins,
        test: { name: 'long', include: mutated ? [] : [long], ...built, ...leavesOut, ...patience },
      },
      // What makes files of tests (scripts/take-fixtures.mjs) and recordings (scripts/outputs.mjs); no tests.
      {
        plugins,
        test: {
          name: 'take',
          include: process.env.DOCS_TAKE === undefined ? [] : ['test/saved/take.ts'],
          ...here,
        },
      },
      {
        plugins,
        test: {
          name: 'outputs',
          include: process.env.DOCS_OUTPUTS === undefined ? [] : ['test/outputs/*.record.ts'],
          ...here,
          // The next command must not begin beside one that is slow here.
          testTimeout: 0,
        },
      },
      { test: { name: 'many', include: mutated ? [] : [many], ...patience } },
    ],
  },
});
