import fs from 'node:fs';
import { deleteSpace } from '../api/resources/spaces.js';
import type { JobFolder } from './job-folder.js';
import { restoreWindowMs } from './rules/plain.js';

export interface DeletedSpace {
  id: string;
  /** null where it was not read before the deletion. */
  title: string | null;
  /** Milliseconds since the epoch, by the platform's clock where the journal has it. */
  deletedMs: number;
  job: string;
}

/**
 * Spaces that were, or may have been, deleted; the latest deletion of each, newest first. From the journals,
 * since the platform does not list them.
 * @param origin of the platform, as in the headers
 * @param nowMs by the clock of this machine, which dates the journals
 */
export function deletedSpaces(folder: JobFolder, origin: string, nowMs: number): DeletedSpace[] {
  const found = new Map<string, DeletedSpace>();
  const oldestMs = nowMs - restoreWindowMs - 86_400_000;
  const recent = folder.readAll(
    () => {},
    ({ path }) => fs.lstatSync(path).mtimeMs >= oldestMs,
  );
  for (const job of recent.reverse()) {
    if (job.header.origin !== origin) continue;
    for (const { change, state, sent, before, platformAt, at } of job.items) {
      const gone = sent && ['ok', 'started', 'unknown'].includes(state);
      if (change.op.id !== deleteSpace.id || !gone) continue;
      const title = typeof before?.title === 'string' ? before.title : null;
      const deletedMs = Date.parse(platformAt ?? at ?? job.header.at);
      found.delete(change.id);
      found.set(change.id, { id: change.id, title, deletedMs, job: job.header.job });
    }
  }
  return [...found.values()].reverse().sort((a, b) => b.deletedMs - a.deletedMs);
}
