import { DocsError, usageError } from '../base/errors.js';
import type { Io } from '../base/io.js';
import { sameName } from '../base/name.js';
import { finishPending } from './handle.js';
import { pendingWork } from './pending.js';
import { orgById } from './records/in-path.js';
import { publishedUrl } from './records/published.js';
import { type SiteRow, siteColumns } from './records/site.js';
import { addFault, clearFaults, type FaultRule, listFaults, removeFault } from './server/faults.js';
import { clearRequests } from './server/request-log.js';
import { lastRequest, listRequests } from './server/request-queries.js';
import { adminToken, findDefaults, listTokens, makeTicket } from './server/tokens.js';
import type { Database } from './store/database.js';
import { exportState } from './store/export.js';
import { fillFrom, fillFromExport, type OtherSource, openFilled, type Seed } from './store/fill.js';
import { shiftClock } from './store/rows.js';
import { type Store, sourceOf } from './store/store.js';

type Filtered = Parameters<typeof listRequests> extends [unknown, ...infer Rest] ? Rest : never;

/** Changes a sandbox's database directly. Servers that use it see each change with the next request. */
export type SandboxControl = Awaited<ReturnType<typeof openControl>>;

/** Opens the database and fills it with the seed, by default `tiny`, if it is new. @throws as `openFilled` */
export async function openControl(file: string, io: Pick<Io, 'now'>, seed?: Seed) {
  const store = await openFilled(file, seed, io);
  const { db, clock } = store;
  return {
    /** Replaces all data with a seed, or with the export at a path. Keeps tokens. */
    seed: (seed: string, { isExport = false }: { isExport?: boolean } = {}) =>
      isExport ? fillFromExport(db, seed, io) : fillFrom(db, seed, io),
    /** Replaces all data with those from elsewhere. Keeps tokens. */
    fill: (other: OtherSource) => other.fill(db, false),
    /**
     * Seeds again from the last seed; removes faults and logged requests. Returns the seed.
     * @param otherOf finds the data of a source that is not a seed; undefined if it is one
     */
    reset: (otherOf?: (source: string) => Promise<OtherSource | undefined>) => reset(store, io, otherOf),
    export: () => exportState(db),
    clock: {
      now: () => clock.now(),
      /** Moves the clock by milliseconds, finishes work that falls due, and returns the new time. */
      shift: (byMs: number) => shift(store, byMs),
    },
    faults: {
      add: (rule: FaultRule) => db.write(() => addFault(db, rule)),
      list: () => listFaults(db),
      /** @throws DocsError not-found `unknown_fault` */
      remove: (id: number) => {
        if (!db.write(() => removeFault(db, id)))
          throw new DocsError('not-found', 'unknown_fault', `fault ${id} not found; nothing was changed`);
      },
      /** Returns how many there were. */
      clear: () => db.write(() => clearFaults(db)),
    },
    /** Publishes a site, named by id, title or basename. @throws DocsError as `publishSite` */
    publish: (site: string) => db.write(() => publishSite(db, site)),
    sites: () => listedSites(db),
    requests: (...filter: Filtered) => listRequests(db, ...filter),
    /** The place of the last request in the log. */
    lastRequest: () => lastRequest(db),
    tokens: () => listTokens(db),
    adminToken: () => adminToken(db),
    /** Makes a secret that opens the pages of a server once. */
    makeTicket: () => db.note(() => makeTicket(db, io.now())),
    defaults: () => findDefaults(db),
    close: () => db.close(),
  };
}

async function reset(
  { db }: Store,
  io: Pick<Io, 'now'>,
  otherOf: (source: string) => Promise<OtherSource | undefined> = async () => undefined,
): Promise<string> {
  const seed = sourceOf(db);
  const other = await otherOf(seed);
  await (other === undefined ? fillFrom(db, seed, io) : other.fill(db, false));
  db.write(() => {
    clearFaults(db);
    clearRequests(db);
  });
  return seed;
}

async function shift({ db, clock }: Store, byMs: number): Promise<number> {
  db.write(() => shiftClock(db, byMs));
  finishPending(db, pendingWork, clock.now());
  return clock.now();
}

/**
 * Publishes a site, which no operation of the platform does: people do it in its app. Call within a write.
 * @param named id, title or basename, in any organization of the sandbox
 * @returns whether this call published it, and where its readers find it, with the key of a share link
 * @throws DocsError for an unknown or ambiguous name, and for a site without spaces
 */
function publishSite(db: Database, named: string) {
  const before = siteNamed(db, named);
  if (before.site_spaces === 0) {
    const what = `site ${JSON.stringify(before.title)} has no spaces, so it was not published`;
    throw new DocsError('conflict', 'site_empty', `${what}; add one with "docs site-spaces create"`);
  }
  db.run('UPDATE sites SET published = 1 WHERE id = ?', before.id);
  const site = siteNamed(db, before.id);
  const org = orgById(db, site.org_id);
  const url = org && publishedUrl(site, org, site.share_key);
  if (url === undefined) throw new Error(`Site ${site.id} is not published after it was.`);
  return { id: site.id, title: site.title, changed: before.published === 0, url };
}

/** The sites of all organizations of the sandbox, in the order they were created. */
function listedSites(db: Database): { id: string; title: string; isPublished: boolean }[] {
  const sql = 'SELECT id, title, published FROM sites ORDER BY created_at, id';
  const found = db.all<{ id: string; title: string; published: number }>(sql);
  return found.map(({ id, title, published }) => ({ id, title, isPublished: published === 1 }));
}

function siteNamed(db: Database, named: string): SiteRow {
  const sql = `SELECT ${siteColumns} FROM sites t`;
  const byId = db.get<SiteRow>(`${sql} WHERE t.id = ?`, named);
  if (byId !== undefined) return byId;
  const called = db
    .all<SiteRow>(`${sql} ORDER BY t.created_at, t.id`)
    .filter(({ title, basename }) => sameName(title, named) || basename === named);
  const exact = called.filter(({ title, basename }) => title === named || basename === named);
  const found = exact.length > 0 ? exact : called;
  const [site, ...more] = found;
  const shown = JSON.stringify(named);
  if (site === undefined) {
    const all = db.all<{ title: string }>('SELECT title FROM sites ORDER BY created_at, id LIMIT 6');
    const titles = all.slice(0, 5).map(({ title }) => title);
    const known = [...titles, ...(all.length > 5 ? ['…'] : [])].join(', ') || 'none';
    throw new DocsError('not-found', 'unknown_site', `site ${shown} not found; the sandbox has: ${known}`);
  }
  if (more.length === 0) return site;
  const ids = found.map(({ id }) => id).join(', ');
  throw usageError('ambiguous_site', `${shown} names ${found.length} sites: ${ids}. Pass an id.`);
}
