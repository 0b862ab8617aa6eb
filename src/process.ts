import { DocsError } from './errors.js';
import { exitCodes } from './exit-codes.js';
import type { Input, Io, Output } from './io.js';
import { run } from './main.js';
import { ownOutput } from './output/own-output.js';
import { ownInput } from './own-input.js';

/**
 * Runs docs with the process's streams and signals; raises a caught signal again at the end.
 * @param refused why the start fails
 */
export async function runProcess(refused?: DocsError): Promise<void> {
  const abort = new AbortController();
  let caught: NodeJS.Signals | undefined;
  let lent = 0;
  let written = 0;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (written > 0 && signal === 'SIGINT') return;
    if (caught !== undefined && (lent === 0 || signal !== 'SIGINT')) die(signal);
    caught = signal;
    abort.abort(new Error(signal));
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  let isTaken = false;
  const signalTaken = () => {
    isTaken = true;
  };
  const lendTerminal = (use: 'reading' | 'writing' = 'reading') => {
    const isWritten = use === 'writing' ? 1 : 0;
    lent += 1;
    written += isWritten;
    return () => {
      lent -= 1;
      written -= isWritten;
    };
  };
  const code = await run(
    process.argv.slice(2),
    processIo(abort.signal, { signalTaken, lendTerminal }),
    refused,
  );
  process.exitCode = code;
  process.off('SIGINT', onSignal);
  process.off('SIGTERM', onSignal);
  if (caught !== undefined && !isTaken) die(caught);
  else if (code === exitCodes.interrupted.code && process.stdin.isTTY) interruptGroup();
}

/** Ends by the signal itself, so that the caller, such as a shell loop, sees it and stops. */
function die(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/**
 * During a prompt the terminal is in raw mode, where Ctrl-C sends no signal. Sends SIGINT to the foreground
 * process group, as the terminal would, so that a shell loop stops as well.
 */
function interruptGroup(): void {
  process.kill(process.platform === 'win32' ? process.pid : 0, 'SIGINT');
}

function processIo(signal: AbortSignal, about: Pick<Io, 'signalTaken' | 'lendTerminal'>): Io {
  let stdin: Input | undefined;
  let stdout: Output | undefined;
  let stderr: Output | undefined;
  return {
    // Node creates a standard stream on first access, which takes time; most runs do not need all three.
    get stdin() {
      stdin ??= ownInput(() => process.stdin);
      return stdin;
    },
    get stdout() {
      stdout ??= ownOutput(1, () => process.stdout);
      return stdout;
    },
    get stderr() {
      stderr ??= ownOutput(2, () => process.stderr);
      return stderr;
    },
    env: process.env,
    // Only then it fails, as an error of the command, where the folder was removed.
    get cwd() {
      return currentFolder();
    },
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
    ...about,
  };
}

/** @throws DocsError local-io where the current folder was removed, or must not be read */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    const message = 'The current folder no longer exists, or may not be read. Change to another folder.';
    throw new DocsError('local-io', 'no_current_folder', message, { cause, hint: 'cd' });
  }
}
