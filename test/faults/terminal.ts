import { randomUUID } from 'node:crypto';
import { spawn } from '@lydell/node-pty';
import { readToTheEnd } from '../e2e/terminal.js';
import { docsFile, docsFirst } from '../started.js';
import { expectNoProcess, expectNoStackTrace, expectNoToken } from './invariants.js';
import { token, until, type World } from './run.js';

/** The built program on a real terminal. What belongs to looks alone is tested in test/e2e/terminal.program.test.ts. */

export interface OnTerminal {
  readonly pid: number;
  /** Every byte that reached the terminal. */
  readonly bytes: string;
  /** Types keys: `\x03` is Ctrl-C. */
  type(keys: string): void;
  /** Waits until the bytes so far fit. */
  shows(pattern: RegExp): Promise<void>;
  readonly ended: Promise<{ code: number; signal: number | undefined; bytes: string }>;
}

export interface TerminalOptions {
  columns?: number;
  env?: Readonly<Record<string, string>>;
  /** The program to start instead; `docs` by default. */
  shell?: string;
}

/** Runs `docs` with these words, or a line of a shell, on a terminal. */
export function onTerminal(world: World, args: readonly string[], options: TerminalOptions = {}): OnTerminal {
  const { columns = 100, env, shell } = options;
  const [file, words] =
    shell === undefined ? [docsFile, [...docsFirst, ...args]] : ['bash', ['-c', shell, 'bash', ...args]];
  const mark = randomUUID();
  const terminal = spawn(file, words, {
    name: 'xterm',
    cols: Math.max(1, columns),
    rows: 30,
    cwd: world.work,
    env: { ...world.env, TERM: 'xterm', NO_COLOR: '1', ...env, FAULT_RUN: mark },
  });
  readToTheEnd(terminal);
  let bytes = '';
  let over = false;
  terminal.onData((text) => {
    bytes += text;
  });
  const ended = new Promise<{ code: number; signal: number | undefined; bytes: string }>((done, fail) => {
    terminal.onExit(({ exitCode, signal }) => {
      over = true;
      try {
        expectNoToken({ stdout: bytes, stderr: '' }, world.root, world.env.DOCS_TOKEN ?? token);
        expectNoStackTrace({ stdout: bytes, stderr: '' });
        expectNoProcess(terminal.pid, mark);
        done({ code: exitCode, signal: signal || undefined, bytes });
      } catch (cause) {
        fail(cause);
      }
    });
  });
  ended.catch(() => {});
  return {
    pid: terminal.pid,
    get bytes() {
      return bytes;
    },
    type: (keys) => terminal.write(keys),
    shows: (pattern) =>
      until(() => {
        if (over && !pattern.test(bytes)) throw new Error(`It ended without ${pattern}: ${bytes}`);
        return pattern.test(bytes);
      }),
    ended,
  };
}
