import { isAbsolute, resolve } from 'node:path';
import { DocsError, usageError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { decodeText } from '../../base/text-encoding.js';
import { type SeedName, seedNames } from '../seeds/names.js';
import type { Database } from './database.js';
import { isFilled, openStore, refill, type Store, sourceOf } from './store.js';

type Now = Pick<Io, 'now'>;

/** Data from elsewhere, such as a backup, which this room knows nothing of. */
export interface OtherSource {
  /** What the database records, for the next reset. */
  source: string;
  /** What fills a sandbox that has other data already. */
  hint: string;
  /** Replaces all data; with `onlyNew`, not those that another program has put there in the meantime. */
  fill(db: Database, onlyNew: boolean): Promise<unknown>;
}

/** A seed of `fillFrom`, or data from elsewhere. */
export type Seed = string | OtherSource;

/**
 * Opens a database and fills it with the seed, by default `tiny`, if it is new.
 * @throws DocsError as `openStore` and `fillFrom`; `usage` if it was filled from another seed
 */
export async function openFilled(file: string, seed: Seed | undefined, io: Now): Promise<Store> {
  const store = await openStore(file, io);
  try {
    await fillOnce(store.db, seed, io);
    return store;
  } catch (error) {
    store.db.close();
    throw error;
  }
}

async function fillOnce(db: Database, seed: Seed | undefined, io: Now): Promise<void> {
  const other = typeof seed === 'object';
  if (!isFilled(db)) await (other ? seed.fill(db, true) : fillFrom(db, seed ?? 'tiny', io, true));
  if (seed === undefined || (other ? seed.source : sourceNamed(seed)) === sourceOf(db)) return;
  throw usageError('already_seeded', `the sandbox already has data, from ${sourceOf(db)}`, {
    hint: hintFor(seed),
  });
}

function hintFor(seed: Seed): string {
  if (typeof seed === 'object') return seed.hint;
  return isSeedName(seed) ? `docs sandbox seed ${seed}` : `docs sandbox seed --from ${seed}`;
}

/**
 * Replaces all data of a database with a seed.
 * @param seed `tiny`, `acme`, `huge`, or an export: a path that is absolute or ends in `.json`
 * @param onlyNew skip a database that another program has filled in the meantime
 * @throws DocsError `usage` for another name; `local-io` if the file cannot be read; `configuration` if it
 *   is not an export
 */
export async function fillFrom(db: Database, seed: string, io: Now, onlyNew = false): Promise<void> {
  if (isSeedName(seed)) {
    const { plant } = await import('../seeds/index.js');
    refill(db, { onlyNew, source: seed, nowMs: io.now(), fill: () => plant(db, seed) });
    return;
  }
  if (!isAbsolute(seed) && !seed.endsWith('.json')) {
    const known = seedNames.join(', ');
    throw usageError('unknown_seed', `unknown seed ${seed}; expected ${known}, or an export (a .json file)`);
  }
  await fillFromExport(db, seed, io, onlyNew);
}

/** Replaces all data of a database with an export. @throws DocsError as `fillFrom` */
export async function fillFromExport(db: Database, file: string, io: Now, onlyNew = false): Promise<void> {
  const { importState, parseExport } = await import('./export.js');
  const state = parseExport(await readText(file));
  const source = sourceNamed(file);
  refill(db, { onlyNew, source, nowMs: io.now(), fill: () => importState(db, state) });
}

/** How the database records a seed: an export by its absolute path. */
function sourceNamed(seed: string): string {
  return isSeedName(seed) ? seed : resolve(seed);
}

function isSeedName(name: string): name is SeedName {
  return (seedNames as readonly string[]).includes(name);
}

async function readText(file: string): Promise<string> {
  let bytes: Uint8Array;
  try {
    const { readFile } = await import('node:fs/promises'); // Few starts read a file.
    bytes = await readFile(file);
  } catch (cause) {
    const message = `cannot read ${file}: ${(cause as Error).message}`;
    throw new DocsError('local-io', 'cannot_read', message, { cause });
  }
  return decodeText(bytes, file);
}
