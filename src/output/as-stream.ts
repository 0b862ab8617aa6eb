import { Writable } from 'node:stream';
import type { Output } from '../base/io.js';

/** An output as a stream of Node, for packages that take nothing less. Its errors are those of the output. */
export function asStream(output: Output): Writable {
  return new Writable({ write: (chunk: Buffer, _, done) => void output.write(chunk, done) });
}
