import type { Io } from '../io.js';

/**
 * Writes whole lines to standard error. Never throws and never waits: a closed standard error must not
 * change how the command ends.
 * @param text sanitised already, with its final newline
 */
export function writeStandardError(io: Io, text: string): void {
  const { stderr } = io;
  if (stderr.destroyed || stderr.writableEnded) return;
  if (!stderr.listeners('error').includes(ignore)) stderr.on('error', ignore);
  stderr.write(text);
}

function ignore(): void {}
