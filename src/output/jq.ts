import type { ChildProcess } from 'node:child_process';
import type { Worker } from 'node:worker_threads';
import { isJsonObject, parseJson } from '../api/transport/json-text.js';
import { DocsError, usageError } from '../base/errors.js';
import type { Io } from '../base/io.js';
import { isBinary, ownProgram, packageFile } from '../base/own-program.js';
import { csvWriter } from './formats.js';
import { type JqAnswer, type JqRequest, outputFull } from './jq-program.js';
import { escapeUnsafe, stringify } from './json.js';
import type { PrinterOptions } from './printer.js';
import { safeLine } from './text.js';

/**
 * The outputs of a filter as CSV: a row for each object, with a column for each key in the order in which it
 * first comes. What is nested is JSON in its cell.
 * @throws DocsError usage `jq_failed`; `not_rows` where an output is neither an object nor a list of them
 */
export async function rowsText(
  filter: JqFilter,
  json: string,
  options: Pick<PrinterOptions, 'csvRaw'>,
): Promise<string> {
  const outputs = await filter.values(json);
  const other = outputs.findIndex((output) => !isRow(output));
  if (other >= 0) throw notRows(outputs[other]);
  const items = outputs.flat(Number.POSITIVE_INFINITY) as Record<string, unknown>[];
  const keys = [...new Set(items.flatMap((item) => Object.keys(item)))];
  const csv = await csvWriter(options.csvRaw ?? false);
  return csv([
    keys,
    ...items.map((item) => keys.map((key) => (Object.hasOwn(item, key) ? item[key] : undefined))),
  ]);
}

/** An object, or a list of objects. */
function isRow(output: unknown): boolean {
  if (Array.isArray(output)) return output.every(isRow);
  return isJsonObject(output);
}

function notRows(output: unknown): DocsError {
  const text = stringify(output);
  const shown = text.length > 60 ? `${text.slice(0, 57)}…` : text;
  return usageError('not_rows', `-o csv takes objects from --jq, and it yields ${shown}`);
}

export interface JqFilter {
  /**
   * Runs a compiled filter over one JSON text.
   * @returns one entry for each output: strings as they are, others as compact JSON
   * @throws DocsError `jq_failed` (exit 2), `jq_timeout` (exit 12); the reason of the run's signal
   */
  run(json: string): Promise<string[]>;
  /** Runs it as `run` does. @returns the outputs as values */
  values(json: string): Promise<unknown[]>;
}

/**
 * Loads jq and compiles a filter; without input nothing of it runs yet, but what is constant.
 * @param limitMs the time that it may take for each run; default: any
 * @throws DocsError `bad_jq`, `jq_failed` (exit 2), `jq_timeout` (exit 12)
 */
export async function compileJq(
  filter: string,
  io: Io,
  limitMs = Number.POSITIVE_INFINITY,
): Promise<JqFilter> {
  const engine = new JqEngine(io, limitMs);
  const lines = async (json: string): Promise<string[] | { reason: string }> => {
    const answer = await engine.run({ filter, json: withoutLoneSurrogates(json) });
    if (answer === undefined) throw timedOut(limitMs);
    if ('problem' in answer) throw new Error(`jq cannot be run: ${answer.problem}`);
    if ('isFull' in answer) return { reason: outOfMemory };
    const { stdout, stderr, exitCode } = answer;
    return exitCode === 0 ? stdout.split('\n').filter((line) => line !== '') : { reason: reason(stderr) };
  };
  const compiled = await lines('');
  if (!Array.isArray(compiled)) {
    if (compiled.reason === outOfMemory) throw failed(outOfMemory);
    throw usageError('bad_jq', `--jq does not compile: ${compiled.reason}`);
  }
  const outputs = async (json: string): Promise<string[]> => {
    const found = await lines(json);
    if (Array.isArray(found)) return found;
    throw failed(found.reason);
  };
  return {
    run: async (json) => (await outputs(json)).map(shown),
    values: async (json) => (await outputs(json)).map(parsedValue),
  };
}

const outOfMemory =
  'it needs more memory than it may have; pass --fields to give it less of each item, or filter -o ndjson';

function timedOut(limitMs: number): DocsError {
  const message = `--jq did not end within ${limitMs / 1000} s and printed nothing`;
  return new DocsError('deadline', 'jq_timeout', message, { hint: 'docs config set timeout 5m' });
}

function failed(reason: string): DocsError {
  return new DocsError('usage', 'jq_failed', `--jq failed: ${reason}`);
}

/** An output as a value, large integers with all their digits. */
function parsedValue(line: string): unknown {
  const parsed = parseJson(Buffer.from(line));
  return parsed.ok ? parsed.value : line;
}

/** Outputs are asked for as JSON, one a line, and strings decoded here: raw ones could hold newlines. */
function shown(line: string): string {
  return line.startsWith('"') ? (JSON.parse(line) as string) : escapeUnsafe(line);
}

/** jq refuses a whole text for one of these; it knows only whole characters. */
function withoutLoneSurrogates(json: string): string {
  if (!json.includes('\\ud')) return json;
  return json.replace(/\\(?:\\|ud[89a-f][\da-f]{2})/g, (found) => (found === '\\\\' ? found : '\\ufffd'));
}

