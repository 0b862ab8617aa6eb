import { Readable } from 'node:stream';
import { DocsError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { shellWords } from '../../base/shell-word.js';
import { isObject, jsonIn } from '../../base/values.js';
import type { Command, GroupEntry } from '../../cli/declare/command.js';
import type { Globals, RunLine, RunOptions } from '../../cli/declare/session.js';
import { CapturedOutput } from '../../output/captured-output.js';

/** Runs command lines within this process: without a terminal, their output kept, and never too much of it. */

/** Most characters of a command's output that are kept. */
const mostOutput = 4 * 1024 * 1024;
/** Most characters of its notes, which hold the error, too. */
const mostNotes = 256 * 1024;
/** Command lines that run at once; further ones wait. */
const mostAtOnce = 4;
/** Of these, those with a filter, which may run until its time is over: so many that others still have their turn. */
const mostFilters = 2;

/** What came of a command line. */
export interface Ran {
  code: number;
  stdout: string;
  /** Whether `stdout` is all of it. */
  isWhole: boolean;
  /** Lines on standard error beside the error: notes and warnings. */
  notes: readonly string[];
  /** As `--json` prints it. */
  error?: Readonly<Record<string, unknown>>;
  /** Flags that the server put in, as words: what comes next names none of them. */
  added: readonly string[];
  /** A list that was cut. @param total items in all, where the platform tells */
  cut?: { printed: number; total: number | undefined };
}

/** How a command line is run. */
interface Running {
  /** Refuses other requests than GET in the transport. */
  readOnly?: true;
  /** Whether a command whose output is too long is stopped; a change goes on. */
  stops: boolean;
  /** Whether it runs a filter of the caller. */
  filters?: boolean;
  /** What the command reads as standard input; default: nothing. */
  stdin?: string | undefined;
}

/** So many at once; further ones wait in their order. */
class Lane {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(most: number) {
    this.#free = most;
  }

  /** Resolves once it is its turn, or at once where the call is cancelled. @returns what gives the place back */
  async take(signal: AbortSignal): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else if (!(await this.#turn(signal))) return () => {};
    return () => {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    };
  }

  /** @returns whether it came before the call was cancelled */
  #turn(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const come = () => resolve(true);
      const leave = () => {
        const at = this.#waiting.indexOf(come);
        if (at >= 0) this.#waiting.splice(at, 1);
        resolve(false);
      };
      if (signal.aborted) return leave();
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(come);
    });
  }
}

export class Calls {
  readonly #world: McpWorld;
  readonly #running = new Set<Promise<unknown>>();
  readonly #all = new Lane(mostAtOnce);
  readonly #filters = new Lane(mostFilters);
  /** The life of a server is one run, whichever connection a call comes by. */
  readonly #spent: NonNullable<RunOptions['spent']> = { writes: 0, deletes: 0 };

  constructor(world: McpWorld) {
    this.#world = world;
  }

