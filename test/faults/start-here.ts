import { Readable } from 'node:stream';
import { run } from '../../src/main.js';
import type { Clock } from '../api/transport/clock.js';
import { ioHere } from '../e2e/here.js';
import { FakeOutput } from '../fake-io.js';
import type { RunOptions, Started } from './run.js';

/** Runs docs by its sources, within this process. */
export function startHere(
  args: readonly string[],
  {
    env,
    cwd,
    clock,
    stdin,
    columns,
    failWith,
  }: RunOptions & { env: Readonly<Record<string, string>>; cwd: string; clock: Clock },
): Started {
  const interrupt = new AbortController();
  const output = () => new FakeOutput({ terminal: columns !== undefined, columns });
  const io = ioHere(env, cwd, {
    stdin: Readable.from([Buffer.from(stdin ?? '')]),
    ...{ stdout: output(), stderr: output() },
    now: () => clock.nowMs,
    sleep: clock.sleep,
    signal: interrupt.signal,
  });
  io.stdout.failWith = failWith;
  return {
    get child(): never {
      throw new Error('A world test starts no process.');
    },
    get stdout() {
      return io.stdout.text;
    },
    get stderr() {
      return io.stderr.text;
    },
    // As the start of the program does with a signal.
    kill: (signal) => interrupt.abort(new Error(signal)),
    ended: run(args, io).then((code) => ({
      code,
      signal: null,
      stdout: io.stdout.text,
      stderr: io.stderr.text,
    })),
  };
}
