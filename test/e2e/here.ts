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
  const stdout = new FakeOutput();
  const stderr = new FakeOutput();
  const io: Io = {
    stdin: Readable.from([Buffer.from(stdin ?? '')]),
    stdout,
    stderr,
    env,
    cwd,
    platform: process.platform,
    now: Date.now,
    random: Math.random,
    sleep,
    signal: new AbortController().signal,
  };
  const code = await run(args, io);
  return { code, signal: null, stdout: stdout.text, stderr: stderr.text };
}

/** No wait before another attempt is as long as the shortest limit of a request that is over. */
const shortestDeadlineMs = 9_000;

/** Waits before another attempt are over at once; deadlines are not. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  const waitMs = ms >= shortestDeadlineMs ? ms : 1;
  await wait(waitMs, undefined, signal && { signal }).catch(() => signal?.throwIfAborted());
}
