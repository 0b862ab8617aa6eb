import type { Client } from '../../api/client.js';
import { checkLock, type Lock, readLock } from '../../plans/lock.js';
import { foreseen } from '../files/foreseen.js';
import type { Live, LiveReading } from '../model.js';
import { namedAhead } from './ahead.js';
import { beginReading } from './read.js';

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

/** Where a folder is compared with. */
interface Platform {
  /** The organization that flags or settings name; default: that of the lock. */
  org: string | undefined;
  origin(): string;
  connect(): Promise<Client>;
}

/**
 * Begins to read the platform.
 * @param path the folder, absolute
 * @returns undefined if anything prevents it; the regular reading reports the error
 */
export async function readEarly(
  path: string,
  { org, origin, connect }: Platform,
): Promise<Early | undefined> {
  try {
    const client = await connect();
    const named = namedAhead(client) ?? foreseen(path);
    if (named === undefined || named.size === 0) return undefined;
    const lock = lockOf(path);
    const organizationId = org ?? lock?.org;
    if (organizationId === undefined) return undefined;
    checkLock(path, lock, { org: organizationId, origin: origin() });
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
    return begun(client, { organizationId, lock, wants, fits: (real) => agree(asked, real) });
  } catch {
    return undefined;
  }
}

/** The same for a folder without files, which gets all that there is. */
export async function readAllEarly({
  org,
  connect,
}: Pick<Platform, 'org' | 'connect'>): Promise<Early | undefined> {
  if (org === undefined) return undefined;
  try {
    const all = () => true;
    return begun(await connect(), { organizationId: org, lock: undefined, wants: all, fits: all });
  } catch {
    return undefined;
  }
}

interface Begun extends Pick<Early, 'organizationId' | 'lock' | 'fits'> {
  wants: LiveReading['wants'];
}

function begun(client: Client, { wants, ...known }: Begun): Early {
  const progress = (items: number) => early.progress(items);
  const early: Early = {
    ...known,
    ...beginReading(client, known.organizationId, wants, progress),
    progress: () => {},
  };
  early.live.catch(() => {}); // Thrown again where it is awaited, which may be later.
  return early;
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
