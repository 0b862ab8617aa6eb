import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { docsFile, docsFirst } from '../started.js';
import { keepCode, takeCode } from './compiled.js';
import { runHere } from './here.js';

/** The built program, run as its users run it: a process of its own, an empty environment, a fresh home. */

export interface Ran {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Home {
  /** A folder that is HOME for every run. */
  readonly path: string;
  /** Further variables of every run. */
  env: Record<string, string>;
  /** Runs `docs` with these words; one that still runs at the deadline ends by SIGTERM, without an exit code. */
  run(
    args: readonly string[],
    options?: {
      stdin?: string | Uint8Array;
      env?: Record<string, string>;
      cwd?: string;
      deadlineMs?: number;
    },
  ): Promise<Ran>;
  /** The same, where success is expected: gives stdout. */
  ok(args: readonly string[], options?: { stdin?: string }): Promise<string>;
  /** The same with `--json`, parsed. */
  json<T = unknown>(args: readonly string[], options?: { stdin?: string }): Promise<T>;
  remove(): void;
}

/** Whether homes run the sources within this process. */
export const isHere = inject('layer') === 'world' && process.env.DOCS_BIN === undefined;

/** Path of the program as built for this test run (test/layers/built.ts), for what is told of the build itself. */
export const program: string = inject('program');

/**
 * Makes a fresh home with no settings.
 * @param compiled whether the compiled code that earlier homes have left may be there already
 */
export function freshHome(env: Record<string, string> = {}, { compiled = !isHere } = {}): Home {
  const path = mkdtempSync(join(tmpdir(), 'docs-home-'));
  if (compiled) takeCode(path);
  const home: Home = {
    path,
    env: { HOME: path, PATH: process.env.PATH ?? '', DOCS_CREDENTIAL_STORE: 'file', ...env },
    run: (args, { env: more, cwd = path, stdin, deadlineMs } = {}) =>
      (isHere ? runHere : runProgram)(args, { ...home.env, ...more }, cwd, stdin, { deadlineMs }),
    async ok(args, options) {
      const ran = await home.run(args, options);
      if (ran.code !== 0) throw new Error(`docs ${args.join(' ')} exited with ${ran.code}: ${ran.stderr}`);
      return ran.stdout;
    },
    async json<T>(args: readonly string[], options?: { stdin?: string }) {
      return JSON.parse(await home.ok([...args, '--json'], options)) as T;
    },
    remove() {
      if (compiled) keepCode(path);
      removeFolder(path);
    },
  };
  return home;
}

/** Removes a folder into which a background refresh of the completion cache may still be writing. */
function removeFolder(path: string): void {
  for (let triesLeft = 100; ; triesLeft -= 1)
    try {
      // Node's own retries do not look again at what came into a folder meanwhile.
      rmSync(path, { recursive: true, force: true });
      return;
    } catch (error) {
      if (triesLeft === 0 || (error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
}

/** Runs docs, or a copy of the build by its path, with these words, in an environment and a folder. */
export function runProgram(
  args: readonly string[],
  env: Record<string, string>,
  cwd: string,
  stdin: string | Uint8Array | undefined,
  { path, deadlineMs: timeout }: { path?: string; deadlineMs?: number | undefined } = {},
): Promise<Ran> {
  return new Promise((done, fail) => {
    const [file, first] = path === undefined ? [docsFile, docsFirst] : [process.execPath, [path]];
    const child = spawn(file, [...first, ...args], { env, cwd, stdio: 'pipe', timeout });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.stdin.on('error', () => {}); // A program that reads nothing closes its end early.
    child.stdin.end(stdin ?? '');
    child.on('error', fail);
    child.on('close', (code, signal) => done({ code, signal, stdout, stderr }));
  });
}
