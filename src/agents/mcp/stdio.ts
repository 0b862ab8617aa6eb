import { once } from 'node:events';
import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Io, Output } from '../../base/io.js';
import { asStream } from '../../output/as-stream.js';
import type { Desk } from './call-tool.js';
import { JsonLines } from './json-lines.js';
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
