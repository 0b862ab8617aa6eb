import type { Database } from '../database.js';
import { members } from './members.js';
import { orgs } from './orgs.js';
import { type ResourceSeed, type SeedName, seedingOf } from './seed.js';

/** One line a resource, after those it refers to. */
const resources: readonly ResourceSeed[] = [orgs, members];

/** Fills an empty database with a seed. Call within a write. */
export function plant(db: Database, seed: SeedName): void {
  db.run("INSERT OR REPLACE INTO state (key, value) VALUES ('seed', ?), ('ids', 0)", seed);
  for (const resource of resources) {
    const fill = (seed === 'huge' ? resource.huge : undefined) ?? resource[seed === 'acme' ? 'acme' : 'tiny'];
    fill(seedingOf(db, seed, resource.name));
  }
}
