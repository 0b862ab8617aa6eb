import { once } from 'node:events';
import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Io } from '../../io.js';
import type { Desk } from './call-tool.js';
import { createServer } from './server.js';

/** MCP over standard input and output, one message a line. */

/** Serves until the input ends or the run is aborted; what still runs is interrupted, and waited for. */
export async function serveOverStdio(desk: Desk, io: Io): Promise<void> {
  const { stdin, stdout, signal } = io;
  const transport = new StdioServerTransport(stdin, stdout);
  const gone = new AbortController();
  const ended = Promise.race([
    once(stdin, 'close', { signal: gone.signal }),
    once(stdin, 'end', { signal: gone.signal }),
    once(stdout, 'error', { signal: gone.signal }),
    ...(signal.aborted ? [] : [once(signal, 'abort', { signal: gone.signal })]),
  ]).catch(() => {});
  const handle = serveStdio(() => createServer(desk), {
    transport,
    onerror: (error) => void answerUnreadable(transport, error),
  });
  if (!signal.aborted) await ended;
  gone.abort();
  await handle.close();
  await desk.calls.idle();
}

/** A line that is no message gets an answer, so that nobody waits for one. */
async function answerUnreadable(transport: StdioServerTransport, error: Error): Promise<void> {
  const isSyntax = error instanceof SyntaxError;
  if (!isSyntax && error.name !== 'ZodError') return;
  const code = isSyntax ? ProtocolErrorCode.ParseError : ProtocolErrorCode.InvalidRequest;
  const message = isSyntax
    ? 'The line is not JSON.'
    : 'The line is not a JSON-RPC message; batches are not supported.';
  await transport.send({ jsonrpc: '2.0', error: { code, message } }).catch(() => {});
}
