import { once } from 'node:events';
import { Transform, type TransformCallback, Writable } from 'node:stream';
import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Io, Output } from '../../base/io.js';
import { jsonIn } from '../../base/values.js';
import type { Desk } from './call-tool.js';
import { createServer } from './server.js';

/** MCP over standard input and output, one message a line. */

/** Most bytes of a line: as the package itself allows. */
const mostLine = 10 * 1024 * 1024;

/** Serves until the input ends or the run is aborted; what still runs is interrupted, and waited for. */
export async function serveOverStdio(desk: Desk, io: Io): Promise<void> {
  const { stdin, signal } = io;
  const stdout = asStream(io.stdout);
  const lines = new JsonLines(mostLine, () =>
    answer(stdout, ProtocolErrorCode.ParseError, 'The line is not JSON.'),
  );
  const transport = new StdioServerTransport(lines, stdout);
  const gone = new AbortController();
  const ended = Promise.race([
    once(stdin, 'close', { signal: gone.signal }),
    once(stdin, 'end', { signal: gone.signal }),
    // A line without an end fails it.
    once(lines, 'close', { signal: gone.signal }),
    once(stdout, 'error', { signal: gone.signal }),
    ...(signal.aborted ? [] : [once(signal, 'abort', { signal: gone.signal })]),
  ]).catch(() => {});
  const handle = serveStdio(() => createServer(desk), {
    transport,
    onerror: (error) => answerNoMessage(stdout, error),
  });
  stdin.pipe(lines);
  if (!signal.aborted) await ended;
  gone.abort();
  stdin.unpipe(lines);
  stdin.pause();
  await handle.close();
  await desk.calls.idle();
}

/** An output as a stream of Node, for packages that take nothing less. Its errors are those of the output. */
function asStream(output: Output): Writable {
  return new Writable({ write: (chunk: Buffer, _, done) => void output.write(chunk, done) });
}

/** Answers JSON that is not a message, so that its sender does not wait. */
function answerNoMessage(stdout: Pick<Output, 'write'>, { name }: Error): void {
  if (name !== 'ZodError') return;
  const message = 'The line is not a JSON-RPC message; batches are not supported.';
  answer(stdout, ProtocolErrorCode.InvalidRequest, message);
}

/** An error for a request whose id cannot be told. The types of the package know no `null`, which JSON-RPC asks for. */
function answer(stdout: Pick<Output, 'write'>, code: number, message: string): void {
  stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } })}\n`);
}

/** Lines of standard input before the package reads them, which skips those that are not JSON without a word. */

const newline = 0x0a;

/**
 * Passes on lines that are JSON, and tells of those that are not; empty ones are dropped. A last line without an end is
 * dropped, too: nobody waits for its answer.
 */
export class JsonLines extends Transform {
  readonly #onUnreadable: () => void;
  readonly #most: number;
  /** The beginning of a line whose end has not come. */
  #held: Buffer[] = [];
  #length = 0;

  /** @param most bytes of a line; a longer one fails the stream, so that memory has a limit */
  constructor(most: number, onUnreadable: () => void) {
    super();
    this.#most = most;
    this.#onUnreadable = onUnreadable;
  }

  override _transform(chunk: Buffer | string, encoding: BufferEncoding, done: TransformCallback): void {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
    let from = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, from)) {
      const line = Buffer.concat([...this.#held, bytes.subarray(from, end + 1)]);
      this.#held = [];
      this.#length = 0;
      from = end + 1;
      this.#line(line);
    }
    if (from < bytes.length) this.#held.push(bytes.subarray(from));
    this.#length += bytes.length - from;
    if (this.#length > this.#most) done(new Error(`A line is longer than ${this.#most} bytes.`));
    else done();
  }

  #line(line: Buffer): void {
    const text = line.toString().trim();
    if (text === '') return;
    if (jsonIn(text) === undefined) this.#onUnreadable();
    else this.push(line);
  }
}
