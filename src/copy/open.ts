import type { Method } from '../api/operation.js';
import { operationAt } from '../api/resources/index.js';
import type { BackupReader } from '../backup/reader.js';
import {
  backupDifferences,
  type CopyOptions,
  type CopyRequest,
  gapsAfter,
  makeToken,
  openEmpty,
  type RunningCopy,
  respondWith,
  serve,
} from './copy.js';
import { openLazy } from './lazy.js';
import { Watch } from './watch.js';

/**
 * Starts a copy of an organization: a server on 127.0.0.1 that ends with `close`. Of a platform only reads are
 * asked; a backup is not changed.
 * @throws DocsError if the source cannot be read, or the copy cannot be started
 */
export async function openCopy({ source, file, io }: CopyOptions): Promise<RunningCopy> {
  if ('platform' in source) return openLazy(source, { file, io });
  return openFilled(source.backup, { file, io });
}

/** A copy of all that a backup holds; its first administrator acts in it. */
async function openFilled(
  reader: BackupReader,
  { file, io }: Omit<CopyOptions, 'source'>,
): Promise<RunningCopy> {
  const { fillFromBackup } = await import('./fill.js');
  const { Responder } = await import('../sandbox/server/respond.js');
  const store = await openEmpty(file, io);
  try {
    const filled = await fillFromBackup(store.db, reader, { now: () => io.now(), signal: io.signal });
    // The copy lives now, not at the moment that sandboxes start from.
    store.db.write(() => store.db.run("UPDATE local_state SET value = 0 WHERE key = 'clock'"));
    const { organization } = filled;
    const sql =
      "SELECT user_id AS id FROM members WHERE org_id = ? ORDER BY role IS NOT 'admin', joined_at, user_id";
    const caller = store.db.get<{ id: string }>(sql, organization.id)?.id ?? '';
    const token = makeToken(store.db, organization.id, caller);
    let url = '';
    const parts = respondWith(store, io, () => url);
    const watch = new Watch(new Responder(parts));
    const served = await serve(parts, watch, io);
    url = served.url;
    return {
      ...{ url, token, organization },
      requests: () => [...watch.requests],
      look: (path) => watch.look(path),
      reads: () => [],
      gaps: () => [...filled.gaps, ...gapsAfter(backupDifferences, changesIn(watch.requests))],
      async close() {
        await served.close();
        store.db.close();
      },
    };
  } catch (error) {
    store.db.close();
    throw error;
  }
}

/** Ids of the operations that changed the copy. */
function changesIn(requests: readonly CopyRequest[]): string[] {
  return requests.flatMap(({ method, path, status }) => {
    if (method === 'GET' || status < 200 || status >= 300) return [];
    return operationAt({ method: method as Method, path })?.op.id ?? [];
  });
}
