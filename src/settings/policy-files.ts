import { statSync } from 'node:fs';
import type { Io } from '../io.js';
import { systemPolicies } from './paths.js';
import type { Settings } from './settings.js';

/** A policy that must allow what is done. */
export interface PolicyFile {
  /** Absolute. */
  path: string;
  /** What names it: `--policy`, `DOCS_POLICY`, the settings file; undefined for that of the machine. */
  source?: string;
}

/** The policies of flag, variable, profile and machine. Looks for the last alone, by one stat; reads none. */
export function policyFiles(io: Io, { policies }: Pick<Settings, 'policies'>): PolicyFile[] {
  const named = policies.map(({ value: path, where: source }) => ({ path, source }));
  return [...named, ...systemPolicies(io).flatMap((path) => (isThere(path) ? [{ path }] : []))];
}

/** Where that cannot be told, it is there: reading it fails. */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}
