import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Ran as Ended } from '../e2e/program.js';
import { expectNoProcess } from './invariants.js';
import type { RunOptions, Started } from './run.js';

/** Starts a program; when it has ended nothing of it may be left. */
export function startProgram(
  [file = '', ...args]: readonly string[],
  { env, cwd, stdin = '', unread = false }: RunOptions & { cwd: string },
): Started {
  const mark = randomUUID();
  const child = spawn(file, args, {
    env: { ...env, FAULT_RUN: mark },
    cwd,
    stdio: 'pipe',
    // A process group of its own: whatever is left of it can be found.
    detached: true,
  });
  const text = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    if (name === 'stdout' && unread) continue;
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      text[name] += chunk;
    });
  }
  child.stdin.on('error', () => {}); // A program that reads nothing closes its end early.
  child.stdin.end(stdin);
  const ended = new Promise<Ended>((done, fail) => {
    child.on('error', fail);
    child.on('close', (code, signal) => done({ code, signal, ...text }));
  }).then((end) => {
    expectNoProcess(child.pid ?? 0, mark);
    return end;
  });
  return {
    child,
    get stdout() {
      return text.stdout;
    },
    get stderr() {
      return text.stderr;
    },
    kill: (signal) => child.kill(signal),
    ended,
  };
}
