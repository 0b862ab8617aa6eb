import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { inTurns, type Run, type Server, type Subject, startServer } from './processes.js';
import type { Measured } from './result.js';

/** Where the scripts of the benchmarks and the program were built to. */
export interface Built {
  /** Folder of the scripts. */
  code: string;
  /** Path of docs. */
  program: string;
}

/** As long as a token is: shorter ones are not looked for in answers. */
const token = 'bench0bench1bench2bench3bench4bench5bench';

/** What starts the watcher: processor time is measured only where it is installed. */
const python = 'python3';

/** A row of the table: its script measures it. */
export type Row = (bench: Bench) => Promise<Measured[]>;

/** What the rows measure with: a home of their own, the program, servers, and processes in turns. */
export class Bench {
  readonly #built: Built;
  readonly #home = mkdtempSync(join(tmpdir(), 'docs-bench-'));
  readonly #servers = new Map<string, Promise<Server>>();
  readonly #most: number;
  readonly #watched = isInstalled(python);
  /** The program without Node, as `npm run build:binary` makes it; undefined where it is not built. */
  readonly binary = ifThere(resolve('build', `docs-${process.platform}-${process.arch}`));
  /** The least programs that the same compiler makes: an empty one, and one that writes a line. */
  readonly least = {
    empty: ifThere(resolve('build', 'least-empty')),
    line: ifThere(resolve('build', 'least-line')),
  };

  /** @param most runs of anything, for a quick look */
  constructor(built: Built, most = Number.POSITIVE_INFINITY) {
    this.#built = built;
    this.#most = most;
  }

  /** Environment of everything that is measured. */
  get env(): Record<string, string> {
    return { HOME: this.#home, PATH: process.env.PATH ?? '', DOCS_CREDENTIAL_STORE: 'file' };
  }

  /** What the machine lacks, in sentences: what needs it is not measured. */
  get missing(): string[] {
    const binary = 'The program without Node is not built: `npm run build:binary` makes it.';
    return [
      ...(this.binary === undefined ? [binary] : []),
      ...(this.#watched ? [] : [`${python} is not installed, so processor time is not measured.`]),
    ];
  }

  /** As many runs as a row wants, or fewer for a quick look. */
  runs(wanted: number): number {
    return Math.min(wanted, this.#most);
  }

  /** A path in the home, which goes with it. */
  path(name: string): string {
    return join(this.#home, name);
  }

  /** `docs <words>` as a subject. */
  docs(words: readonly string[], rest: Omit<Subject, 'words'> = {}): Subject {
    return { words: [this.#built.program, ...words], ...rest };
  }

  /** A script of `bare/` as a subject. */
  bare(name: string, words: readonly string[], rest: Omit<Subject, 'words'> = {}): Subject {
    return { words: [join(this.#built.code, 'bare', `${name}.mjs`), ...words], ...rest };
  }

  /** Runs `docs` for preparation; gives what it prints. */
  run(words: readonly string[], env: Readonly<Record<string, string>> = {}): string {
    const options = { env: { ...this.env, ...env }, encoding: 'utf8', maxBuffer: 1 << 30 } as const;
    return execFileSync(process.execPath, [this.#built.program, ...words], options);
  }

  /** The stored platform, started once, and how docs reaches it. */
  async platform(): Promise<{ url: string; env: Record<string, string> }> {
    const { url } = await this.server('platform');
    return { url, env: { DOCS_BASE_URL: url, DOCS_TOKEN: token, DOCS_ORG: 'm100000' } };
  }

  /** A server of `servers/`, started once and stopped at the end. */
  server(name: string, words: readonly string[] = []): Promise<Server> {
    const known = this.#servers.get(name);
    if (known !== undefined) return known;
    const server = startServer(join(this.#built.code, 'servers', `${name}.mjs`), words);
    this.#servers.set(name, server);
    return server;
  }

  /** Subjects in turns; with `memory`, the peak memory of those in Node too; with `processor`, what a watcher sees. */
  inTurns(
    subjects: readonly Subject[],
    { runs, memory = false, processor = false }: { runs: number; memory?: boolean; processor?: boolean },
  ): Promise<Run[][]> {
    return inTurns(subjects, {
      env: this.env,
      runs: this.runs(runs),
      ...(memory && { memoryModule: join(this.#built.code, 'peak-memory.mjs') }),
      ...(processor && this.#watched && { watcher: join(this.#built.code, 'watch.py') }),
    });
  }

  async close(): Promise<void> {
    for (const server of this.#servers.values()) await (await server).stop();
    rmSync(this.#home, { recursive: true, force: true });
  }
}

/** Whether a program is on the PATH. */
export function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
}

function ifThere(path: string): string | undefined {
  return existsSync(path) ? path : undefined;
}

/** Whole processes in turns as what a row measures: their times, and their memory where it alone was taken. */
export function timesOf(
  ours: readonly Run[],
  theirs: readonly Run[],
): Omit<Measured, 'what' | 'against' | 'goal'> {
  const both = (key: keyof Run) => ({
    ours: ours.map((run) => run[key]),
    theirs: theirs.map((run) => run[key]),
  });
  const has = (key: keyof Run) => ours.every((run) => !Number.isNaN(run[key]));
  return {
    unit: 'ms',
    ...both('ms'),
    ...(has('processorMs') && { processor: both('processorMs') }),
    ...(has('memoryMb') && !has('processorMs') && { memory: both('memoryMb') }),
  };
}
