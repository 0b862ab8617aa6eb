import { fstatSync, writeSync } from 'node:fs';
import type { Output } from '../io.js';

/**
 * Standard output that writes all it is given, or fails: with Node's own stream for files, a disk that is nearly
 * full loses the rest without an error. Other streams stay as they are.
 */
export function wholeOutput(stream: Output, fd: number): Output {
  if (!isFile(fd)) return stream;
  // Loaded here: a start that writes into no file does without it.
  const { Writable } = process.getBuiltinModule('node:stream');
  return new Writable({
    decodeStrings: true,
    write(chunk: Buffer, _encoding, done) {
      try {
        for (let at = 0; at < chunk.length; ) at += writeSync(fd, chunk, at);
        done();
      } catch (cause) {
        done(cause as Error);
      }
    },
  });
}

function isFile(fd: number): boolean {
  try {
    return fstatSync(fd).isFile();
  } catch {
    return false;
  }
}
