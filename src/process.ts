import { exitCodes } from './exit-codes.js';
import type { Io, Output } from './io.js';
import { run } from './main.js';
import { wholeOutput } from './output/file-output.js';

/**
 * Runs docs as a process: its streams, its environment, its signals. Sets the exit code and lets the
 * output drain; a signal is raised again at the end, so that a shell loop stops.
 */
export async function runProcess(): Promise<void> {
  const abort = new AbortController();
  let caught: NodeJS.Signals | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (caught !== undefined) die(signal);
    caught = signal;
    abort.abort(new Error(signal));
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  const code = await run(process.argv.slice(2), processIo(abort.signal));
  process.exitCode = code;
  process.off('SIGINT', onSignal);
  process.off('SIGTERM', onSignal);
  if (caught !== undefined) die(caught);
  else if (code === exitCodes.interrupted.code && process.stdin.isTTY) interruptGroup();
}

/** Dies by the signal itself: whoever started docs sees that, not an exit code. */
function die(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/**
 * In a prompt the terminal is raw and Ctrl-C a key like any other. What the terminal would have done is
 * done here: SIGINT for the whole group in the foreground, so that the loop of a shell stops as well.
 */
function interruptGroup(): void {
  process.kill(process.platform === 'win32' ? process.pid : 0, 'SIGINT');
}

function processIo(signal: AbortSignal): Io {
  let stdout: Output | undefined;
  return {
    // Node makes a stream when it is asked for, which takes its time: most runs need not all of them.
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      stdout ??= wholeOutput(process.stdout, 1);
      return stdout;
    },
    get stderr() {
      return process.stderr;
    },
    env: process.env,
    cwd: process.cwd(),
    platform: process.platform,
    now: Date.now,
    random: Math.random,
    sleep: async (ms, stop) => {
      const { setTimeout: wait } = await import('node:timers/promises');
      await wait(ms, undefined, stop === undefined ? {} : { signal: stop }).catch(() =>
        stop?.throwIfAborted(),
      );
    },
    signal,
  };
}
