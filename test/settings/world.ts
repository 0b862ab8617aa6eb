import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { DocsError } from '../../src/base/errors.js';
import type { Io } from '../../src/base/io.js';
import type { Keychain } from '../../src/settings/keychain.js';

/** A fresh home with an empty environment; gone when the test is over. */
export interface World {
  home: string;
  configDir: string;
  configFile: string;
  credentialsFile: string;
  io: Io;
  /** The same world with more in the environment, or another working folder. */
  with(changes: {
    env?: Record<string, string>;
    cwd?: string;
    signal?: AbortSignal;
    sleep?: Io['sleep'];
  }): Io;
  /** Writes a file (an object as JSON) with the folders above it, for us alone. */
  write(path: string, content: unknown): string;
}

/** Whoever "another user" is in these tests. */
export const stranger = 65534;
export const isRoot = process.getuid?.() === 0;

export function freshWorld(): World {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'docs-settings-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const configDir = join(home, '.config', 'docs');
  const io = ioWith({ HOME: home }, home);
  return {
    home,
    configDir,
    configFile: join(configDir, 'config.json'),
    credentialsFile: join(configDir, 'credentials.json'),
    io,
    with: ({ env, ...changes }) => ({ ...io, ...changes, env: { ...io.env, ...env } }),
    write(path, content) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const text = typeof content === 'string' ? content : JSON.stringify(content);
      writeFileSync(path, text, { mode: 0o600 });
      return path;
    },
  };
}

function ioWith(env: Record<string, string>, cwd: string): Io {
  return {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    env,
    cwd,
    platform: 'linux',
    now: () => 0,
    random: () => 0.5,
    // Others get their turn, and no time passes.
    sleep: (_ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) reject(signal.reason);
        else setImmediate(resolve);
      }),
    signal: new AbortController().signal,
  };
}

/** A keychain in memory. */
export function fakeKeychain(problem?: string): Keychain & { entries: Map<string, string>; calls: string[] } {
  const entries = new Map<string, string>();
  const calls: string[] = [];
  return {
    entries,
    calls,
    async probe() {
      calls.push('probe');
      return problem;
    },
    async get(account) {
      calls.push(`get ${account}`);
      return entries.get(account);
    },
    async set(account, token) {
      calls.push(`set ${account}`);
      entries.set(account, token);
    },
    async delete(account) {
      calls.push(`delete ${account}`);
      return entries.delete(account);
    },
  };
}

/** Makes a path another user's: by giving it away, or, for who may not, by a link to a file of root. */
export function giveAway(path: string): void {
  if (isRoot) {
    chownSync(path, stranger, stranger);
  } else {
    rmSync(path, { force: true });
    symlinkSync('/etc/passwd', path);
  }
}

/** Takes every right to a path away. */
export function lockOut(path: string): void {
  chmodSync(path, 0o000);
}

/** What failed, for comparison in one look. */
export async function failureOf(act: () => unknown): Promise<Record<string, unknown>> {
  try {
    await act();
  } catch (error) {
    return (error as DocsError).toJSON();
  }
  throw new Error('It did not fail.');
}
