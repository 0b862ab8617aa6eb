import { build } from 'esbuild';
import { defineConfig } from 'vitest/config';
import type { VitestPluginContext } from 'vitest/node';
import { reportClient } from './scripts/report-client.mjs';
import { ourWidths } from './scripts/widths.mjs';
import { exceptions } from './test/exceptions.js';
import { Budgets } from './test/layers/budgets.js';
import { LongestFirst } from './test/layers/order.js';

// Tests of the sources load packages as Node does; this one is bundled, as in the build, to measure as docs does.
const tableOfTheBuild = {
  name: 'table-of-the-build',
  enforce: 'pre' as const,
  resolveId: (id: string) => (id === 'cli-table3' ? '\0cli-table3' : undefined),
  async load(id: string) {
    if (id !== '\0cli-table3') return undefined;
    const { outputFiles } = await build({
      stdin: { contents: "export { default } from 'cli-table3'", resolveDir: process.cwd() },
      bundle: true,
      write: false,
      platform: 'node',
      format: 'esm',
      plugins: [ourWidths()],
    });
    return outputFiles[0]?.text;
  },
};

// The build puts what runs in the pages of reports beside the program; here it is made as a test asks for it.
const clientOfTheSources = {
  name: 'client-of-the-sources',
  enforce: 'pre' as const,
  async load(id: string) {
    if (!id.endsWith('/src/reports/client-code.ts')) return undefined;
    return `export const clientCode = async () => (${JSON.stringify(await reportClient())});`;
  },
};

/** What the two above make depends on more than their own file, so it is made anew in each run. */
const madeAnew = {
  name: 'made-anew',
  configureVitest({ experimental_defineCacheKeyGenerator: keyOf }: VitestPluginContext) {
    keyOf(({ id }) => (id === '\0cli-table3' || id.endsWith('/client-code.ts') ? false : undefined));
  },
};
const plugins = [tableOfTheBuild, clientOfTheSources, madeAnew];

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
const [world, program, long, many] = [of('world'), of('program'), of('long'), of('many')];
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

export default defineConfig({
  test: {
    // One more than the cores: whole programs wait for each other much of the time.
    maxWorkers: 3,
    // The layers have their modules from one another, and from the last run.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
    reporters: ['default', new Budgets()],
    projects: [
      {
        plugins,
        test: {
          name: 'unit',
          include: [all],
          exclude: [world, program, long, many],
          setupFiles: ['test/layers/unit.ts'],
          ...shared,
        },
      },
      {
        plugins,
        test: {
          name: 'world',
          include: [world],
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
        test: { name: 'long', include: mutated ? [] : [long], ...built, ...leavesOut, ...patience },
      },
      { test: { name: 'many', include: mutated ? [] : [many], ...patience } },
    ],
  },
});
