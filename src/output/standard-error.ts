import type { Io } from '../io.js';

/** Writes sanitised lines. Never throws or waits: a closed stderr must not change how a command ends. */
export function writeStandardError(io: Io, text: string): void {
  const { stderr } = io;
  if (stderr.destroyed || stderr.writableEnded) return;
  if (!stderr.listeners('error').includes(ignore)) stderr.on('error', ignore);
  stderr.write(text);
}

function ignore(): void {}
