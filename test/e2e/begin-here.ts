import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Io } from '../../src/base/io.js';
import { run } from '../../src/main.js';
import { ioHere, sleepInFull } from './here.js';
import type { Begun } from './job-home.js';

/**
 * Begins docs within the process of the test. SIGINT and SIGTERM end it as they end the program; after SIGKILL the disk
 * is as it was at that moment, whatever the run still did before it was gone.
 */
export function beginHere(
  args: readonly string[],
  env: Record<string, string>,
  cwd: string,
  clock?: Pick<Io, 'now' | 'sleep'>,
): Begun {
  const stop = new AbortController();
  const io = ioHere(env, cwd, { signal: stop.signal, ...clock });
  const { sleep } = io;
  let killed: NodeJS.Signals | null = null;
  // What is told to end gives what is in flight some seconds.
  io.sleep = (ms, signal) => (killed === null || killed === 'SIGKILL' ? sleep : sleepInFull)(ms, signal);
  let restore = () => {};
  let printed = () => ({ stdout: io.stdout.text, stderr: io.stderr.text });
  const kill = (signal: NodeJS.Signals): void => {
    if (killed !== null) return;
    killed = signal;
    if (signal === 'SIGKILL') {
      restore = diskOf(env.HOME ?? cwd);
      const then = printed();
      printed = () => then;
    }
    stop.abort(new Error(signal));
  };
  const ended = run(args, io).then((code) => {
    restore();
    return { code: killed === null ? code : null, signal: killed, ...printed() };
  });
  return { kill, ended };
}

/** The files of a home as they are now, but for the platform's and the locks, which hold nothing without their process. */
function diskOf(home: string): () => void {
  const files = () =>
    readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith('sandbox.db'))
      .map(({ parentPath, name }) => join(parentPath, name));
  const isLock = (path: string) => /\.(?:running|lock)$/.test(path);
  const then = new Map(files().map((path) => [path, readFileSync(path)]));
  return () => {
    for (const path of files()) if (!then.has(path) || isLock(path)) rmSync(path);
    for (const [path, bytes] of then) {
      if (isLock(path)) continue;
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, bytes, { mode: 0o600 });
    }
  };
}
