import type { Database } from '../store/database.js';
import { changeRequests } from './change-requests.js';
import { collections } from './collections.js';
import { comments } from './comments.js';
import { content } from './content.js';
import { customFields } from './custom-fields.js';
import { members } from './members.js';
import type { SeedName } from './names.js';
import { openapi } from './openapi.js';
import { orgs } from './orgs.js';
import { saml } from './saml.js';
import { type ResourceSeed, seedingOf } from './seed.js';
import { sites } from './sites.js';
import { spaces } from './spaces.js';
import { teams } from './teams.js';
import { translations } from './translations.js';

/** One line per resource, after those it refers to. */
const resources: readonly ResourceSeed[] = [
  orgs,
  members,
  teams,
  collections,
  spaces,
  customFields,
  saml,
  translations,
  openapi,
  content,
  changeRequests,
  sites,
  comments,
];

export function plant(db: Database, seed: SeedName): void {
  db.run("INSERT OR REPLACE INTO state (key, value) VALUES ('seed', ?), ('ids', 0)", seed);
  for (const resource of resources) {
    const fill = (seed === 'huge' ? resource.huge : undefined) ?? resource[seed === 'acme' ? 'acme' : 'tiny'];
    fill(seedingOf(db, seed, resource.name));
  }
}
