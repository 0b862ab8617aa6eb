import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { docsFile, docsFirst, docsWords } from '../started.js';
import { beginHere } from './begin-here.js';
import { freshHome, type Home, type Ran } from './program.js';

/** A home whose journals a test reads, and programs that it stops in the middle. */
export interface JobHome extends Home {
  /** Path of the folder of journals. */
  readonly journals: string;
  /** Texts of all journals, the newest last. */
  journalTexts(): string[];
  /** Paths of all journals, the oldest first. */
  journalPaths(): string[];
  /** Starts the program without waiting for its end. */
  start(args: readonly string[], env?: Record<string, string>): Running;
  /** Begins `docs`, in whatever way this layer runs it, without waiting for its end. */
  begin(args: readonly string[]): Begun;
}

export interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ran>;
}

/** A run that a test ends. */
export interface Begun {
  kill(signal: NodeJS.Signals): void;
  readonly ended: Promise<Ran>;
}

const here = inject('layer') === 'world' && process.env.DOCS_BIN === undefined;

/** Begins docs without waiting for its end: the program, or the sources within the process of the test. */
export function begin(args: readonly string[], env: Record<string, string>, cwd: string): Begun {
  if (here) return beginHere(args, env, cwd);
  const { child, ended } = startProgram(args, env, cwd);
  return { kill: (signal) => void child.kill(signal), ended };
}

export function jobHome(env: Record<string, string>): JobHome {
  const home = freshHome(env);
  const journals = join(home.path, '.local', 'state', 'docs', 'jobs');
  const journalPaths = () =>
    readdirSync(journals)
      .filter((name) => name.endsWith('.jsonl'))
      .sort()
      .map((name) => join(journals, name));
  return Object.assign(home, {
    journals,
    journalPaths,
    journalTexts: () => journalPaths().map((path) => readFileSync(path, 'utf8')),
    start: (args: readonly string[], more: Record<string, string> = {}) =>
      startProgram(args, { ...home.env, ...more }, home.path),
    begin: (args: readonly string[]) => begin(args, home.env, home.path),
  });
}

/** Starts the program without waiting for its end. */
export function startProgram(args: readonly string[], env: Record<string, string>, cwd: string): Running {
  const child = spawn(docsFile, [...docsFirst, ...args], { env, cwd, stdio: 'pipe' });
  return { child, ended: endOf(child) };
}

function endOf(child: ChildProcessWithoutNullStreams): Promise<Ran> {
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin.on('error', () => {});
  child.stdin.end();
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', (code, signal) => done({ code, signal, stdout, stderr }));
  });
}

/**
 * Runs docs in a shell in which no file may grow beyond so many kB: what a full disk is to one file, and needs no rights.
 */
export function runLimited(
  kilobytes: number,
  args: readonly string[],
  { env, path }: Pick<Home, 'env' | 'path'>,
): Promise<Ran> {
  const script = `ulimit -f ${kilobytes}; exec "$0" "$@"`;
  return runShell(['bash', '-c', script, ...docsWords, ...args], env, path);
}

/** Runs a program, such as a shell that runs docs. */
export function runShell(
  [command = '', ...words]: readonly string[],
  env: Record<string, string>,
  cwd: string,
): Promise<Ran> {
  return endOf(spawn(command, words, { env, cwd, stdio: 'pipe' }));
}

/** What a journal says of each item: the outcomes in their order. */
export function outcomes(journal: string): Map<number, string[]> {
  const found = new Map<number, string[]>();
  for (const text of journal.split('\n').slice(1, -1)) {
    const { item, is, restored } = JSON.parse(text) as { item: number; is: string; restored?: string };
    // After an undo, a further line tells what a read showed: that is no second outcome.
    if (is !== 'planned' && is !== 'started' && restored === undefined)
      found.set(item, [...(found.get(item) ?? []), is]);
  }
  return found;
}

/** An error as `--json` prints it. */
export interface Failure {
  code: string;
  exitCode: number;
  message: string;
  hint?: string;
  outcome?: string;
  details?: Record<string, unknown>;
}

/** The error that `--json` put on the last line of stderr. */
export function failure(stderr: string): Failure {
  return (JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as { error: Failure }).error;
}
