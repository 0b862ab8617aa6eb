import { afterAll, afterEach } from 'vitest';
import { run } from '../../src/main.js';
import { type Gateway, startGateway } from '../e2e/gateway.js';
import { fakeIo } from '../fake-io.js';
import { openSandbox, seedId, type TestSandbox } from '../sandbox/client.js';

/** `docs access` in this process, over a sandbox behind a gateway that can refuse what a test says. */
export interface AccessWorld {
  readonly sandbox: TestSandbox;
  readonly gateway: Gateway;
  /** Answers requests that match with a status; without, none. */
  refuse(match?: RegExp, status?: number): void;
  docs(words: readonly string[], options?: AccessOptions): Promise<Ran>;
  /** What a run prints with --json. */
  json<T>(words: readonly string[], options?: AccessOptions): Promise<T>;
  close(): Promise<void>;
}

interface AccessOptions {
  /** Whose token; default: that of the admin. */
  as?: string;
  /** Terminal columns; default: a pipe. */
  columns?: number;
  env?: Record<string, string>;
  /** HOME and working folder; default: those of `fakeIo`. */
  home?: string;
}

interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

export const org = seedId('org acme');
export const person = (name: string): string => seedId(`user ${name}`);
export const space = (name: string): string => seedId(`space ${name}`);

/** One for a file; what a test refuses is allowed again after it. */
export async function accessWorldOfFile(): Promise<AccessWorld> {
  const world = await openAccessWorld();
  afterEach(() => world.refuse());
  afterAll(() => world.close());
  return world;
}

async function openAccessWorld(): Promise<AccessWorld> {
  const sandbox = await openSandbox();
  const gateway = await startGateway(sandbox.url);
  const docs = async (words: readonly string[], { as = 'admin', columns, env, home }: AccessOptions = {}) => {
    const io = fakeIo({
      env: {
        DOCS_BASE_URL: gateway.url,
        DOCS_TOKEN: sandbox.tokens.find(({ name }) => name === as)?.token,
        DOCS_ORG: org,
        DOCS_RETRIES: '0',
        NO_COLOR: '1',
        ...(home !== undefined && { HOME: home }),
        ...env,
      },
      ...(home !== undefined && { cwd: home }),
      ...(columns !== undefined && { terminals: ['stdout', 'stderr'] as const, columns }),
    });
    const code = await run(words, io);
    return { code, stdout: io.stdout.text, stderr: io.stderr.text };
  };
  return {
    sandbox,
    gateway,
    refuse(match, status = 403) {
      gateway.rule = (line) => (match?.test(line) ? status : undefined);
    },
    docs,
    async json(words, options) {
      return JSON.parse((await docs([...words, '--json'], options)).stdout);
    },
    async close() {
      await gateway.close();
      await sandbox.close();
    },
  };
}
