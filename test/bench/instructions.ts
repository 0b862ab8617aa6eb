import { spawn } from 'node:child_process';
import { type Bench, isInstalled } from './bench.js';
import { type Subject, starts } from './processes.js';

/** What counts the instructions of a process: its number hardly depends on what else the machine does. */
const counter = 'valgrind';

/** Runs of each; the least counts, since V8's threads do more or less beside. */
const runs = 4;

/** One start, and by how much it may exceed an empty Node. */
interface Budgeted {
  what: string;
  words: readonly string[];
  code?: number;
  most: number;
}

/** A line of the table: millions of instructions, and what they come to. */
export interface Counted {
  what: string;
  millions: number;
  empty: number;
  bare?: number;
  most: number;
  met: boolean;
}

const get = { what: 'one GET as JSON', words: ['spaces', 'get', 's1', '--json'], most: 2.15 };

/** The six starts with their budgets, × an empty Node. */
const budgeted: readonly Budgeted[] = [
  ...starts.map(({ what, words, code, most }) => ({ what, words, code, most: most.instructions })),
  get,
];

/**
 * Counts the instructions of the six starts.
 * @returns undefined where valgrind is not installed
 */
export async function countStarts(bench: Bench): Promise<Counted[] | undefined> {
  if (!isInstalled(counter)) return undefined;
  const { url, env } = await bench.platform();
  const empty = await millionsOf(bench, { words: ['-e', '0'] });
  const bare = await millionsOf(bench, bench.bare('get', [`${url}/v1/spaces/s1`]));
  const counted: Counted[] = [];
  for (const { what, words, code, most } of budgeted) {
    const subject = bench.docs(words, { env, ...(code !== undefined && { code }) });
    // The first run fills the code cache.
    await bench.inTurns([subject], { runs: 1 });
    const millions = await millionsOf(bench, subject);
    const met = Number((millions / empty).toFixed(2)) <= most;
    counted.push({ what, millions, empty, most, met, ...(what === get.what && { bare }) });
  }
  return counted;
}

/** The table of instructions. */
export function instructionRows(counted: readonly Counted[]): string[][] {
  const number = (millions: number) => millions.toFixed(0);
  return [
    ['What', 'Millions', 'Empty Node', 'Bare script', '× empty', 'Budget', 'Met'],
    ...counted.map(({ what, millions, empty, bare, most, met }) => [
      ...[what, number(millions), number(empty), bare === undefined ? '–' : number(bare)],
      ...[(millions / empty).toFixed(2), most.toFixed(2), met ? 'yes' : 'no'],
    ]),
  ];
}

/** The least of some runs, in millions. */
async function millionsOf(bench: Bench, subject: Subject): Promise<number> {
  const counts: number[] = [];
  for (let run = 0; run < bench.runs(runs); run += 1) counts.push(await countOnce(bench, subject));
  return Math.min(...counts) / 1e6;
}

/** @throws Error where the process does not end as it should, or nothing was counted */
function countOnce({ env }: Bench, { words, env: own, code = 0 }: Subject): Promise<number> {
  const flags = ['--tool=callgrind', '--callgrind-out-file=/dev/null', '--smc-check=all-non-file'];
  return new Promise((done, fail) => {
    const child = spawn(counter, [...flags, process.execPath, ...words], {
      env: { ...env, ...own },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let told = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      told += text;
    });
    child.on('error', fail);
    child.on('close', (ended) => {
      const [, count] = /Collected : (\d+)/.exec(told) ?? [];
      if (ended === code && count !== undefined) done(Number(count));
      else fail(new Error(`${words.join(' ')} ended with ${ended}: ${told.slice(-500)}`));
    });
  });
}
