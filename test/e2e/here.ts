import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { Io } from '../../src/io.js';
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
  const io = { ...ioHere({ env, cwd }), stdout, stderr, stdin: Readable.from([Buffer.from(stdin ?? '')]) };
  const code = await run(args, io);
  return { code, signal: null, stdout: stdout.text, stderr: stderr.text };
}

/** This machine as a run sees it, without the streams. */
export function ioHere(place: Pick<Io, 'env' | 'cwd'>): Omit<Io, 'stdin' | 'stdout' | 'stderr'> {
  return {
    ...place,
    platform: process.platform,
    now: Date.now,
    random: Math.random,
    sleep: sleepHere,
    signal: new AbortController().signal,
  };
}

/** No wait before another attempt is as long as the shortest limit of a request. */
const shortestDeadlineMs = 9_000;

/** Waits before another attempt are over at once; deadlines are not. */
export async function sleepHere(ms: number, signal?: AbortSignal): Promise<void> {
  const waitMs = ms >= shortestDeadlineMs ? ms : 1;
  await wait(waitMs, undefined, signal && { signal }).catch(() => signal?.throwIfAborted());
}
