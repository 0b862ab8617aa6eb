import type { Collection } from '../../api/resources/collections.js';
import type { Member } from '../../api/resources/members.js';
import type { OpenApiSpec } from '../../api/resources/openapi.js';
import type { Organization } from '../../api/resources/orgs.js';
import type { SamlProvider } from '../../api/resources/saml.js';
import type { Space } from '../../api/resources/spaces.js';
import type { Team } from '../../api/resources/teams.js';
import type { GroupedSite } from '../../snapshot/organization.js';
import type { Unread } from '../../snapshot/unread.js';
import type { MapPart } from './nodes.js';

/** What was read of an organization for its map. Everything is by id: a list that changes may repeat an item. */
export interface Found {
  organizationId: string;
  organization?: Organization;
  /** In the order of the platform. */
  collections: Map<string, Collection>;
  /** Lists may differ in what they tell of a space: each is as a collection has it, else a site, else a member. */
  spaces: Map<string, Space>;
  /** Ids of the spaces in each collection whose list was asked for, in its order. */
  inCollections: Map<string, string[]>;
  sites: Map<string, GroupedSite>;
  teams: Map<string, Team>;
  people: Map<string, Person>;
  specs: Map<string, OpenApiSpec>;
  providers: Map<string, SamlProvider>;
  /** Of each space that was asked. */
  pages: Map<string, number>;
  missing: MissingOfMap[];
}

/** What a report lists of a member; the map itself counts roles. */
export interface Person extends Partial<Pick<Member, 'lastSeenAt' | 'disabled' | 'spaces' | 'teams'>> {
  role: string;
  name?: string;
  email?: string;
}

/** Something that could not be read. */
export interface MissingOfMap {
  /** The parts that lack it; none where it is the organization itself. */
  parts: readonly MapPart[];
  /** Id of the node that lacks it, where it is a part of one. */
  node?: string;
  unread: Unread;
}

export function nothingFound(organizationId: string): Found {
  return {
    organizationId,
    ...{ collections: new Map(), spaces: new Map(), inCollections: new Map(), sites: new Map() },
    ...{ teams: new Map(), people: new Map(), specs: new Map(), providers: new Map(), pages: new Map() },
    missing: [],
  };
}
