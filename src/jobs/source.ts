import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Source } from './journal-lines.js';

/** The file that the items of a job came from. */

/** @param path absolute */
export function sourceOf(path: string, bytes: Uint8Array): Source {
  return { path, hash: createHash('sha256').update(bytes).digest('hex') };
}

/**
 * Whether the file still says what the job was begun with. The journal holds all that is to be done,
 * so a file that is gone is no hindrance; one that was edited says that something else is wanted.
 * @returns what is wrong, as a sentence without its full stop
 */
export function sourceIssue(source: Source | undefined): string | undefined {
  if (source === undefined) return undefined;
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(source.path);
  } catch {
    return undefined;
  }
  return sourceOf(source.path, bytes).hash === source.hash
    ? undefined
    : `${source.path} was edited since the job was begun`;
}
