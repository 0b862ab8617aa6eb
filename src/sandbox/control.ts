import type { Io } from '../io.js';
import { finishPending } from './pending.js';
import { addFault, clearFaults, type Fault, type FaultRule, listFaults } from './server/faults.js';
import { type LoggedRequest, listRequests } from './server/request-log.js';
import { listTokens, type Token } from './server/tokens.js';
import { shiftClock } from './store/clock.js';
import { type Defaults, findDefaults } from './store/defaults.js';
import { exportState } from './store/export.js';
import { fillFrom, fillFromExport, openFilled } from './store/fill.js';
import { type Store, sourceOf } from './store/store.js';

/**
 * Changes a sandbox's database directly. Servers that run on it see each change with the next request.
 * A new database is filled with the seed `tiny` first.
 */
export interface SandboxControl {
  /** Replaces all data with a seed, or with the export at a path. Keeps tokens. */
  seed(seed: string, options?: { isExport?: boolean }): Promise<void>;
  /** Seeds again from the last seed; removes faults and logged requests. Returns the seed. */
  reset(): Promise<string>;
  /** The whole state as canonical JSON (export.ts). */
  export(): string;
  clock: {
    /** Milliseconds since the epoch. */
    now(): number;
    /** Moves the clock, finishes work that falls due, and returns the new time. */
    shift(byMs: number): Promise<number>;
  };
  faults: {
    add(rule: FaultRule): Fault;
    list(): Fault[];
    /** Returns how many there were. */
    clear(): number;
  };
  /** The last 10,000 requests, oldest first. */
  requests(): LoggedRequest[];
  tokens(): Token[];
  adminToken(): string;
  defaults(): Defaults;
  close(): void;
}

/**
 * Opens the database and fills it if it is new.
 * @param seed of a new database; `tiny` unless given
 * @throws DocsError as `openFilled` does
 */
export async function openControl(file: string, io: Pick<Io, 'now'>, seed?: string): Promise<SandboxControl> {
  const store = await openFilled(file, seed, io);
  const { db, clock } = store;
  return {
    seed: (seed, { isExport = false } = {}) =>
      isExport ? fillFromExport(db, seed, io) : fillFrom(db, seed, io),
    reset: () => reset(store, io),
    export: () => exportState(db),
    clock: { now: () => clock.now(), shift: (byMs) => shift(store, byMs) },
    faults: {
      add: (rule) => db.write(() => addFault(db, rule)),
      list: () => listFaults(db),
      clear: () => db.write(() => clearFaults(db)),
    },
    requests: () => listRequests(db),
    tokens: () => listTokens(db),
    adminToken: () => listTokens(db).find(({ name }) => name === 'admin')?.token ?? '',
    defaults: () => findDefaults(db),
    close: () => db.close(),
  };
}

async function reset({ db }: Store, io: Pick<Io, 'now'>): Promise<string> {
  const seed = sourceOf(db);
  await fillFrom(db, seed, io);
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
