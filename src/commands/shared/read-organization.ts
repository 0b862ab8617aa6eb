import type { Client } from '../../api/client.js';
import { DocsError } from '../../base/errors.js';
import type { Session } from '../../cli/declare/session.js';
import { readLive } from '../../organization/live/read.js';
import type { Desired, KindName } from '../../organization/model.js';
import { readLock, updateLock } from '../../plans/lock.js';

/** What the files of a folder say. @throws DocsError as `readFolder` */
export async function readDesired(session: Session, shown: string): Promise<Desired> {
  const { readFolder } = await import('../../organization/files/read.js');
  return readFolder(session.io, shown);
}

/** A client that can only read, whatever the session does later. */
export function readOnlyClient(session: Session): Promise<Client> {
  return session.client({ readOnly: true, timeoutPerRequest: true });
}

/**
 * After an apply: reads what it made, as far as the lock does not tell of it, and writes that down for `docs drift`.
 * A failure is a warning: drift then says what it could not compare.
 * @param shown the folder as it was typed
 */
export async function completeLock(session: Session, path: string, shown: string): Promise<void> {
  const { io, printer } = session;
  if (io.signal.aborted) return;
  try {
    const lock = readLock(path);
    if (lock === undefined) return;
    const { openKinds, withNamed, baselineEntries } = await import('../../organization/planner/baseline.js');
    const desired = await readDesired(session, shown);
    const open = openKinds(desired, lock);
    if (open.size === 0) return;
    const all = withNamed(open);
    const wants = (kind: KindName, field?: string) => (field === undefined ? all : open).has(kind);
    const live = await readLive(await readOnlyClient(session), lock.org, wants, () => {});
    const changes = baselineEntries(desired, live, lock, io.env);
    if (changes.length > 0) updateLock(path, lock, changes);
  } catch (cause) {
    if (!(cause instanceof DocsError)) throw cause;
    printer.warn(`docs.lock.json does not yet tell everything of what is new: ${cause.message}`);
  }
}
