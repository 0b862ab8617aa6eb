import type { Handler } from '../handle.js';
import type { PendingWork } from '../pending.js';
import * as invites from './invites.js';
import * as members from './members.js';
import * as orgs from './orgs.js';
import * as spaceFields from './space-fields.js';
import * as spaceLinks from './space-links.js';
import * as spaces from './spaces.js';
import * as teamMembers from './team-members.js';
import * as teams from './teams.js';

/** What a file of handlers exports. */
export interface ResourceModule {
  handlers: readonly Handler[];
  /** What falls due as the clock passes. */
  pending?: readonly PendingWork[];
}

/** One line a resource. */
const resources: readonly ResourceModule[] = [
  orgs,
  invites,
  members,
  teams,
  teamMembers,
  spaces,
  spaceFields,
  spaceLinks,
];

export const handlers: readonly Handler[] = resources.flatMap((resource) => resource.handlers);
export const pendingWork: readonly PendingWork[] = resources.flatMap((resource) => resource.pending ?? []);
