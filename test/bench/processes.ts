import { fork, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * What sends nothing: the words for each tool, and the goals of docs on Node and without it, and of its
 * instructions, × an empty Node.
 */
export const starts = [
  {
    ...{ what: '`--version`', words: ['--version'], code: 0 },
    ...{ most: { node: 1.1, binary: 0.25, instructions: 1.08 } },
    ...{ gh: { words: ['--version'] }, curl: { words: ['--version'] } },
  },
  {
    ...{ what: '`--help`', words: ['--help'], code: 0 },
    ...{ most: { node: 1.2, binary: 0.5, instructions: 1.32 } },
    ...{ gh: { words: ['--help'] }, curl: { words: ['--help'] } },
  },
  {
    ...{ what: 'help of a group', words: ['spaces', '--help'], code: 0 },
    ...{ most: { node: 1.2, binary: 0.5, instructions: 1.36 } },
    gh: { words: ['repo', '--help'] },
  },
  {
    ...{ what: 'a usage error', words: ['spaces', 'get', 's1', '--titel', 'x'], code: 2 },
    ...{ most: { node: 1.25, binary: 0.55, instructions: 1.46 } },
    ...{ gh: { words: ['repo', 'view', '--titel', 'x'], code: 1 }, curl: { words: ['--titel'], code: 2 } },
  },
  {
    ...{ what: 'completion', words: ['__complete', 'spaces', ''], code: 0 },
    ...{ most: { node: 1.25, binary: 0.45, instructions: 1.36 } },
    gh: { words: ['__complete', 'repo', ''] },
  },
] as const;

/** A process that is measured whole: from its start until its output has ended. */
export interface Subject {
  /** The program; Node unless given. */
  file?: string;
  /** Words after `node`, or after the program. */
  words: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Exit code that it is to end with; 0 unless given. */
  code?: number;
  /** Lines that it is to print, where that is known. */
  lines?: number;
  /** Called before each run, outside the time. */
  prepare?(): Promise<void> | void;
}

export interface Run {
  ms: number;
  /** The most memory that the process had at once, in MB; NaN where it was not measured. */
  memoryMb: number;
  /** Processor time of all its threads, its own and the system's for it; NaN where it was not measured. */
  processorMs: number;
}

/** What is not measured of a run unless it is asked for. */
export const unmeasured = { memoryMb: Number.NaN, processorMs: Number.NaN };

interface Measuring {
  /** Environment of every subject; nothing else is passed on. */
  env: Readonly<Record<string, string>>;
  /** Runs of each. */
  runs: number;
  /** Module that writes down a process's peak memory; loading it costs a little, so only where it is asked for. */
  memoryModule?: string;
  /** Script for Python that starts a process and writes down its processor time and peak memory, for any program. */
  watcher?: string;
}

/**
 * Runs subjects in turns, after one round that warms up and holds them to what they are to print. What runs before a
 * process changes its time, by up to a tenth, so each round has an order of its own.
 * @returns the runs of each, in the order of the subjects
 */
export async function inTurns(subjects: readonly Subject[], measuring: Measuring): Promise<Run[][]> {
  for (const subject of subjects) await runOnce(subject, measuring, true);
  const runs: Run[][] = subjects.map(() => []);
  for (let round = 0; round < measuring.runs; round += 1) {
    for (const [index, subject] of shuffled([...subjects.entries()])) {
      runs[index]?.push(await runOnce(subject, measuring, false));
    }
  }
  return runs;
}

function shuffled<T>(all: readonly T[]): T[] {
  const drawn = all.map((one) => [Math.random(), one] as const).sort(([a], [b]) => a - b);
  return drawn.map(([, one]) => one);
}

/**
 * Runs a process once.
 * @param checked whether the lines it prints are counted
 * @throws Error where it does not do what it should
 */
async function runOnce(subject: Subject, measuring: Measuring, checked: boolean): Promise<Run> {
  await subject.prepare?.();
  const folder = mkdtempSync(join(tmpdir(), 'docs-bench-run-'));
  const report = join(folder, 'report');
  const env = { ...measuring.env, ...subject.env, BENCH_MEMORY_FILE: report };
  const [file = '', ...words] = lineOf(subject, measuring, report);
  try {
    const { ms, code, lines, stderr } = await timed(file, words, env, checked);
    const wrongLines = checked && subject.lines !== undefined && subject.lines !== lines;
    if (code !== (subject.code ?? 0) || wrongLines)
      throw new Error(
        `${subject.file ?? 'node'} ${subject.words.join(' ')} ended with ${code} after ${lines} lines: ${stderr}`,
      );
    return { ms, ...unmeasured, ...reported(measuring, report) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The program that is started for a subject, and its words. */
function lineOf(subject: Subject, { memoryModule, watcher }: Measuring, report: string): string[] {
  const hook = memoryModule === undefined || subject.file !== undefined ? [] : ['--import', memoryModule];
  const line = [subject.file ?? process.execPath, ...hook, ...subject.words];
  return watcher === undefined ? line : ['python3', '-I', '-S', watcher, report, ...line];
}

/** What was written down of a process that has ended. */
function reported({ memoryModule, watcher }: Measuring, report: string): Partial<Run> {
  if (watcher !== undefined) return JSON.parse(readFileSync(report, 'utf8')) as Run;
  return memoryModule === undefined ? {} : { memoryMb: Number(readFileSync(report, 'utf8')) / 1e6 };
}

function timed(file: string, words: readonly string[], env: Record<string, string>, counted: boolean) {
  return new Promise<{ ms: number; code: number | null; lines: number; stderr: string }>((done, fail) => {
    let lines = 0;
    let stderr = '';
    const startMs = performance.now();
    const child = spawn(file, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.on('data', (chunk: Buffer) => {
      if (counted) lines += linesIn(chunk);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', fail);
    child.on('close', (code) => done({ ms: performance.now() - startMs, code, lines, stderr }));
  });
}

function linesIn(chunk: Buffer): number {
  let lines = 0;
  for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
  return lines;
}

/** A server of a benchmark, in a process of its own, so that it shares no event loop with anything. */
export interface Server {
  url: string;
  stop(): Promise<void>;
}

/** @param script prints its URL as its first message to the process that started it */
export function startServer(script: string, words: readonly string[] = []): Promise<Server> {
  const child = fork(script, [...words], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  return new Promise((started, fail) => {
    child.once('error', fail);
    child.once('exit', (code) => fail(new Error(`A server ended with ${code}.`)));
    child.once('message', (url) => {
      const stop = () => {
        child.kill();
        return ended;
      };
      started({ url: String(url), stop });
    });
  });
}
