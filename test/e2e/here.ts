import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { Io } from '../../src/io.js';
import { run } from '../../src/main.js';
import { FakeOutput } from '../fake-io.js';
import type { Ran } from './program.js';

/** What the built program does in a process of its own, done by the sources within the process of the test. */
export async function runHere(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string,
  stdin: string | Uint8Array | undefined,
): Promise<Ran> {
  const io = ioHere(env, cwd, { stdin: Readable.from([Buffer.from(stdin ?? '')]) });
  const code = await run(args, io);
  return { code, signal: null, stdout: io.stdout.text, stderr: io.stderr.text };
}

/** The world around such a run. */
export interface IoHere extends Io {
  stdout: FakeOutput;
  stderr: FakeOutput;
}

/** @param more what is not as for a run in a pipe, without input */
export function ioHere(
  env: Readonly<Record<string, string>>,
  cwd: string,
  more: Partial<IoHere> = {},
): IoHere {
  return {
    stdin: Readable.from([]),
    stdout: new FakeOutput(),
    stderr: new FakeOutput(),
    env,
    cwd,
    platform: process.platform,
    now: Date.now,
    random: Math.random,
    sleep,
    signal: new AbortController().signal,
    ...more,
  };
}

/** No wait before another attempt is as long as the shortest limit of a request that is over. */
const shortestDeadlineMs = 9_000;

/** Waits before another attempt are over at once; deadlines are not. */
const sleep: Io['sleep'] = (ms, signal) => sleepInFull(ms >= shortestDeadlineMs ? ms : 1, signal);

/** For a run that is told to end: it gives what is in flight some seconds. */
export async function sleepInFull(ms: number, signal?: AbortSignal): Promise<void> {
  await wait(ms, undefined, signal && { signal }).catch(() => signal?.throwIfAborted());
}
