import { build } from 'esbuild';
import { defineConfig } from 'vitest/config';
import { reportClient } from './scripts/report-client.mjs';
import { ourWidths } from './scripts/widths.mjs';
import { exceptions } from './test/exceptions.js';
import { LongestFirst } from './test/order.js';

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
    const { script, style } = await reportClient();
    return `export const clientCode = async () => (${JSON.stringify({ script, style })});`;
  },
};

// Two cores, slow starts: a whole program run in a test takes its time.
const patience = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  // What a poll waits for comes, however busy the machine is; the test's own limit is for what never comes.
  expect: { poll: { timeout: 150_000 } },
};
// These run the built program, as its users do.
const wholeProgram = ['test/e2e/**/*.test.ts', 'test/faults/**/*.test.ts'];
// Large organizations, many random runs, loops of kills: `npm run test:long`.
const long = ['test/**/*.long.test.ts'];
// Thousands of random organizations, by hand: `npm run test:organizations`.
const many = ['test/**/*.many.test.ts'];
// `DOCS_BIN=<path>` tests another program, such as the one without Node, but for its exceptions.
const leavesOut = process.env.DOCS_BIN ? { setupFiles: ['test/leave-out.ts'] } : {};
const leftOut = exceptions.filter(({ name }) => process.env.DOCS_BIN && name === undefined);
const notThere = [...long, ...leftOut.map(({ file }) => `test/${file}`)];
const built = { globalSetup: ['test/build.ts'], ...leavesOut };

export default defineConfig({
  test: {
    // One more than the cores: whole programs wait for each other much of the time.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        plugins: [tableOfTheBuild, clientOfTheSources],
        test: {
          name: 'parts',
          include: ['test/**/*.test.ts'],
          exclude: [...wholeProgram, ...long, ...many],
          // No file leaves state behind, so a worker loads the sources once.
          isolate: false,
          ...patience,
        },
      },
      {
        // Examples run in the process of the test.
        plugins: [clientOfTheSources],
        test: {
          name: 'program',
          include: wholeProgram,
          exclude: notThere,
          isolate: false,
          ...built,
          ...patience,
        },
      },
      { plugins: [clientOfTheSources], test: { name: 'long', include: long, ...built, ...patience } },
      { test: { name: 'many', include: many, ...patience } },
    ],
  },
});
