import type { Io } from '../base/io.js';
import { finishPending } from './handle.js';
import { addFault, clearFaults, type FaultRule, listFaults } from './server/faults.js';
import { listRequests } from './server/request-log.js';
import { makeTicket } from './server/tickets.js';
import { adminToken, findDefaults, listTokens } from './server/tokens.js';
import { listedSites, publishSite } from './sites/publish.js';
import { shiftClock } from './store/clock.js';
import { exportState } from './store/export.js';
import { fillFrom, fillFromExport, type OtherSource, openFilled, type Seed } from './store/fill.js';
import { type Store, sourceOf } from './store/store.js';

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
      /** Returns how many there were. */
      clear: () => db.write(() => clearFaults(db)),
    },
    /** Publishes a site, named by id, title or basename. @throws DocsError as `publishSite` */
    publish: (site: string) => db.write(() => publishSite(db, site)),
    sites: () => listedSites(db),
    requests: () => listRequests(db),
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
    db.run('DELETE FROM local_requests');
  });
  return seed;
}

async function shift({ db, clock }: Store, byMs: number): Promise<number> {
  db.write(() => shiftClock(db, byMs));
  const { pendingWork } = await import('./handlers/index.js');
  finishPending(db, pendingWork, clock.now());
  return clock.now();
}
