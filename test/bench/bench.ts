import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inTurns, type Run, type Server, type Subject, startServer } from './processes.js';
import type { Measured } from './result.js';

/** Where the scripts of the benchmarks and the program were built to. */
export interface Built {
  /** Folder of the scripts. */
  code: string;
  /** Path of docs. */
  program: string;
}

/** A row of the table: its script measures it. */
export type Row = (bench: Bench) => Promise<Measured[]>;

/** What the rows measure with: a home of their own, the program, servers, and processes in turns. */
export class Bench {
  readonly #built: Built;
  readonly #home = mkdtempSync(join(tmpdir(), 'docs-bench-'));
  readonly #servers = new Map<string, Promise<Server>>();
  readonly #most: number;

  /** @param most runs of anything, for a quick look */
  constructor(built: Built, most = Number.POSITIVE_INFINITY) {
    this.#built = built;
    this.#most = most;
  }

  /** Environment of everything that is measured. */
  get env(): Record<string, string> {
    return { HOME: this.#home, PATH: process.env.PATH ?? '', DOCS_CREDENTIAL_STORE: 'file' };
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
    return { url, env: { DOCS_BASE_URL: url, DOCS_TOKEN: 'bench', DOCS_ORG: 'm100000' } };
  }

  /** A server of `servers/`, started once and stopped at the end. */
  server(name: string, words: readonly string[] = []): Promise<Server> {
    const known = this.#servers.get(name);
    if (known !== undefined) return known;
    const server = startServer(join(this.#built.code, 'servers', `${name}.mjs`), words);
    this.#servers.set(name, server);
    return server;
  }

  /** Subjects in turns; with `memory`, their peak memory too. */
  inTurns(
    subjects: readonly Subject[],
    { runs, memory = false }: { runs: number; memory?: boolean },
  ): Promise<Run[][]> {
    const memoryModule = join(this.#built.code, 'peak-memory.mjs');
    return inTurns(subjects, {
      env: this.env,
      runs: this.runs(runs),
      ...(memory && { memoryModule }),
    });
  }

  async close(): Promise<void> {
    for (const server of this.#servers.values()) await (await server).stop();
    rmSync(this.#home, { recursive: true, force: true });
  }
}

/** Whole processes in turns as what a row measures: their times, and their memory where it was taken. */
export function timesOf(
  ours: readonly Run[],
  theirs: readonly Run[],
): Omit<Measured, 'what' | 'against' | 'goal'> {
  const times = (runs: readonly Run[]) => runs.map(({ ms }) => ms);
  const memory = (runs: readonly Run[]) => runs.map(({ memoryMb }) => memoryMb);
  const measured = ours.every(({ memoryMb }) => !Number.isNaN(memoryMb));
  return {
    unit: 'ms',
    ...{ ours: times(ours), theirs: times(theirs) },
    ...(measured && { memory: { ours: memory(ours), theirs: memory(theirs) } }),
  };
}
