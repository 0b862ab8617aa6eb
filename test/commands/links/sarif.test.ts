import { expect, test } from 'vitest';
import { sarif } from '../../../src/commands/links/reports.js';
import { finding, looked, unread, written } from './a-check.js';

/** SARIF 2.1.0: what the standard requires, and what code scanning needs to know a finding again. */

interface Result {
  ruleId: string;
  ruleIndex: number;
  level: string;
  message: { text: string };
  locations: { physicalLocation: { artifactLocation: { uri: string } } }[];
  partialFingerprints: Record<string, string>;
}

interface Log {
  version: string;
  runs: {
    tool: { driver: { name: string; rules: { id: string }[] } };
    results: Result[];
    invocations: {
      executionSuccessful: boolean;
      toolExecutionNotifications: { message: { text: string } }[];
    }[];
  }[];
}

const logOf = (...args: Parameters<typeof looked>[]): Log['runs'][number] => {
  const log = JSON.parse(
    written(
      sarif(),
      args.map((one) => looked(...one)),
    ),
  ) as Log;
  expect(log.version).toBe('2.1.0');
  expect(log.runs).toHaveLength(1);
  return log.runs[0] as Log['runs'][number];
};

test('every result has a rule of the driver, a message, a place and a fingerprint', () => {
  const two = [finding(), finding({ status: 'in-app', fingerprint: 'e'.repeat(32) })];
  const { tool, results, invocations } = logOf([two], [[]], [[finding({ status: 'ok' })]]);
  expect(tool.driver.name).toBe('docs');
  expect(results.map(({ ruleId, level }) => [ruleId, level])).toEqual([
    ['broken-link', 'error'],
    ['in-app-link', 'warning'],
    ['working-link', 'none'],
  ]);
  for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
  expect(results[0]).toMatchObject({
    message: { text: 'broken link on Setup (Guide): ../gone.md' },
    locations: [{ physicalLocation: { artifactLocation: { uri: 'https://app.example/s/s1/setup' } } }],
    partialFingerprints: { 'docsLink/v1': 'f'.repeat(32) },
  });
  expect(invocations).toEqual([{ executionSuccessful: true, toolExecutionNotifications: [] }]);
});

test('without findings the list of results is there and empty', () => {
  expect(logOf([[]]).results).toEqual([]);
});

test('what was not read makes the run unsuccessful and is named', () => {
  const [invocation] = logOf([[], { unread: [unread] }]).invocations;
  expect(invocation?.executionSuccessful).toBe(false);
  expect(invocation?.toolExecutionNotifications[0]?.message.text).toBe(
    'not read: space Secret <plans> (s9): The platform answered 500.',
  );
});

test('brackets and braces of a link are neither links nor placeholders', () => {
  const { results } = logOf([[finding({ link: '[click](1) {0}\u001b[31m' })]]);
  expect(results[0]?.message.text).toContain('\\[click\\](1) {{0}}␛\\[31m');
});

test('the place of a page is its file where it has one, else an address made of ids', () => {
  const inGit = finding({ page: { id: 'p1', file: 'docs/set up#1.md' } });
  const bare = finding({ page: { id: 'p 1' } });
  const uris = logOf([[inGit, bare]]).results.map(
    ({ locations }) => locations[0]?.physicalLocation.artifactLocation.uri,
  );
  expect(uris).toEqual(['docs/set%20up%231.md', 'spaces/s1/pages/p%201']);
});
