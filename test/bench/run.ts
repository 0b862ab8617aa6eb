import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, type } from 'node:os';
import { parseArgs } from 'node:util';
import { Bench, type Built } from './bench.js';
import { countStarts } from './instructions.js';
import {
  instructionsText,
  jsonReport,
  type Machine,
  machineText,
  type Report,
  sideText,
  textTable,
  withResults,
} from './report.js';
import { type Result, resultOf } from './result.js';
import { rows } from './rows.js';
import { sideBySide } from './side-by-side.js';

const page = 'docs/contributing/performance.md';
/** The name, among those of rows, of the table of tools side by side. */
const tools = 'side-by-side';
/** And that of the table of instructions, which `--check` holds to their budgets. */
const instructions = 'instructions';

/**
 * Measures the rows and the tools side by side, and prints the tables; what it is doing goes to stderr.
 * @param argv `--only <row>` (repeatable), `--runs <most>`, `--json <file>`, `--write`; `--check` counts instructions alone,
 *   and fails where a start exceeds its budget
 * @throws Error for an unknown row, and where anything that is measured fails
 */
export async function runBenchmarks(argv: readonly string[], built: Built): Promise<void> {
  const { only, runs, json, write, check } = optionsOf(argv);
  const bench = new Bench(built, runs);
  for (const sentence of bench.missing) process.stderr.write(`${sentence}\n`);
  const report = await measure(bench, only).finally(() => bench.close());
  const { machine, results, sideBySide: sides, instructions: counted } = report;
  if (results.length > 0) process.stdout.write(`${machineText(machine)}\n\n${textTable(results)}`);
  if (sides !== undefined) process.stdout.write(`\n${sideText(sides)}`);
  if (counted !== undefined) process.stdout.write(`\n${instructionsText(counted)}`);
  const over = counted?.filter(({ met }) => !met) ?? [];
  if (check && (counted === undefined || over.length > 0)) process.exitCode = 1;
  if (json !== undefined) writeFileSync(json, jsonReport(report));
  if (write) writeFileSync(page, withResults(readFileSync(page, 'utf8'), report));
}

async function measure(bench: Bench, only: readonly string[]): Promise<Report> {
  const loadBefore = load();
  const results: Result[] = [];
  for (const name of only.filter((each) => each in rows)) {
    const measured = (await told(name, () => rows[name]?.(bench))) ?? [];
    results.push(...measured.map((each) => resultOf(name, each)));
  }
  const sides = only.includes(tools) ? await told(tools, () => sideBySide(bench)) : undefined;
  const counted = only.includes(instructions)
    ? await told(instructions, () => countStarts(bench))
    : undefined;
  if (only.includes(instructions) && counted === undefined)
    process.stderr.write('valgrind is not installed, so instructions are not counted.\n');
  return {
    ...{ machine: machineOf(loadBefore), results },
    ...(sides && { sideBySide: sides }),
    ...(counted && { instructions: counted }),
  };
}

/** Says what is measured, and how long that took. */
async function told<T>(name: string, measured: () => T): Promise<Awaited<T>> {
  process.stderr.write(`${name} … `);
  const startMs = performance.now();
  const result = await measured();
  process.stderr.write(`${((performance.now() - startMs) / 1000).toFixed(0)} s\n`);
  return result;
}

function optionsOf(argv: readonly string[]) {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      only: { type: 'string', multiple: true },
      runs: { type: 'string' },
      json: { type: 'string' },
      write: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
    },
  });
  const names = [...Object.keys(rows), tools, instructions];
  const { only = values.check ? [instructions] : names, runs, json, write, check } = values;
  const unknown = only.filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new Error(`No such row: ${unknown.join(', ')}; there are ${names.join(', ')}.`);
  // The table says how many runs each row had.
  if (write && (values.only !== undefined || check))
    throw new Error('The page holds a whole run: --write goes without --only and --check.');
  return { only, runs: runs === undefined ? undefined : Number(runs), json, write, check };
}

function machineOf(before: number): Machine {
  const node = process.versions.node.split('.', 1)[0] ?? '';
  return { cores: cpus().length, node, system: type(), load: { before, after: load() } };
}

function load(): number {
  return loadavg()[0] ?? 0;
}
