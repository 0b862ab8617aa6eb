import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { usageError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';

/**
 * Refuses words of a command line that are not UTF-8: the runtime has put a replacement character where their
 * bytes were, and a change would store it. Only Linux tells the bytes; a typed replacement character is a
 * character like any other.
 * @throws DocsError usage `bad_encoding`
 */
export function refuseBrokenWords(argv: readonly string[], { platform }: Pick<Io, 'platform'>): void {
  const broken = argv.find((word) => word.includes('\ufffd'));
  if (broken === undefined || platform !== 'linux' || isUtf8(ownCommandLine())) return;
  const message = `The argument ${JSON.stringify(broken.slice(0, 60))} is not UTF-8; nothing was sent. Pass the text in a file, with --encoding.`;
  throw usageError('bad_encoding', message);
}

/** The words as the system has them, each with a NUL behind it. */
function ownCommandLine(): Uint8Array {
  try {
    return readFileSync('/proc/self/cmdline');
  } catch {
    return new Uint8Array();
  }
}
