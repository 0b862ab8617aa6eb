import { statSync } from 'node:fs';
import type { Io } from '../base/io.js';
import { systemPolicies } from './paths.js';
import type { Settings } from './settings.js';

/** A policy that must allow what is done. */
export interface PolicyFile {
  /** Absolute. */
  path: string;
  /** What names it: `--policy`, `DOCS_POLICY`, the settings file; undefined for that of the machine, which need not be there. */
  source?: string;
  /** Its content when the server started that makes this call; what the file has become since holds beside it. */
  bytes?: Uint8Array;
}

/**
 * The policies of flag, variable, profile and machine; within a server, those that it found at its start. Looks for
 * that of the machine alone, by one stat; reads none.
 */
export function policyFiles(io: Io, { policies }: Pick<Settings, 'policies'>): PolicyFile[] {
  const named: readonly PolicyFile[] =
    io.bound?.policies ?? policies.map(({ value: path, where: source }) => ({ path, source }));
  const known = new Set(named.map(({ path }) => path));
  const further = systemPolicies(io).filter((path) => !known.has(path) && isThere(path));
  return [...named, ...further.map((path) => ({ path }))];
}

/** Where that cannot be told, it is there: reading it fails. */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}
