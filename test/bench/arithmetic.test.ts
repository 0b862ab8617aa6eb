import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it, test } from 'vitest';
import { jsonReport, type Machine, machineText, markdownTable, textTable, withResults } from './report.js';
import { type Measured, resultOf } from './result.js';
import { rows } from './rows.js';
import { compare, median, quantile } from './statistics.js';

/** The arithmetic of the benchmarks, and that there is a script for each goal. The benchmarks themselves run by hand. */

const measured: Measured = {
  ...{ what: '`docs x`', against: '`node -e 0`', goal: { most: 1.25 }, unit: 'ms' },
  ...{ ours: [30, 10, 20], theirs: [20, 10, 10] },
};
const machine: Machine = { cores: 2, node: '20', system: 'Linux', load: { before: 0.1, after: 1.26 } };

it('takes the middle of what was measured, and quartiles between two values in proportion', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
  expect(quantile([0, 10, 20, 30, 40], 0.25)).toBe(10);
  expect(quantile([0, 10], 0.75)).toBe(7.5);
  expect(() => median([])).toThrow('nothing');
});

it('compares medians, and spreads the ratios of pairs', () => {
  expect(compare([30, 10, 20], [20, 10, 10])).toEqual({ ratio: 2, spread: [1.25, 1.75] });
  expect(() => compare([1], [1, 2])).toThrow('pairs');
});

test.each([
  ['at most', { most: 1.25 }, [125], true],
  ['at most, as shown', { most: 1.25 }, [125.4], true],
  ['at most', { most: 1.25 }, [126], false],
  ['at least', { least: 0.4 }, [40], true],
  ['at least', { least: 0.4 }, [39], false],
])('a goal of %s %j is held against the ratio of %j to 100', (_, goal, ours, met) => {
  expect(resultOf('x', { ...measured, goal, ours, theirs: [100] }).met).toBe(met);
});

it('tells medians and memory of each side', () => {
  const memory = { ours: [90, 100, 95], theirs: [120, 110, 130] };
  expect(resultOf('x', { ...measured, memory })).toMatchObject({
    ...{ row: 'x', ours: 20, theirs: 10, ratio: 2, runs: 3, memory: { ours: 95, theirs: 120 } },
  });
});

it('makes a table of it, for a page and for a terminal', () => {
  const memory = { ours: [95], theirs: [120] };
  const result = resultOf('x', { ...measured, memory });
  expect(markdownTable([result]).split('\n')).toEqual([
    '| What | Against | Goal | Ratio | Spread | Ours | Theirs | Peak memory | Runs | Met |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    '| `docs x` | `node -e 0` | ≤ 1.25 | 2.00 | 1.25–1.75 | 20.0 ms | 10.0 ms | 95 MB, 120 MB | 3 | no |',
    '',
  ]);
  expect(textTable([result]).split('\n')[1]).toBe(
    'docs x  node -e 0  ≤ 1.25  2.00   1.25–1.75  20.0 ms  10.0 ms  95 MB, 120 MB  3     no',
  );
  expect(JSON.parse(jsonReport(machine, [result]))).toEqual({ machine, results: [result] });
});

it('puts the table between the marks of a page, with the machine in plain words', () => {
  const page = 'before\n<!-- measured -->\nold $& text\n<!-- end -->\nafter\n';
  const text = withResults(page, machine, [resultOf('x', measured)]);
  expect(machineText(machine)).toBe(
    '2 cores, Node 20, Linux; load 0.1 before the first row, 1.3 after the last.',
  );
  expect(text).toBe(
    `before\n<!-- measured -->\n\n${machineText(machine)}\n\n${markdownTable([resultOf('x', measured)])}\n<!-- end -->\nafter\n`,
  );
  expect(withResults(text, machine, [resultOf('x', measured)])).toBe(text);
  expect(() => withResults('no marks', machine, [])).toThrow('<!-- measured -->');
});

it('has a script for each row, and a row for each script', () => {
  const scripts = readdirSync('test/bench/rows').map((name) => name.replace(/\.ts$/, ''));
  expect(Object.keys(rows).sort()).toEqual(scripts.sort());
  for (const name of [
    'bare/get.ts',
    'bare/list.ts',
    'servers/platform.ts',
    'servers/replayed.ts',
    'servers/stored.ts',
  ])
    expect(existsSync(`test/bench/${name}`)).toBe(true);
});

test.each([
  ['version', ['docs --version', 'most: 1.1']],
  ['local', ['docs --help', 'docs spaces --help', 'a usage error', 'completion', 'most: 1.25']],
  ['get', ['docs spaces get <id> --json', 'most: 1.35']],
  ['list-ndjson', ['docs members list -o ndjson', '100_000', 'most: 1 ']],
  ['list-memory', ['100_000', '1_000_000', 'memory: true', 'most: 1 }']],
  ['list-formats', ["'json'", "'csv'", "'tsv'", 'most: 1.3 ']],
  ['deletions', ['deletions = 2000', 'concurrency = 8', 'answerMs = 20', 'most: 1.25']],
  ['org-read', ['mostRequests = 160', 'atOnce = 8', 'answerMs = 20', 'most: 1.25']],
  ['plan-apply', ['operations = 2000', 'concurrency = 8', 'answerMs = 20', 'most: 1.3 ']],
  ['org-plan', ['concurrency = 8', 'answerMs = 20', 'mostRequests = 160', 'most: 1.25']],
  ['org-members', ["'huge'", 'mostMb = 300', 'most: 1 ']],
  ['sandbox-get', ["'--sandbox', 'spaces', 'get'", 'most: 1.8 ']],
  ['sandbox-requests', ['limit=1000', "'PATCH'", 'least: 0.4']],
  ['seed-huge', ["'seed', 'huge'", 'starts = 100', 'most: 1 ']],
])('the goal that %s measures is the one of the project', (row, words) => {
  const script = readFileSync(`test/bench/rows/${row}.ts`, 'utf8');
  expect(words.filter((word) => !script.includes(word))).toEqual([]);
});
