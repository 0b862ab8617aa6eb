import { defineConfig } from 'vitest/config';

// Two cores, slow starts: a whole program run in a test takes its time.
const patience = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
};
// These run the built program, as its users do.
const wholeProgram = ['test/e2e/**/*.test.ts', 'test/faults/**/*.test.ts'];

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      { test: { name: 'parts', include: ['test/**/*.test.ts'], exclude: wholeProgram, ...patience } },
      { test: { name: 'program', include: wholeProgram, globalSetup: ['test/build.ts'], ...patience } },
    ],
  },
});
