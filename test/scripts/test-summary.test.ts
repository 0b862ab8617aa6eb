import { expect, test } from 'vitest';
import { filesAgain, type Report, summary } from '../../scripts/test-summary.mjs';

/** Files of a run, by their names, with the outcome of each test. */
function report(files: Record<string, string[]>): Report {
  const testResults = Object.entries(files).map(([name, tests]) => ({
    name: `/clone/${name}`,
    status: tests.length > 0 && tests.every((status) => status !== 'failed') ? 'passed' : 'failed',
    assertionResults: tests.map((status) => ({ status })),
  }));
  return { testResults };
}

test('a run that passes is not run again', () => {
  const all = report({ 'a.test.ts': ['passed', 'skipped'], 'b.test.ts': ['passed'] });
  expect(filesAgain(all, '/clone')).toEqual([]);
  expect(summary(all, undefined, '/clone')).toEqual(['2 passed, 0 failed']);
});

test('a file that fails, or that has no tests, is run again, and named where it then passes', () => {
  const first = report({ 'a.test.ts': ['passed', 'failed'], 'b.test.ts': [], 'c.test.ts': ['passed'] });
  expect(filesAgain(first, '/clone')).toEqual(['a.test.ts', 'b.test.ts']);
  expect(summary(first, undefined, '/clone')).toEqual(['2 passed, 2 failed']);
  const second = report({ 'a.test.ts': ['passed', 'passed'], 'b.test.ts': ['failed', 'passed'] });
  expect(summary(first, second, '/clone')).toEqual([
    'failed beside other files and passed alone: a.test.ts',
    '4 passed, 1 failed',
  ]);
});

test('where many files fail, none is run again', () => {
  const first = report({ a: ['failed'], b: ['failed'], c: ['failed'], d: ['failed'] });
  expect(filesAgain(first, '/clone')).toEqual([]);
  expect(summary(first, undefined, '/clone')).toEqual(['0 passed, 4 failed']);
});
