import { afterAll } from 'vitest';
import { runHere } from './here.js';
import { freshHome, type Home } from './program.js';
import { type Started, startSandbox } from './sandbox-server.js';
import { type OnTerminal, onTerminal, type TerminalOptions } from './terminal.js';

/** A home whose platform is a sandbox served from this process, until the tests of the file have run. */
export interface SandboxHome {
  home: Home;
  sandbox: Started;
  /** Runs docs on a terminal, in the home. */
  docs(args: readonly string[], options?: Partial<TerminalOptions>): OnTerminal;
  /** Output of a command that succeeds, by the sources: for what a test of the program sets up and reads again. */
  here(args: readonly string[]): Promise<string>;
  /** Methods of the requests that changed something, since `reset`. */
  changes(): string[];
  /** The seed again, without faults and what was logged. */
  reset(): Promise<void>;
}

export async function sandboxHome(seed?: string): Promise<SandboxHome> {
  const home = freshHome();
  const sandbox = await startSandbox(home, seed);
  afterAll(async () => {
    await sandbox.close();
    home.remove();
  });
  return {
    ...{ home, sandbox },
    docs: (args, { env, ...options } = {}) =>
      onTerminal(args, { cwd: home.path, ...options, env: { ...home.env, ...env } }),
    async here(args) {
      const ran = await runHere(args, home.env, home.path, undefined);
      if (ran.code !== 0) throw new Error(`docs ${args.join(' ')} exited with ${ran.code}: ${ran.stderr}`);
      return ran.stdout;
    },
    changes: () =>
      sandbox.control
        .requests()
        .filter(({ method, path }) => method !== 'GET' && path.startsWith('/v1'))
        .map(({ method }) => method),
    reset: async () => {
      await sandbox.control.reset();
    },
  };
}
