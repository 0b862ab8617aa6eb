import { createHash } from 'node:crypto';
import type { LooseInput } from '../api/client.js';
import { readOwnFile } from '../base/own-files.js';
import type { Source } from './journal.js';
import type { Reads } from './request.js';
import type { Rule } from './rule.js';
import { matches, narrowed, type State } from './state.js';

export type Settled =
  /** @param answer what it created, where it created something */
  | { is: 'done'; answer?: unknown }
  /** It certainly had no effect. */
  | { is: 'not-done'; before: State | undefined }
  /** @param candidates ids of what it may have created */
  | { is: 'unknown'; why: string; candidates?: readonly string[] };

/**
 * Looks up by a read whether a request without an answer took effect (RELIABILITY.md, "Many items"). Creations
 * are looked up together: creations/creations.ts.
 * @param before the state before it, where the journal has it
 * @throws DocsError where the read fails
 */
export async function settle(
  rule: Rule,
  reads: Reads,
  input: LooseInput,
  before: State | undefined,
): Promise<Settled> {
  if (rule.harmless) return { is: 'not-done', before };
  if (rule.read === undefined || rule.wanted === undefined || rule.tells?.(input, before) === false)
    return { is: 'unknown', why: 'the platform does not show its effect' };
  const now = await rule.read(reads, input);
  const wanted = rule.wanted(input, before);
  if (wanted !== undefined && matches(now, wanted)) return { is: 'done' };
  const unchanged = before !== undefined && matches(now, wanted ? narrowed(before, wanted) : before);
  if (unchanged || rule.oneWay) return { is: 'not-done', before: before ?? now };
  if (before && (await rule.took?.(reads, input, before))) return { is: 'done' };
  return { is: 'unknown', why: 'the current state is neither the one before nor the requested one' };
}

/** @param path absolute */
export function sourceOf(path: string, bytes: Uint8Array): Source {
  return { path, hash: createHash('sha256').update(bytes).digest('hex') };
}

/**
 * Why the file of a job forbids resuming it: it was edited, so something else is wanted now. A deleted
 * file does not matter, since the journal holds the whole plan.
 */
export function sourceIssue(source: Source | undefined): string | undefined {
  if (source === undefined) return undefined;
  let bytes: Uint8Array | undefined;
  try {
    bytes = readOwnFile(source.path, { follow: true });
  } catch {
    return undefined; // A pipe, which cannot be read again, or gone.
  }
  return bytes === undefined || sourceOf(source.path, bytes).hash === source.hash
    ? undefined
    : `${source.path} was edited after the job was created`;
}