  /**
   * Runs the words of a command, with the flags of the server.
   * @param line where they were parsed: flags go behind the words of the command
   * @param more further flags, each one word
   */
  async run(
    argv: readonly string[],
    { end }: Pick<TypedLine, 'end'>,
    more: readonly string[],
    caller: Caller,
    running: Running,
  ): Promise<Ran> {
    const flags = ['--json', '--no-input', '--no-color', ...this.#world.flags, ...more];
    const words = [...argv.slice(0, end), ...flags, ...argv.slice(end)];
    const work = this.#inLanes(running, caller, () => this.#start(words, caller, running));
    this.#running.add(work);
    try {
      return { ...(await work), added: flags };
    } finally {
      this.#running.delete(work);
    }
  }

  /** Runs work when it is its turn. One that was cancelled by then begins, and ends as one that is interrupted. */
  async #inLanes<T>({ filters = false }: Running, { signal }: Caller, work: () => Promise<T>): Promise<T> {
    const places: (() => void)[] = [];
    // A filter that waits for filters takes no place from others.
    for (const lane of filters ? [this.#filters, this.#all] : [this.#all])
      places.push(await lane.take(signal));
    try {
      return await work();
    } finally {
      for (const giveBack of places) giveBack();
    }
  }

  /** Waits for all that runs. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }

  async #start(
    argv: readonly string[],
    caller: Caller,
    { readOnly, stops, stdin = '' }: Running,
  ): Promise<Omit<Ran, 'added'>> {
    const { io, context, runLine } = this.#world;
    // Beyond the limit the reader is gone, or the rest is dropped.
    const gone = stops ? Object.assign(new Error('EPIPE'), { code: 'EPIPE' }) : undefined;
    const stdout = new CapturedOutput(undefined, mostOutput, gone);
    const stderr = new CapturedOutput(undefined, mostNotes);
    const abort = new AbortController();
    const stop = (): void => abort.abort(new Error('SIGINT'));
    for (const signal of [caller.signal, io.signal]) {
      if (signal.aborted) stop();
      signal.addEventListener('abort', stop, { once: true });
    }
    let cut: Ran['cut'];
    try {
      const world = callIo(io, this.#world, { stdout, stderr, signal: abort.signal, context, stdin });
      const code = await runLine(argv, world, {
        readOnly,
        client: caller.client,
        spent: this.#spent,
        onCut: (printed, total) => {
          cut = { printed, total };
        },
      });
      return { code, stdout: stdout.text, isWhole: stdout.isWhole, ...told(stderr.text), cut };
    } finally {
      for (const signal of [caller.signal, io.signal]) signal.removeEventListener('abort', stop);
    }
  }
}

/** The world of one call. */
function callIo(
  io: Io,
  { files }: Pick<McpWorld, 'files'>,
  {
    stdout,
    stderr,
    signal,
    context,
    stdin,
  }: Pick<Io, 'stdout' | 'stderr' | 'signal'> & Pick<McpWorld, 'context'> & { stdin: string },
): Io {
  const named = Object.entries(context).map(([name, value]) => [`DOCS_${name.toUpperCase()}`, value]);
  const { bound, systemPolicies } = io;
  return {
    bound,
    systemPolicies,
    stdin: Readable.from(stdin === '' ? [] : [stdin]),
    stdout,
    stderr,
    env: { ...io.env, ...Object.fromEntries(named) },
    cwd: files ?? io.cwd,
    platform: io.platform,
    now: () => io.now(),
    random: () => io.random(),
    sleep: (ms, stop) => io.sleep(ms, stop),
    signal,
  };
}

/** The notes of a command, and its error. */
function told(stderr: string): Pick<Ran, 'notes' | 'error'> {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  const last = lines.findLastIndex((line) => line.startsWith('{"error":'));
  const error = last === -1 ? undefined : errorIn(lines[last] ?? '');
  return error === undefined ? { notes: lines } : { notes: lines.filter((_, at) => at !== last), error };
}

function errorIn(line: string): Ran['error'] {
  const value = jsonIn(line);
  return isObject(value) && isObject(value.error) ? value.error : undefined;
}

/** The error of a command that failed; a code without one is a bug. */
export function errorOf({ code, error, added }: Ran): Readonly<Record<string, unknown>> {
  if (error !== undefined) return withWords(error, added);
  return new DocsError('bug', 'bug', `the command ended with ${code} and said nothing`).toJSON();
}

/** An error whose commands to run next are words as well, as tools take them: the server puts its flags in itself. */
export function withWords(
  error: Readonly<Record<string, unknown>>,
  added: Ran['added'],
): Readonly<Record<string, unknown>> {
  const { next } = error;
  if (!Array.isArray(next)) return error;
  const worded = next.map((one: unknown) =>
    isObject(one) && typeof one.command === 'string'
      ? { ...one, argv: wordsWithout(shellWords(one.command).slice(1), added) }
      : one,
  );
  return { ...error, next: worded };
}

/** Words without some flags, which stand as `--profile=work` or, with a value, as two words. */
function wordsWithout(words: readonly string[], flags: readonly string[]): string[] {
  const takesValue = new Map(flags.map((flag) => [flag.replace(/=.*$/s, ''), flag.includes('=')]));
  return words.filter((word, at) => {
    if (takesValue.has(word.replace(/=.*$/s, ''))) return false;
    return takesValue.get(words[at - 1] ?? '') !== true;
  });
}

/** What the MCP server is given by the command that starts it. */
export interface McpWorld {
  io: Io;
  groups: readonly GroupEntry[];
  runLine: RunLine;
  /** @throws DocsError usage, as the command line itself */
  parse(argv: readonly string[]): Promise<TypedLine>;
  /** Flags of every command that were given to the server, as words: `--profile=work`. */
  flags: readonly string[];
  /** Context that was given to the server, by the name of its flag: `org`. */
  context: Readonly<Record<string, string>>;
  /** The folder of `--files`, absolute and without links. */
  files?: string;
  allowWrites: boolean;
  /** Whether a policy is in force; the two tools that change something need one. */
  hasPolicy: boolean;
}

/** A command line as it was parsed. */
export interface TypedLine {
  /** The words of the command. */
  path: string;
  /** Where in the line the words of the command end: flags may be put there. */
  end: number;
  command: Command;
  args: Readonly<Record<string, string | string[] | undefined>>;
  options: Readonly<Record<string, unknown>>;
  globals: Globals;
}

/** Where a call comes from. */
export interface Caller {
  /** Aborted when the call is cancelled or its connection ends. */
  signal: AbortSignal;
  /** Name and version of the client, as it gives them: who calls is an agent, also where it gives none. */
  client: string;
}
