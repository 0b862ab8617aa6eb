import type { Database } from '../database.js';
import { collections } from './collections.js';
import { customFields } from './custom-fields.js';
import { members } from './members.js';
import { orgs } from './orgs.js';
import { type ResourceSeed, type SeedName, seedingOf } from './seed.js';
import { spaces } from './spaces.js';
import { teams } from './teams.js';

/** One line a resource, after those it refers to. */
const resources: readonly ResourceSeed[] = [orgs, members, teams, collections, spaces, customFields];

/** Fills an empty database with a seed. Call within a write. */
export function plant(db: Database, seed: SeedName): void {
  db.run("INSERT OR REPLACE INTO state (key, value) VALUES ('seed', ?), ('ids', 0)", seed);
  for (const resource of resources) {
    const fill = (seed === 'huge' ? resource.huge : undefined) ?? resource[seed === 'acme' ? 'acme' : 'tiny'];
    fill(seedingOf(db, seed, resource.name));
  }
}
