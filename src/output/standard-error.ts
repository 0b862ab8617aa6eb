import type { Io } from '../base/io.js';

/** Writes sanitised lines, once a pager has closed. Never throws or waits: a closed stderr must not change how a command ends. */
export function writeStandardError(io: Io, text: string): void {
  const { stderr, paging } = io;
  if (paging?.keeps(text)) return;
  paging?.show();
  if (stderr.destroyed || stderr.writableEnded) return;
  if (!stderr.listeners('error').includes(ignore)) stderr.on('error', ignore);
  stderr.write(text);
}

function ignore(): void {}
