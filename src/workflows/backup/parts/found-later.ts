import { DocsError } from '../../../base/errors.js';
import { shardOf, shardWords } from '../../../shards/shard.js';
import { type FailedEntry, failedEntry } from '../folder/manifest.js';
import type { Part } from './open-parts.js';

/**
 * Spaces that a part has found which started after the part they belong to, and that one does not have: they are new
 * since then. What an earlier part found and a later one did not is gone.
 */
export function foundLater(parts: readonly Part[]): FailedEntry[] {
  const late = new Map<string, FailedEntry>();
  const own = parts.map(({ manifest }) => new Set(manifest.spaces.map(({ id }) => id)));
  for (const { record } of parts)
    for (const id of record.found) {
      const at = shardOf(id, parts.length) - 1;
      const [part, has] = [parts[at], own[at]];
      if (part === undefined || has?.has(id) || part.record.startedAt >= record.startedAt) continue;
      const message = `It is new since ${shardWords(part.shard)} was backed up.`;
      const error = new DocsError('partial', 'not_in_part', message, { retryable: true });
      late.set(id, failedEntry({ kind: 'space', id, error }));
    }
  return [...late.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}
