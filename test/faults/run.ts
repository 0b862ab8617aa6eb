import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { keepCode, takeCode } from '../e2e/compiled.js';
import { docsFile, docsFirst, docsWords } from '../started.js';
import { expectNoProcess, expectNoStackTrace, expectNoToken, expectNothingElsewhere } from './invariants.js';
import { expectNextRuns, type Named, namedBy } from './next.js';
import { type HostileServer, type Script, startServer } from './server.js';

/**
 * The built program on a bad day: an empty environment, a fresh home, a server that plays a script, and
 * a second origin that must never be called. What holds in every case is checked after every run.
 */

/** A token whose forms differ: plain, base64, percent-encoded. */
export const token = 'gb_fault+T0ken/9f3aQz==x';

/** A run that has ended. */
export interface Ran {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  /** The failure that `--json` printed on stderr; empty where there is none. */
  error: Record<string, unknown>;
}

/** A run that goes on. */
export interface Running {
  readonly child: ChildProcess;
  /** What was printed so far. */
  readonly stdout: string;
  readonly stderr: string;
  /** Settles when it has ended and every rule of the house was found kept. */
  readonly ended: Promise<Ran>;
}

export interface RunOptions {
  env?: Readonly<Record<string, string | undefined>>;
  stdin?: string;
  /** Leaves standard output to the test, which reads it from `child.stdout`. */
  unread?: boolean;
}

/** One case: its servers, its home, its runs. */
export interface World {
  readonly server: HostileServer;
  /** Must never be called, unless a test says otherwise. */
  readonly other: HostileServer;
  /** HOME of every run; `work` beside it is the working folder. */
  readonly home: string;
  readonly work: string;
  /** Every folder of this case. */
  readonly root: string;
  readonly env: Record<string, string>;
  /** What the failures of its runs named as next; it is run at the end. */
  readonly named: readonly Named[];
  run(args: readonly string[], options?: RunOptions): Promise<Ran>;
  start(args: readonly string[], options?: RunOptions): Running;
  /** Runs bash with these words, in the same environment and under the same rules. */
  shell(args: readonly string[], options?: RunOptions): Promise<Ran>;
}

export interface WorldOptions {
  script?: Script;
  tls?: 'platform' | 'other';
  /** The server takes the first bytes of a connection for a request, whatever they are. */
  greedy?: boolean;
  /** Variables of every run; undefined takes one away. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Files of the working folder by name, or of the home where the name starts with `~/`. */
  files?: Readonly<Record<string, string>>;
}

/** Opens a world for one case and closes it afterwards, whatever happens. */
export async function inWorld(options: WorldOptions, play: (world: World) => Promise<void>): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'docs-fault-'));
  const [server, other] = await Promise.all([
    startServer(options.script, {
      greedy: options.greedy ?? false,
      ...(options.tls && { tls: options.tls }),
    }),
    startServer([]),
  ]);
  const world = openWorld(root, server, other, options);
  try {
    await play(world);
    expect(other.connections, 'connections to the second origin').toBe(0);
    await expectNextRuns(world.named, { env: world.env, cwd: world.work, url: server.url });
  } finally {
    await Promise.all([server.close(), other.close()]);
    keepCode(world.home);
    rmSync(root, { recursive: true, force: true });
  }
}

function openWorld(root: string, server: HostileServer, other: HostileServer, options: WorldOptions): World {
  const [home, work, temporary] = ['home', 'work', 'tmp'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [home, work, temporary]) mkdirSync(folder, { mode: 0o700 });
  takeCode(home);
  for (const [name, text] of Object.entries(options.files ?? {})) {
    const path = name.startsWith('~/') ? join(home, name.slice(2)) : join(work, name);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, text, { mode: 0o600 });
  }
  const env = defined({
    HOME: home,
    TMPDIR: temporary,
    PATH: process.env.PATH,
    DOCS_CREDENTIAL_STORE: 'file',
    DOCS_BASE_URL: server.url,
    DOCS_TOKEN: token,
    DOCS_ORG: 'o1',
    ...options.env,
  });
  const named: Named[] = [];
  const folders = { root, work, env, named };
  const start = (args: readonly string[], how: RunOptions = {}) =>
    startRun(folders, [...docsWords, ...args], how);
  return {
    server,
    other,
    home,
    work,
    root,
    env,
    named,
    start,
    run: (args, how) => start(args, how).ended,
    shell: (args, how = {}) => startRun(folders, ['bash', ...args], how).ended,
  };
}

function startRun(
  { root, work, env, named }: Pick<World, 'root' | 'work' | 'env'> & { named: Named[] },
  [file = '', ...args]: readonly string[],
  options: RunOptions,
): Running {
  const before = readdirSync(work);
  const mark = randomUUID();
  const child = spawn(file, args, {
    env: defined({ ...env, ...options.env, FAULT_RUN: mark }),
    cwd: work,
    stdio: 'pipe',
    // A process group of its own: whatever is left of it can be found.
    detached: true,
  });
  const text = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    if (name === 'stdout' && options.unread) continue;
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      text[name] += chunk;
    });
  }
  child.stdin.on('error', () => {}); // A program that reads nothing closes its end early.
  child.stdin.end(options.stdin ?? '');
  const ended = new Promise<Ran>((done, fail) => {
    child.on('error', fail);
    child.on('close', (code, signal) => done({ code, signal, ...text, error: errorIn(text.stderr) }));
  }).then((ran) => {
    expectNoToken(ran, root, env.DOCS_TOKEN ?? token);
    expectNoStackTrace(ran);
    // With variables of its own a run is in another place than those at the end.
    // A script of bash names a command of its own.
    if (options.env === undefined && file === docsFile && args.includes('--json'))
      named.push(...namedBy(args.slice(docsFirst.length), ran.error));
    expectNothingElsewhere(root, before, work, args);
    expectNoProcess(child.pid ?? 0, mark);
    if (ran.code === 0 && args.includes('--json') && !options.unread && ran.stdout !== '') {
      expect(() => JSON.parse(ran.stdout), 'exit 0 means that stdout is whole').not.toThrow();
    }
    return ran;
  });
  ended.catch(() => {}); // Awaited by the test; until then a failure is not unheard.
  return {
    child,
    get stdout() {
      return text.stdout;
    },
    get stderr() {
      return text.stderr;
    },
    ended,
  };
}

/** The last line of stderr that is `{"error": …}`. */
function errorIn(stderr: string): Record<string, unknown> {
  const line = stderr
    .split('\n')
    .filter((text) => text.startsWith('{"error":'))
    .at(-1);
  return line === undefined ? {} : (JSON.parse(line) as { error: Record<string, unknown> }).error;
}

function defined(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** Waits until something holds; the test's own time limit ends it. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** `PATCH /v1/x` for each request, in order. */
export function targets({ requests }: Pick<HostileServer, 'requests'>): string[] {
  return requests.map(({ method, target }) => `${method} ${target}`);
}
