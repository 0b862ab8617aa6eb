import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, inject, vi } from 'vitest';
import { Clock } from '../api/transport/clock.js';
import { keepCode, takeCode } from '../e2e/compiled.js';
import { shortestDeadlineMs } from '../e2e/here.js';
import type { Ran as Ended } from '../e2e/program.js';
import { docsFile, docsFirst, docsWords } from '../started.js';
import { expectNoStackTrace, expectNoToken, expectNothingElsewhere } from './invariants.js';
import { expectNextRuns, type Named, namedBy } from './next.js';
import { type HostileServer, type Script, startServer } from './server.js';
import { startHere } from './start-here.js';
import { startProgram } from './start-program.js';

/**
 * docs on a bad day: an empty environment, a fresh home, a server that plays a script, and a second origin that must
 * never be called. What holds in every case is checked after every run. A program test runs the built program, a
 * world test the sources within the process of the test.
 */

/** A token whose forms differ: plain, base64, percent-encoded. */
export const token = 'gb_fault+T0ken/9f3aQz==x';

const here = inject('layer') === 'world' && process.env.DOCS_BIN === undefined;

/** How a run ended. Nothing ends this process by a signal: there, the code is the one that a shell would tell. */
export interface Ran extends Ended {
  /** The failure that `--json` printed on stderr; empty where there is none. */
  error: Record<string, unknown>;
}

/** A run that goes on. */
export interface Started {
  /** @throws within the process of the test */
  readonly child: ChildProcess;
  /** What was printed so far. */
  readonly stdout: string;
  readonly stderr: string;
  kill(signal: NodeJS.Signals): void;
  /** Settles when it has ended. */
  readonly ended: Promise<Ended>;
}

export interface Running extends Started {
  /** Settles when it has ended and every rule of the house was found kept. */
  readonly ended: Promise<Ran>;
}

export interface RunOptions {
  env?: Readonly<Record<string, string | undefined>>;
  stdin?: string;
  /** Leaves standard output to the test, which reads it from `child.stdout`. */
  unread?: boolean;
  /** In a world test: both outputs are a terminal of so many columns. */
  columns?: number;
  /** In a world test: standard output takes nothing and fails so. */
  failWith?: 'EPIPE' | 'ENOSPC';
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
  /** Of a world test: a wait before another attempt moves it at once, a limit of 9 s or more ends when it is moved. */
  readonly clock: Clock;
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
  /** In a world test: no wait is over before the clock is moved. */
  waits?: boolean;
}

/** Opens a world for one case and closes it afterwards, whatever happens. */
export async function inWorld(options: WorldOptions, play: (world: World) => Promise<void>): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'docs-fault-'));
  const clock = new Clock((ms) => options.waits !== true && ms < shortestDeadlineMs);
  clock.nowMs = Date.now();
  const [server, other] = await Promise.all([
    startServer(options.script, {
      greedy: options.greedy ?? false,
      now: () => (here ? clock.nowMs : performance.now()),
      ...(options.tls && { tls: options.tls }),
    }),
    startServer([]),
  ]);
  const world = openWorld({ root, server, other, clock }, options);
  if (here) vi.stubEnv('TMPDIR', world.env.TMPDIR);
  try {
    await play(world);
    expect(other.connections, 'connections to the second origin').toBe(0);
    await expectNextRuns(world.named, { env: world.env, cwd: world.work, url: server.url });
  } finally {
    vi.unstubAllEnvs();
    await Promise.all([server.close(), other.close()]);
    if (!here) keepCode(world.home);
    rmSync(root, { recursive: true, force: true });
  }
}

function openWorld(
  parts: Pick<World, 'root' | 'server' | 'other' | 'clock'>,
  { files = {}, env: more }: WorldOptions,
): World {
  const at = (name: string) => join(parts.root, name);
  const [home, work, temporary] = [at('home'), at('work'), at('tmp')];
  for (const folder of [home, work, temporary]) mkdirSync(folder, { mode: 0o700 });
  if (!here) takeCode(home);
  for (const [name, text] of Object.entries(files)) {
    const path = name.startsWith('~/') ? join(home, name.slice(2)) : join(work, name);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, text, { mode: 0o600 });
  }
  const env = defined({
    HOME: home,
    TMPDIR: temporary,
    PATH: process.env.PATH,
    DOCS_CREDENTIAL_STORE: 'file',
    DOCS_BASE_URL: parts.server.url,
    DOCS_TOKEN: token,
    DOCS_ORG: 'o1',
    ...more,
  });
  const world = { ...parts, home, work, env, named: [] };
  const start: World['start'] = (args, how = {}) =>
    here ? startDocs(world, args, how) : startWords(world, [...docsWords, ...args], how);
  return {
    ...world,
    start,
    run: (args, how) => start(args, how).ended,
    shell: (args, how = {}) => startWords(world, ['bash', ...args], how).ended,
  };
}

type Place = Pick<World, 'root' | 'work' | 'env' | 'clock'> & { named: Named[] };

/** The sources, in this process. */
function startDocs(world: Place, args: readonly string[], options: RunOptions): Running {
  const { work, clock } = world;
  const before = readdirSync(work);
  const env = defined({ ...world.env, ...options.env });
  return watched(world, startHere(args, { ...options, env, cwd: work, clock }), args, before, options);
}

/** A program, in a process of its own. */
function startWords(world: Place, words: readonly string[], options: RunOptions): Running {
  const before = readdirSync(world.work);
  const env = defined({ ...world.env, ...options.env });
  const started = startProgram(words, { ...options, env, cwd: world.work });
  const isDocs = words[0] === docsFile;
  return watched(world, started, words.slice(1 + (isDocs ? docsFirst.length : 0)), before, options, isDocs);
}

/** The same run, which ends once every rule of the house was found kept. */
function watched(
  { root, work, env, named }: Place,
  started: Started,
  args: readonly string[],
  before: readonly string[],
  options: RunOptions,
  isDocs = true,
): Running {
  const ended = started.ended.then((end) => {
    const ran = { ...end, error: errorIn(end.stderr) };
    expectNoToken(ran, root, env.DOCS_TOKEN ?? token);
    expectNoStackTrace(ran);
    // With variables of its own a run is in another place than those at the end.
    // A script of bash names a command of its own.
    if (options.env === undefined && isDocs && args.includes('--json'))
      named.push(...namedBy(args, ran.error));
    expectNothingElsewhere(root, before, work, args);
    if (ran.code === 0 && args.includes('--json') && !options.unread && ran.stdout !== '') {
      expect(() => JSON.parse(ran.stdout), 'exit 0 means that stdout is whole').not.toThrow();
    }
    return ran;
  });
  ended.catch(() => {}); // Awaited by the test; until then a failure is not unheard.
  return {
    ended,
    kill: started.kill,
    get child() {
      return started.child;
    },
    get stdout() {
      return started.stdout;
    },
    get stderr() {
      return started.stderr;
    },
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
