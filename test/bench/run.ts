import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, type } from 'node:os';
import { parseArgs } from 'node:util';
import { Bench, type Built } from './bench.js';
import { jsonReport, type Machine, machineText, textTable, withResults } from './report.js';
import { type Result, resultOf } from './result.js';
import { rows } from './rows.js';

const page = 'docs/contributing/performance.md';

/**
 * Measures the rows and prints the table; what it is doing goes to stderr.
 * @param argv `--only <row>` (repeatable), `--runs <most>`, `--json <file>`, `--write`
 * @throws Error for an unknown row, and where anything that is measured fails
 */
export async function runBenchmarks(argv: readonly string[], built: Built): Promise<void> {
  const { only, runs, json, write } = optionsOf(argv);
  const bench = new Bench(built, runs);
  const loadBefore = load();
  const results: Result[] = [];
  try {
    for (const name of only) {
      process.stderr.write(`${name} …\n`);
      const measured = (await rows[name]?.(bench)) ?? [];
      results.push(...measured.map((each) => resultOf(name, each)));
    }
  } finally {
    await bench.close();
  }
  const machine = machineOf(loadBefore);
  process.stdout.write(`${machineText(machine)}\n\n${textTable(results)}`);
  if (json !== undefined) writeFileSync(json, jsonReport(machine, results));
  if (write) writeFileSync(page, withResults(readFileSync(page, 'utf8'), machine, results));
}

function optionsOf(argv: readonly string[]) {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      only: { type: 'string', multiple: true },
      runs: { type: 'string' },
      json: { type: 'string' },
      write: { type: 'boolean', default: false },
    },
  });
  const { only = Object.keys(rows), runs, json, write } = values;
  const unknown = only.filter((name) => rows[name] === undefined);
  if (unknown.length > 0)
    throw new Error(`No such row: ${unknown.join(', ')}; there are ${Object.keys(rows).join(', ')}.`);
  const whole = values.only === undefined && runs === undefined;
  if (write && !whole) throw new Error('The page holds a whole run: --write goes without --only and --runs.');
  return { only, runs: runs === undefined ? undefined : Number(runs), json, write };
}

function machineOf(before: number): Machine {
  const node = process.versions.node.split('.', 1)[0] ?? '';
  return { cores: cpus().length, node, system: type(), load: { before, after: load() } };
}

function load(): number {
  return loadavg()[0] ?? 0;
}
