import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it, test } from 'vitest';
import { type Run, starts, unmeasured } from './processes.js';
import {
  jsonReport,
  type Machine,
  machineText,
  markdownTable,
  sideText,
  textTable,
  withResults,
} from './report.js';
import { compare, type Measured, median, quantile, resultOf } from './result.js';
import { rows } from './rows.js';
import { sideBySideOf } from './side-by-side.js';

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

it('compares what was measured one after the other', () => {
  expect(compare([30, 10, 20], [20, 10, 10])).toEqual({ ratio: 1.5, spread: [1.25, 1.75] });
  expect(compare([10, 20, 40], [20, 40, 80])).toEqual({ ratio: 0.5, spread: [0.5, 0.5] });
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
    ...{ row: 'x', ours: 20, theirs: 10, ratio: 1.5, runs: 3, memory: { ours: 95, theirs: 120 } },
  });
});

it('holds a goal against processor time too, where it was measured', () => {
  const processor = { ours: [13], theirs: [10] };
  const times = { ...measured, ours: [10], theirs: [10] };
  expect(resultOf('x', times)).toMatchObject({ ratio: 1, met: true });
  expect(resultOf('x', { ...times, processor })).toMatchObject({ ratio: 1, processor: 1.3, met: false });
});

it('makes a table of it, for a page and for a terminal', () => {
  const memory = { ours: [95], theirs: [120] };
  const result = resultOf('x', { ...measured, memory });
  const other = resultOf('y', { ...measured, processor: { ours: [12], theirs: [10] } });
  expect(markdownTable([result]).split('\n')).toEqual([
    '| What | Against | Goal | Ratio | Spread | Processor | Ours | Theirs | Peak memory | Runs | Met |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    '| `docs x` | `node -e 0` | ≤ 1.25 | 1.50 | 1.25–1.75 |  | 20.0 ms | 10.0 ms | 95 MB, 120 MB | 3 | no |',
    '',
  ]);
  expect(textTable([result, other]).split('\n').slice(1)).toEqual([
    'docs x  node -e 0  ≤ 1.25  1.50   1.25–1.75             20.0 ms  10.0 ms  95 MB, 120 MB  3     no',
    'docs x  node -e 0  ≤ 1.25  1.50   1.25–1.75  1.20       20.0 ms  10.0 ms                 3     no',
    '',
  ]);
  const report = { machine, results: [result] };
  expect(JSON.parse(jsonReport(report))).toEqual(report);
});

const run = (ms: number, memoryMb: number): Run => ({ ms, memoryMb, processorMs: ms / 2 });
const sides = sideBySideOf(
  [
    { what: '`--help`', empty: [run(10, 40)], sides: { docs: [run(12, 41)], gh: [run(25, 30)] } },
    {
      ...{ what: 'one GET as JSON', empty: [run(10, 40), run(30, 42)] },
      sides: { docs: [run(20, 50), run(40, 52)], bare: [28, 32].map((ms) => ({ ms, ...unmeasured })) },
    },
  ],
  { versions: { gh: '2.1', curl: undefined }, missing: ['curl is not installed.'], bareLoop: 'a `loop`' },
);

it('puts tools side by side, and says what is missing', () => {
  expect(sideText(sides).split('\n')).toEqual([
    '× node -e 0: wall, processor  docs on Node  gh 2.1      a bare Node script',
    '--help                        1.20, 1.20    2.50, 2.50  –',
    'one GET as JSON               1.67, 1.67    –           1.93',
    'peak memory at a GET          51 MB         –           –',
    '',
    'Medians of 1 or 2 runs in turns. An empty Node takes 41 MB. The bare list is a loop. curl is not installed.',
    '',
  ]);
});

it('leaves out memory where none was measured', () => {
  const line = { what: 'one GET as JSON', empty: [{ ms: 10, ...unmeasured }] };
  const table = sideBySideOf([{ ...line, sides: { docs: [{ ms: 20, ...unmeasured }] } }], {
    ...{ versions: {}, missing: [], bareLoop: 'a loop' },
  });
  expect(table.lines).toEqual([['one GET as JSON', '2.00']]);
  expect(table.notes).toEqual(['Medians of 1 runs in turns.', 'The bare list is a loop.']);
});

it('puts the tables between the marks of a page, with the machine in plain words', () => {
  const page = `before
<!-- measured -->
old $& text
<!-- end -->
between
<!-- side by side -->
<!-- end -->
after
`;
  const results = [resultOf('x', measured)];
  const text = withResults(page, { machine, results, sideBySide: sides });
  expect(machineText(machine)).toBe(
    '2 cores, Node 20, Linux; load 0.1 before the first row, 1.3 after the last.',
  );
  expect(text).toBe(`before
<!-- measured -->

${machineText(machine)}

${markdownTable(results)}
<!-- end -->
between
<!-- side by side -->

| × \`node -e 0\`: wall, processor | docs on Node | gh 2.1 | a bare Node script |
| --- | --- | --- | --- |
| \`--help\` | 1.20, 1.20 | 2.50, 2.50 | – |
| one GET as JSON | 1.67, 1.67 | – | 1.93 |
| peak memory at a GET | 51 MB | – | – |

${sides.notes.join('\n')}

<!-- end -->
after
`);
  expect(withResults(text, { machine, results, sideBySide: sides })).toBe(text);
  expect(() => withResults('no marks', { machine, results })).toThrow('<!-- measured -->');
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
  ['local', ['starts.map', 'most: 1.2 ']],
  ['binary', ['...starts', 'binary: 0.8', 'mostMb = 60', 'most: 1 ']],
  ['get', ['docs spaces get <id> --json', 'most: 1.35']],
  ['list-ndjson', ['docs members list -o ndjson', '100_000', 'most: 1 ']],
  ['list-memory', ['100_000', '1_000_000', 'memory: true', 'most: 1 }']],
  ['list-formats', ["'json'", "'csv'", "'tsv'", 'most: 1.3 ']],
  [
    'deletions',
    ['deletions = 2000', 'concurrency = 8', 'answerMs = 20', 'what, 1.2,', 'busy machine`, 1.35,'],
  ],
  ['org-read', ['mostRequests = 160', 'atOnce = 8', 'answerMs = 20', 'most: 1.25']],
  ['plan-apply', ['operations = 2000', 'concurrency = 8', 'answerMs = 20', 'most: 1.3 ']],
  [
    'org-plan',
    ['concurrency = 8', 'answerMs = 20', 'ratio: 1.25, requests: 160', 'ratio: 1.2, requests: 80'],
  ],
  ['org-members', ["'huge'", 'mostMb = 300', 'most: 1 ']],
  ['sandbox-get', ["'--sandbox', 'spaces', 'get'", 'most: 1.4']],
  ['sandbox-requests', ['limit=1000', "'PATCH'", 'least: 0.4']],
  ['seed-huge', ["'seed', 'huge'", 'starts = 100', 'most: 1 ']],
])('the goal that %s measures is the one of the project', (row, words) => {
  const script = readFileSync(`test/bench/rows/${row}.ts`, 'utf8');
  expect(words.filter((word) => !script.includes(word))).toEqual([]);
});

it('the goals of starts are those of the project', () => {
  expect(starts.map(({ what, most }) => [what, most.node, most.binary])).toEqual([
    ['`--version`', 1.1, 0.25],
    ['`--help`', 1.2, 0.5],
    ['help of a group', 1.2, 0.5],
    ['a usage error', 1.25, 0.55],
    ['completion', 1.25, 0.45],
  ]);
});
