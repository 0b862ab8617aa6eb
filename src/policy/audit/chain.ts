import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { DocsError, notSent } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { shellWord } from '../../base/shell-word.js';
import { diskReason, systemCode } from '../../base/system-errors.js';
import { isObject } from '../../base/values.js';
import type { Actor } from '../../jobs/actor.js';
import type { Counts } from '../../jobs/journal.js';
import type { TrailRequest } from '../../jobs/trail.js';
import { settingsPaths } from '../../settings/paths.js';
import type { Cause } from '../policy.js';

/**
 * The audit chain of this machine (docs/decisions/022-audit.md): a file that only grows, one event a line, each with
 * the SHA-256 of the line before.
 */

export const chainEvents = [
  'chain-begun',
  'journal-found',
  'job-begun',
  'job-resumed',
  'settled',
  'job-ended',
  'journal-pruned',
  'discarded',
  'denied',
  'torn',
] as const;
export type ChainEvent = (typeof chainEvents)[number];

/** What happened, without its place in the chain. */
export interface Happened {
  event: ChainEvent;
  actor?: Actor;
  job?: string;
  /** Words of the command, without ids and flags. */
  command?: string;
  org?: string;
  /** Id of the plan that the job applies. */
  plan?: string;
  /** What the plan sends. */
  requests?: readonly TrailRequest[];
  /** The job that this one undoes. */
  undoes?: string;
  /** Index of the item that a person settled. */
  item?: number;
  counts?: Counts;
  /** Of the bytes of the journal; of a torn line, of its bytes and a line feed. */
  sha256?: string;
  /** `job-ended`: the process of the job had died; another one wrote this. */
  interrupted?: true;
  /** `job-ended`: its journal was gone by then. */
  missing?: true;
  /** What was denied: `DELETE /v1/spaces/x`. */
  request?: string;
  cause?: Cause;
  /** `torn`: how many bytes a crash left, with a line feed. */
  bytes?: number;
}

export interface ChainLine extends Happened {
  /** From 1. */
  seq: number;
  /** ISO 8601. */
  at: string;
  /** Jobs that have begun and not ended: whoever writes next ends those whose process is dead. */
  open?: readonly string[];
  /** SHA-256 of the line before, without its line feed; zeros in the first. */
  prev: string;
}

/** What the first line has for the line before. */
export const noHash = '0'.repeat(64);

/** The chain's file; its folder is the parent of that of the journals. */
export function chainPath(io: Io): string {
  return join(settingsPaths(io).stateDir, 'audit.jsonl');
}

export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** A line of the chain; undefined for anything else. */
export function parseLine(text: string): ChainLine | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || typeof value.event !== 'string') return undefined;
    return Number.isSafeInteger(value.seq) && typeof value.prev === 'string'
      ? (value as unknown as ChainLine)
      : undefined;
  } catch {
    return undefined;
  }
}

/** The chain could not be written: exit 13. What an unsafe path is told stays as it is. */
export function unwritable(io: Pick<Io, 'platform'>, path: string, cause: unknown): DocsError {
  if (cause instanceof DocsError && cause.code === 'unsafe_path') return cause;
  const system = systemCode(cause);
  if (system === undefined && !(cause instanceof DocsError)) throw cause;
  const folder = shellWord(dirname(path), io.platform);
  const full = system === 'ENOSPC' || system === 'EDQUOT';
  const look = io.platform === 'win32' ? `dir ${folder}` : `${full ? 'df -h' : 'ls -la'} ${folder}`;
  const locked = cause instanceof DocsError ? cause : undefined;
  const why = locked?.message ?? `${diskReason(system ?? '')}`;
  const message = `Cannot write the audit chain ${path}: ${why}`;
  const hint = locked?.failure.hint ?? look;
  return notSent('local-io', 'audit_unwritable', message, { hint, cause });
}
