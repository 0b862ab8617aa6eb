import { defineConfig } from 'vitest/config';

// Two cores, slow starts: a whole program run in a test takes its time.
const patience = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
};
// These run the built program, as its users do.
const wholeProgram = ['test/e2e/**/*.test.ts', 'test/faults/**/*.test.ts'];
// Large organizations, many random runs, loops of kills: `npm run test:long`.
const long = ['test/**/*.long.test.ts'];
const build = { globalSetup: ['test/build.ts'] };

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'parts',
          include: ['test/**/*.test.ts'],
          exclude: [...wholeProgram, ...long],
          // No file leaves state behind, so a worker loads the sources once.
          isolate: false,
          ...patience,
        },
      },
      { test: { name: 'program', include: wholeProgram, exclude: long, ...build, ...patience } },
      { test: { name: 'long', include: long, ...build, ...patience } },
    ],
  },
});
