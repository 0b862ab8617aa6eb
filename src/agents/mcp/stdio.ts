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

/**
 * JSON that is no message gets an answer, so that nobody waits for one. A line that is not JSON the package skips:
 * it may be anything that a shell has printed.
 */
async function answerUnreadable(transport: StdioServerTransport, error: Error): Promise<void> {
  if (error.name !== 'ZodError') return;
  const message = 'The line is not a JSON-RPC message; batches are not supported.';
  const code = ProtocolErrorCode.InvalidRequest;
  await transport.send({ jsonrpc: '2.0', error: { code, message } }).catch(() => {});
}
