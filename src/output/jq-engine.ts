import type { ChildProcess } from 'node:child_process';
import type { Worker } from 'node:worker_threads';
import type { Io } from '../base/io.js';
import { isBinary, ownProgram, packageFile } from '../base/own-program.js';
import { type JqAnswer, type JqRequest, outputFull } from './jq-program.js';

/** The hidden command that runs jq in the program without Node, whose runtime cannot end a worker in a loop. */
export const jqCommand = '__jq';

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
export class JqEngine {
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
  return code === outputFull ? { isFull: true } : { problem: `what runs it ended with code ${code}` };
}
