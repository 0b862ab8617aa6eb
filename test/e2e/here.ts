import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { Io, Output } from '../../src/base/io.js';
import { run } from '../../src/main.js';
import { FakeOutput } from '../fake-io.js';
import type { Ran } from './program.js';

export interface Outputs {
  stdout?: FakeOutput;
  stderr?: FakeOutput;
  /** Of a process; there is none here. */
  deadlineMs?: number | undefined;
}

/**
 * What the built program does in a process of its own, done by the sources within the process of the test.
 * @param outputs in place of pipes
 */
export async function runHere(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string,
  stdin: string | Uint8Array | undefined,
  { stdout = new FakeOutput(), stderr = new FakeOutput() }: Outputs = {},
): Promise<Ran> {
  const input = Readable.from([Buffer.from(stdin ?? '')]);
  const code = await run(args, ioHere(env, cwd, { stdin: input, stdout, stderr }));
  return { code, signal: null, stdout: stdout.text, stderr: stderr.text };
}

/** The world around such a run. */
export interface IoHere<Stream extends Output = FakeOutput> extends Io {
  stdout: Stream;
  stderr: Stream;
}

/** @param more what is not as for a run in a pipe, without input */
export function ioHere(env: Readonly<Record<string, string>>, cwd: string, more?: Partial<IoHere>): IoHere;
export function ioHere<Stream extends Output>(
  env: Readonly<Record<string, string>>,
  cwd: string,
  more: Partial<Io> & { stdout: Stream; stderr: Stream },
): IoHere<Stream>;
export function ioHere(env: Readonly<Record<string, string>>, cwd: string, more: Partial<Io> = {}): Io {
  return {
    stdin: Readable.from([]),
    stdout: new FakeOutput(),
    stderr: new FakeOutput(),
    env,
    cwd,
    platform: process.platform,
    now: Date.now,
    random: Math.random,
    sleep: sleepHere,
    signal: new AbortController().signal,
    ...more,
  };
}

/** No wait before another attempt is as long as the shortest limit of a request. */
export const shortestDeadlineMs = 9_000;

/** Waits before another attempt are over at once; deadlines are not. */
export const sleepHere: Io['sleep'] = (ms, signal) => sleepInFull(ms >= shortestDeadlineMs ? ms : 1, signal);

/** For a run that is told to end: it gives what is in flight some seconds. */
export async function sleepInFull(ms: number, signal?: AbortSignal): Promise<void> {
  await wait(ms, undefined, signal && { signal }).catch(() => signal?.throwIfAborted());
}
