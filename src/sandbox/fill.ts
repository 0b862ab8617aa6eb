import { readFile } from 'node:fs/promises';
import { DocsError, usageError } from '../errors.js';
import type { Io } from '../io.js';
import type { Database } from './database.js';
import { importState, parseExport } from './export.js';
import { plant } from './seeds/index.js';
import { type SeedName, seedNames } from './seeds/seed.js';
import { refill } from './store.js';

/**
 * Replaces all that a database holds by a seed.
 * @param seed `tiny`, `acme`, `huge`, or the path of an export, which ends in `.json`
 * @throws DocsError `usage` for another name; `local-io` where the file cannot be read;
 *   `configuration` where it is no export
 */
export async function fillFrom(db: Database, seed: string, io: Pick<Io, 'now'>): Promise<void> {
  if (isSeedName(seed)) {
    refill(db, io.now(), () => plant(db, seed));
    return;
  }
  if (!seed.endsWith('.json')) {
    const known = seedNames.join(', ');
    throw usageError('unknown_seed', `${seed} is no seed; known: ${known}, or an export (a .json file).`);
  }
  const state = parseExport(await readText(seed));
  refill(db, io.now(), () => importState(db, state));
}

function isSeedName(name: string): name is SeedName {
  return (seedNames as readonly string[]).includes(name);
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new DocsError('local-io', 'cannot_read', `Cannot read ${file}: ${(cause as Error).message}.`, {
      cause,
    });
  }
}
