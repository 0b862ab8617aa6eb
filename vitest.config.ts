import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Builds dist/ once: end-to-end tests run the program as users do.
    globalSetup: ['test/build.ts'],
    // Two cores, slow starts: a whole program run in a test takes its time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
