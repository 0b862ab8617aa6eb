import type { Session } from '../../cli/declare/session.js';
import { originOf } from '../../cli/run/session-job.js';
import { foreseen } from '../../organization/files/foreseen.js';
import { beginReading } from '../../organization/live/read.js';
import type { Live, LiveReading } from '../../organization/model.js';
import { checkLock, type Lock, readLock } from '../../plans/lock.js';
import { readOnlyClient } from '../shared/organization-files.js';

/** Reading the platform while the files are parsed, where their text shows what they name. */

export interface Early {
  organizationId: string;
  /** Held, so that the readers of the files need not parse it again. */
  lock: Lock | undefined;
  /** Whether it has read only what is wanted so far, and all of that. */
  fits(wants: LiveReading['wants']): boolean;
  live: Promise<Live>;
  /** Called with the number of items read so far. */
  progress: (items: number) => void;
  /** Gives up what has not been sent. */
  end(cause: unknown): void;
}

/**
 * Begins to read the platform, with a client that can only read.
 * @param path the folder, absolute
 * @returns undefined if anything prevents it; the regular reading reports the error
 */
export async function readEarly(session: Session, path: string): Promise<Early | undefined> {
  const named = session.signedOut === undefined ? foreseen(path) : undefined;
  if (named === undefined || named.size === 0) return undefined;
  const lock = lockOf(path);
  const organizationId = session.settings.org?.value ?? lock?.org;
  if (organizationId === undefined) return undefined;
  try {
    checkLock(path, lock, { org: organizationId, origin: originOf(session) });
    const ids = idsOf(named, lock);
    if (ids === undefined) return undefined;
    const asked = new Map<string, Asked>();
    const wants: LiveReading['wants'] = (...what) => {
      const [kind, field, of] = what;
      const words = field === undefined ? kind : `${kind} ${field}`;
      const wanted = named.has(words) && (of === undefined || ids.has(`${words} ${of.id}`));
      asked.set(of === undefined ? words : `${words} ${of.id}`, { what, wanted });
      return wanted;
    };
    const client = await readOnlyClient(session);
    const { live, end } = beginReading(client, organizationId, wants, (items) => early.progress(items));
    live.catch(() => {}); // Thrown again where it is awaited, which may be later.
    const early: Early = {
      organizationId,
      lock,
      live,
      end,
      progress: () => {},
      fits: (real) => agree(asked, real),
    };
    return early;
  } catch {
    return undefined;
  }
}

interface Asked {
  what: Parameters<LiveReading['wants']>;
  wanted: boolean;
}

function agree(asked: ReadonlyMap<string, Asked>, wants: LiveReading['wants']): boolean {
  return [...asked.values()].every(({ what, wanted }) => wants(...what) === wanted);
}

/**
 * `<kind> <field> <id>` of the items whose fields take a request each, by the lock.
 * @returns undefined where the lock does not have one: which item it is, only its title tells
 */
function idsOf(named: ReadonlySet<string>, lock: Lock | undefined): ReadonlySet<string> | undefined {
  const ids = new Set<string>();
  for (const [kind, field, key] of [...named].map((words) => words.split(' '))) {
    if (key === undefined) continue;
    const id = lock?.items[`${kind}/${key}`]?.id;
    if (typeof id !== 'string') return undefined;
    ids.add(`${kind} ${field} ${id}`);
  }
  return ids;
}

function lockOf(path: string): Lock | undefined {
  try {
    return readLock(path);
  } catch {
    return undefined;
  }
}
