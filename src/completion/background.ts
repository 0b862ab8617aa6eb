import { startChild, withheldFrom } from '../base/child-process.js';
import type { Io } from '../base/io.js';
import { ownProgram } from '../base/own-program.js';
import type { StartInBackground } from './ids.js';

/** Starts docs as a detached process, which outlives this one and reads its credentials from a pipe. */
export function inBackground(io: Io): StartInBackground {
  return (words) => {
    const { program, args } = ownProgram();
    const child = startChild(io, program, [...args, ...words], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.on('error', () => {}); // Without the process there are no ids; completion stays silent.
    child.stdin?.on('error', () => {}).end(JSON.stringify(withheldFrom(io.env)));
    child.unref();
  };
}