/** What jq says, in one line without its own name and the place in its input, which means nothing here. */
function reason(stderr: string): string {
  const [first = ''] = stderr.split('\n').filter((line) => line.startsWith('jq: '));
  return safeLine(first === '' ? stderr.trim() : first)
    .replace(/^jq: (parse )?error( \(at [^)]*\))?( \(not a string\))?: /, '')
    .replace(/ at <top-level>, line \d+(, column \d+)?:$/, '')
    .replace(/\.$/, '');
}

/** The hidden command that runs jq in the program without Node, whose runtime cannot end a worker in a loop. */
const jqCommand = '__jq';

/** How long it is kept for the next run of a filter. */
const idleMs = 5000;
/** Of JavaScript; jq itself has its own memory, of at most 256 MB. */
const mostHeapMb = 1024;

/** What runs jq: a thread or process of its own, which can be ended whatever it does. */
interface Runner {
  ask(request: JqRequest): Promise<JqAnswer>;
  /** Whether the program waits for it. */
  hold(isHeld: boolean): void;
  end(): void;
}

/** Runs filters one after another. Starts what runs them as it is needed, and ends it once it is idle. */
class JqEngine {
  readonly #io: Io;
  readonly #limitMs: number;
  #runner: Promise<Runner> | undefined;
  #idle: NodeJS.Timeout | undefined;

  /** @param limitMs the time that a run may take; Infinity for any */
  constructor(io: Io, limitMs: number) {
    this.#io = io;
    this.#limitMs = limitMs;
  }

  /** @returns its answer; undefined once the time is over @throws the reason of the run's signal */
  async run(request: JqRequest): Promise<JqAnswer | undefined> {
    this.#io.signal.throwIfAborted();
    clearTimeout(this.#idle);
    const stop = this.#stop();
    this.#runner ??= isBinary ? startProcess(this.#io) : startWorker();
    const runner = await this.#runner;
    runner.hold(true);
    try {
      const answer = await Promise.race([runner.ask(request), stop.reached]);
      if (answer === undefined || 'isFull' in answer) this.#end(runner);
      return answer;
    } catch (error) {
      this.#end(runner);
      throw error;
    } finally {
      stop.clear();
      runner.hold(false);
      this.#idle = setTimeout(() => this.#end(runner), idleMs).unref();
    }
  }

  /** Settles once the time is over, or fails with the reason of the run's signal. */
  #stop(): { reached: Promise<undefined>; clear(): void } {
    const { signal } = this.#io;
    const cleared = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const reached = new Promise<undefined>((over, fail) => {
      signal.addEventListener('abort', () => fail(signal.reason), { signal: cleared.signal });
      if (Number.isFinite(this.#limitMs)) timer = setTimeout(() => over(undefined), this.#limitMs);
    });
    // Whoever waits for it may not do so yet.
    reached.catch(() => undefined);
    const clear = () => {
      cleared.abort();
      clearTimeout(timer);
    };
    return { reached, clear };
  }

  #end(runner: Runner): void {
    this.#runner = undefined;
    runner.end();
  }
}

/** A thread. It has no environment, and what it prints is thrown away. */
async function startWorker(): Promise<Runner> {
  const [{ Worker }, { answerJq }] = await Promise.all([
    import('node:worker_threads'),
    import('./jq-program.js'),
  ]);
  const text = `const { parentPort, workerData } = require('node:worker_threads');
    const answer = (${answerJq})(() => require(workerData), (code) => process.exit(code));
    parentPort.on('message', async (request) => parentPort.postMessage(await answer(request)));`;
  const worker: Worker = new Worker(text, {
    eval: true,
    workerData: packageFile('jq-wasm'),
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: mostHeapMb },
  });
  worker.unref();
  return {
    ask: (request) =>
      new Promise((done) => {
        worker.removeAllListeners();
        worker.once('message', done);
        worker.once('error', (error: Error & { code?: string }) =>
          done(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? { isFull: true } : { problem: error.message }),
        );
        worker.once('exit', (code) => done(afterExit(code)));
        worker.postMessage(request);
      }),
    hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
    end: () => {
      worker.removeAllListeners();
      worker.on('error', () => undefined);
      void worker.terminate();
    },
  };
}

/** A process: a request is a line of JSON, and so is an answer. */
async function startProcess(io: Io): Promise<Runner> {
  const { startChild } = await import('../base/child-process.js');
  const { program, args } = ownProgram();
  const child: ChildProcess = startChild(io, program, [...args, jqCommand], {
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
  });
  let answered: (answer: JqAnswer) => void = () => undefined;
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
    if (!chunk.endsWith('\n')) return;
    answered(JSON.parse(output) as JqAnswer);
    output = '';
  });
  child.on('error', (error) => answered({ problem: error.message }));
  child.on('exit', (code) => answered(afterExit(code ?? 0)));
  child.stdin?.on('error', () => undefined);
  return {
    ask: (request) =>
      new Promise((done) => {
        answered = done;
        child.stdin?.write(`${JSON.stringify(request)}\n`);
      }),
    hold: () => undefined,
    end: () => {
      child.kill('SIGKILL');
    },
  };
}

function afterExit(code: number): JqAnswer {
  return code === outputFull ? { isFull: true } : { problem: `its process ended with code ${code}` };
}
