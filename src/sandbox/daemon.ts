import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { dirname } from 'node:path';
import { DocsError } from '../errors.js';
import type { Io } from '../io.js';
import { alivePath } from './server/alive.js';

/** A sandbox in the background, as its state file tells. */
export interface DaemonState {
  pid: number;
  url: string;
  /** The database. */
  file: string;
}

/** What is known of the sandbox in the background. */
export type DaemonStatus =
  | ({ running: true } & DaemonState)
  /** `stale`: what the state file of a server that is no more says. */
  | { running: false; stale?: DaemonState };

export interface DaemonOptions {
  /** Where its state is kept, 0600. */
  stateFile: string;
  file: string;
  /** A token of the database, for the sign of life. */
  token: string;
}

const pingTimeoutMs = 2000;
const pollMs = 50;
const stopPolls = 100;

/**
 * Starts a server in the background: the program with the given words, which prints a line of JSON
 * with its `url` once it listens. Where one runs already, that one is told.
 * @param program path of the program's script
 * @param words the words of its command that serves the sandbox
 * @throws DocsError `local-io` where it ends before it is ready; the message is its last line
 */
export async function startDaemon(
  options: DaemonOptions,
  program: string,
  words: readonly string[],
  env: Io['env'],
): Promise<DaemonState & { already: boolean }> {
  const status = await daemonStatus(options);
  if (status.running) return { pid: status.pid, url: status.url, file: status.file, already: true };
  const child = spawn(process.execPath, [program, ...words], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env },
  });
  const { url } = await untilReady(child);
  const state: DaemonState = { pid: child.pid ?? 0, url, file: options.file };
  mkdirSync(dirname(options.stateFile), { recursive: true, mode: 0o700 });
  writeFileSync(options.stateFile, `${JSON.stringify(state)}\n`, { mode: 0o600 });
  return { ...state, already: false };
}

/**
 * Ends the server in the background and waits until it is gone.
 * @returns whether one was running
 * @throws DocsError `local-io` where it does not end within 5 seconds
 */
export async function stopDaemon(options: DaemonOptions, io: Pick<Io, 'sleep'>): Promise<boolean> {
  const status = await daemonStatus(options);
  if (status.running) {
    process.kill(status.pid, 'SIGTERM');
    for (let poll = 0; isAlive(status.pid); poll += 1) {
      if (poll === stopPolls) {
        const message = `The sandbox (process ${status.pid}) does not end.`;
        throw new DocsError('local-io', 'does_not_stop', message, { hint: `kill -9 ${status.pid}` });
      }
      await io.sleep(pollMs);
    }
  }
  rmSync(options.stateFile, { force: true });
  return status.running;
}

/** Whether the server of the state file runs: its process is there, and answers to the database's token. */
export async function daemonStatus({ stateFile, token }: DaemonOptions): Promise<DaemonStatus> {
  const state = readState(stateFile);
  if (state === undefined) return { running: false };
  const running = isAlive(state.pid) && (await processAt(state.url, token)) === state.pid;
  return running ? { running, ...state } : { running, stale: state };
}

function readState(stateFile: string): DaemonState | undefined {
  try {
    const state = JSON.parse(readFileSync(stateFile, 'utf8')) as Partial<DaemonState>;
    const whole =
      typeof state.pid === 'number' && typeof state.url === 'string' && typeof state.file === 'string';
    return whole ? (state as DaemonState) : undefined;
  } catch {
    return undefined; // No file, or not one of ours: nothing is known to run.
  }
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Which process answers at the address; undefined where none does that knows the database's token. */
function processAt(url: string, token: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const options = { headers: { authorization: `Bearer ${token}` }, timeout: pingTimeoutMs };
    const request = get(url + alivePath, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text = (text + part).slice(0, 1000);
      });
      response.on('error', () => resolve(undefined));
      response.on('end', () => resolve(response.statusCode === 200 ? pidIn(text) : undefined));
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(undefined));
  });
}

function pidIn(text: string): number | undefined {
  try {
    return (JSON.parse(text) as { pid?: number }).pid;
  } catch {
    return undefined;
  }
}

/** Resolves with the child's first line, which says where it listens; then lets go of the child. */
function untilReady(child: ChildProcess): Promise<{ url: string }> {
  return new Promise((resolve, reject) => {
    let [out, err] = ['', ''];
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      const end = out.indexOf('\n');
      if (end < 0) return;
      child.stdout?.destroy();
      child.stderr?.destroy();
      child.unref();
      resolve(JSON.parse(out.slice(0, end)) as { url: string });
    });
    child.once('error', (cause) => reject(notStarted(cause.message, cause)));
    child.once('exit', (code) => {
      reject(notStarted(err.trim().split('\n')[0] || `it ended with exit code ${code}`));
    });
  });
}

function notStarted(why: string, cause?: unknown): DocsError {
  return new DocsError('local-io', 'not_started', `The sandbox did not start: ${why}`, { cause });
}
