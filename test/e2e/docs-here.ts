import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  write,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { delimiter, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { Io } from '../../src/base/io.js';
import { run } from '../../src/main.js';
import { docsFirst, docsLine } from '../started.js';
import { ioHere, shortestDeadlineMs, sleepInFull } from './here.js';
import { docsOnPath } from './shell.js';

/**
 * `docs` for the scripts of a test, run within the test's process: a page of the guide calls it some hundred times, and
 * each start of the program costs more than all that it does. What is on PATH is a script of bash that says who it is
 * and waits for an exit code; the rest is read from /proc. Elsewhere, and for another program, it is the program.
 */
export interface DocsHere {
  /** With the folder of `docs` in front. */
  readonly path: string;
  close(): Promise<void>;
}

/**
 * @param haste how much shorter its waits are; limits of requests are real
 * @param onEnd called after each command with its words and exit code
 */
export async function docsHere(
  home: string,
  {
    haste = 1,
    onEnd = async () => {},
  }: { haste?: number; onEnd?: (words: readonly string[], code: number) => Promise<void> } = {},
): Promise<DocsHere> {
  if (process.platform !== 'linux' || process.env.DOCS_BIN)
    return { path: docsOnPath(home), close: async () => {} };
  // What docs starts of itself, such as the server of a sandbox, is the built program.
  const started = process.argv[1];
  process.argv[1] = docsFirst[0] ?? '';
  const around: Around = {
    sleep: (ms, signal) => sleepInFull(ms >= shortestDeadlineMs ? ms : ms / haste, signal),
    onEnd,
  };
  const server = createServer((caller) => void serve(caller, around));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const folder = join(home, 'on-path');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'docs');
  writeFileSync(file, script((server.address() as AddressInfo).port));
  chmodSync(file, 0o755);
  return {
    path: `${folder}${delimiter}${process.env.PATH ?? ''}`,
    async close() {
      if (started !== undefined) process.argv[1] = started;
      await new Promise((done) => server.close(done));
    },
  };
}

interface Around extends Pick<Io, 'sleep'> {
  onEnd(words: readonly string[], code: number): Promise<void>;
}

/** What starts programs that write where docs writes, or speaks to one: the program itself does it. */
const byProgram = /^(rehearse|mcp|sandbox (exec|start|open))\b/;

/** Where nobody listens any more, as for what a page left running, the program itself answers. */
const script = (port: number): string => `#!/bin/bash
exec 7>&1 8>&2 9<>/dev/tcp/127.0.0.1/${port} || exec ${docsLine} "$@"
echo $$ >&9
while read -r -u 9 answer; do
  case $answer in
  program) exec ${docsLine} "$@" 7>&- 8>&- 9>&- ;;
  stdin) { echo "stdin of $$"; cat; } >/dev/tcp/127.0.0.1/${port} ;;
  *) exit "$answer" ;;
  esac
done
`;

/** Copies of its standard output and error: a redirection of bash puts something else in their place for a moment. */
const outputs = [7, 8] as const;

/** What scripts send as their standard input, by their ids. */
const inputs = new Map<number, (from: Readable) => void>();

async function serve(caller: Socket, around: Around): Promise<void> {
  caller.on('error', () => {});
  const [first] = (await once(caller, 'data')) as [Buffer];
  const [line = ''] = first.toString().split('\n', 1);
  const [, sender] = /^stdin of (\d+)$/.exec(line) ?? [];
  if (sender !== undefined) {
    caller.pause();
    caller.unshift(first.subarray(line.length + 1));
    inputs.get(Number(sender))?.(caller);
    return;
  }
  const answer = await answerTo(Number(line), around, () => caller.write('stdin\n')).catch(
    (cause: unknown) => {
      process.stderr.write(`${cause}\n`);
      return 1;
    },
  );
  caller.end(`${answer}\n`);
}

/** Runs docs as the process with this id would: with its words, environment, folder and streams. */
async function answerTo(
  pid: number,
  { sleep, onEnd }: Around,
  askForInput: () => void,
): Promise<number | 'program'> {
  const proc = `/proc/${pid}`;
  const listed = (name: string) => readFileSync(join(proc, name), 'utf8').split('\0').slice(0, -1);
  const [, , ...words] = listed('cmdline');
  if (byProgram.test(words.filter((word) => !word.startsWith('-')).join(' '))) return 'program';
  const env = Object.fromEntries(
    listed('environ').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  const [stdout, stderr] = outputs.map((fd) => new Descriptor(join(proc, 'fd', String(fd))));
  if (stdout === undefined || stderr === undefined) return 1;
  const stdin = inputOf(pid, askForInput);
  const code = await run(
    words,
    ioHere(env, readlinkSync(join(proc, 'cwd')), { stdin, stdout, stderr, sleep }),
  );
  for (const stream of [stdout, stderr]) await new Promise<void>((written) => stream.end(() => written()));
  await onEnd(words, code);
  return code;
}

/** Asked for when it is read for the first time: what reads nothing leaves it to the next in the script. */
function inputOf(pid: number, ask: () => void): Readable {
  return Readable.from(
    (async function* () {
      const coming = new Promise<Readable>((come) => inputs.set(pid, come));
      ask();
      yield* await coming;
      inputs.delete(pid);
    })(),
  );
}

/** A stream of another process. A file has what was written in its order, as both streams may be one file. */
class Descriptor extends Writable {
  #fd: number | undefined;

  constructor(readonly path: string) {
    super({ decodeStrings: true });
    this.on('error', () => {});
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    try {
      this.#fd ??= openSync(this.path, 'a');
      if (fstatSync(this.#fd).isFile()) writeSync(this.#fd, chunk);
      else return void this.#pipe(this.#fd, chunk).then(() => done(), done);
      done();
    } catch (error) {
      done(error as Error);
    }
  }

  /** Without holding up the process: what reads the pipe may be run here, too. */
  async #pipe(fd: number, chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length; )
      at += await new Promise<number>((written, failed) => {
        write(fd, chunk, at, (error, count) => (error === null ? written(count) : failed(error)));
      });
  }

  override _final(done: () => void): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    done();
  }
}
