import type { AnyOperation } from '../operation.js';
import * as invites from './invites.js';
import * as members from './members.js';
import * as orgs from './orgs.js';
import * as spaceFields from './space-fields.js';
import * as spaces from './spaces.js';
import * as teamMembers from './team-members.js';
import * as teams from './teams.js';

/** One line a resource. Everything else is derived from the declarations. */
const resources = [orgs, invites, members, teams, teamMembers, spaces, spaceFields];

/** All operations of the platform, in the order of their resources. */
export const operations: readonly AnyOperation[] = resources
  .flatMap((resource) => Object.values(resource) as unknown[])
  .filter(isOperation);

function isOperation(value: unknown): value is AnyOperation {
  return typeof value === 'object' && value !== null && 'method' in value && 'returns' in value;
}
