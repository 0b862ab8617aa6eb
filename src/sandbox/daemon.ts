import type { ChildProcess } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { dirname } from 'node:path';
import { json } from 'node:stream/consumers';
import { type Static, Type } from '../api/type.js';
import { readJson } from '../api/validate.js';
import { startChild } from '../base/child-process.js';
import { DocsError } from '../base/errors.js';
import type { Io } from '../base/io.js';
import { isAlive } from '../base/lock.js';
import { makeFolders, readOwnFile } from '../base/own-files.js';
import { ownProgram } from '../base/own-program.js';
import { alivePath } from './server/front.js';

/** A background sandbox, as recorded in its state file. */
const DaemonState = Type.Object({ pid: Type.Number(), url: Type.String(), file: Type.String() });
export type DaemonState = Static<typeof DaemonState>;

/** `stale` is what the state file of a server that no longer runs says. */
type DaemonStatus = ({ running: true } & DaemonState) | { running: false; stale?: DaemonState };

export interface DaemonOptions {
  /** State file, mode 0600. */
  stateFile: string;
  file: string;
  /** A token of the database; the server answers it with its process id. */
  token: string;
}

/** A process that lives and does not answer is rare; one that is slow, on a busy machine, is not. */
const pingTimeoutMs = 10_000;
const pollMs = 50;
const stopPolls = 100;

/**
 * Starts a server in the background, unless one runs: this program with the arguments `words`, which
 * prints a line of JSON with its `url` once it listens.
 * @throws DocsError `local-io` if it exits before it is ready, with the first line of its errors
 */
export async function startDaemon(
  options: DaemonOptions,
  words: readonly string[],
  io: Pick<Io, 'env' | 'cwd'>,
): Promise<DaemonState & { already: boolean }> {
  const status = await daemonStatus(options);
  if (status.running) {
    const { running: _, ...state } = status;
    return { ...state, already: true };
  }
  const { program, args } = ownProgram();
  const child = startChild(io, program, [...args, ...words], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { url } = await untilReady(child);
  return { pid: child.pid ?? 0, url, file: options.file, already: false };
}

/** Records a server that listens, for those who ask for it. */
export function recordServer(stateFile: string, state: DaemonState): void {
  makeFolders(dirname(stateFile), 0o700);
  // Made anew, so that a link in its place is not followed.
  rmSync(stateFile, { force: true });
  writeFileSync(stateFile, `${JSON.stringify(state)}\n`, { mode: 0o600, flag: 'wx' });
}

/** Removes the record of a server that ends, unless it is that of another one by now. */
export function forgetServer(stateFile: string, { pid }: DaemonState): void {
  if (readState(stateFile)?.pid === pid) rmSync(stateFile, { force: true });
}

/**
 * Stops the background server, waits for its exit, and returns whether one was running.
 * @throws DocsError `local-io` if it does not stop within 5 seconds
 */
export async function stopDaemon(options: DaemonOptions, io: Pick<Io, 'sleep'>): Promise<boolean> {
  const status = await daemonStatus(options);
  if (status.running) {
    process.kill(status.pid, 'SIGTERM');
    for (let poll = 0; isAlive(status.pid); poll += 1) {
      if (poll === stopPolls) {
        const message = `the sandbox (process ${status.pid}) did not stop`;
        throw new DocsError('local-io', 'does_not_stop', message, { hint: `kill -9 ${status.pid}` });
      }
      await io.sleep(pollMs);
    }
  }
  rmSync(options.stateFile, { force: true });
  return status.running;
}

/**
 * Whether the recorded server runs: its process exists and answers to the database's token.
 * @throws DocsError configuration `unsafe_path` if the state file is not a regular file
 */
export async function daemonStatus({ stateFile, token }: DaemonOptions): Promise<DaemonStatus> {
  const state = readState(stateFile);
  if (state === undefined) return { running: false };
  const running = isAlive(state.pid) && (await processAt(state.url, token)) === state.pid;
  return running ? { running, ...state } : { running, stale: state };
}

function readState(stateFile: string): DaemonState | undefined {
  const text = readOwnFile(stateFile)?.toString('utf8');
  return text === undefined ? undefined : readJson(DaemonState, text);
}

/** The process that answers at the address; undefined unless it knows the database's token. */
function processAt(url: string, token: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const none = () => resolve(undefined);
    const options = {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(pingTimeoutMs),
    };
    const request = get(url + alivePath, options, (response) => {
      const read = json(response) as Promise<{ pid?: number } | null>;
      read.then((body) => resolve(response.statusCode === 200 ? body?.pid : undefined), none);
    });
    request.on('error', none);
  });
}

/** Resolves with the child's first line and detaches from the child. */
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
      reject(notStarted(err.trim().split('\n')[0] || `it exited with code ${code}`));
    });
  });
}

function notStarted(why: string, cause?: unknown): DocsError {
  return new DocsError('local-io', 'not_started', `the sandbox did not start: ${why}`, { cause });
}
