import { positionAt } from '../../../src/sandbox/positions.js';
import { seedInstant } from '../../../src/sandbox/store/rows.js';
import { type Add, idOf, madeAt, orgId, type Tables } from '../../organization/generated/rows.js';
import type { AccessOrganization } from './organization.js';

/** A random organization as the tables of the sandbox. */

export { orgId };
export const personId = (index: number): string => idOf(`person ${index}`);
export const teamId = (index: number): string => idOf(`team ${index}`);
export const collectionId = (index: number): string => idOf(`collection ${index}`);
export const spaceId = (index: number): string => idOf(`space ${index}`);
export const emailOf = (index: number): string => `person-${index}@acme.example`;

/** The most people that an organization has; each of them has a token. */
export const mostPeople = 7;

export function tablesOf(org: AccessOrganization): Tables {
  const tables: Tables = {};
  const add: Add = (table, row) => {
    tables[table] ??= [];
    tables[table].push(row);
  };
  add('state', { key: 'seed', value: 'generated' });
  add('state', { key: 'ids', value: 0 });
  add('organizations', { id: orgId, title: 'Generated', created_at: madeAt(0) });
  addPeople(org, add);
  addPlaces(org, add);
  addSites(org, add);
  return tables;
}

function addPeople({ people, teams }: AccessOrganization, add: Add): void {
  for (const [index, { role, disabled }] of people.entries()) {
    const [id, email] = [personId(index), emailOf(index)];
    add('users', { id, display_name: `Person ${index}`, email, folded: email });
    add('members', {
      ...{ org_id: orgId, user_id: id, role, joined_at: madeAt(index), disabled: Number(disabled) },
    });
  }
  for (const [index, members] of teams.entries()) {
    const id = teamId(index);
    const title = `Team ${index}`;
    add('teams', { id, org_id: orgId, title, folded: title.toLowerCase(), created_at: madeAt(index) });
    const owners = new Map(members.map(({ person, owner }) => [person % people.length, owner]));
    for (const [person, owner] of owners)
      add('team_members', {
        ...{ team_id: id, org_id: orgId, user_id: personId(person), role: owner ? 'owner' : 'member' },
      });
  }
}

function addPlaces({ people, teams, collections, spaces }: AccessOrganization, add: Add): void {
  for (const [index, { parent, level }] of collections.entries())
    add('collections', {
      ...{ id: collectionId(index), org_id: orgId, title: `Collection ${index}` },
      parent_id: parent === null || index === 0 ? null : collectionId(parent % index),
      ...{ default_level: level, position: positionAt(index), created_at: madeAt(index) },
    });
  for (const [index, { parent, visibility, level, deleted, ...grants }] of spaces.entries()) {
    const id = spaceId(index);
    const inside = parent === null || collections.length === 0 ? null : parent % collections.length;
    // Only a collection has a visibility to inherit.
    const lost = inside === null && visibility === 'in-collection';
    add('spaces', {
      ...{ id, org_id: orgId, title: `Space ${index}`, default_level: level, revision_id: id },
      ...{ parent_id: inside === null ? null : collectionId(inside), position: positionAt(10 + index) },
      ...{ visibility: lost ? 'private' : visibility, created_at: madeAt(index), updated_at: madeAt(index) },
      deleted_at: deleted ? seedInstant - 3_600_000 : null,
    });
    const users = new Map(grants.users.map(({ to, level: given }) => [to % people.length, given]));
    for (const [person, given] of users)
      add('space_users', { space_id: id, user_id: personId(person), level: given });
    if (teams.length === 0) continue;
    const given = new Map(grants.teams.map((grant) => [grant.to % teams.length, grant.level]));
    for (const [team, role] of given)
      add('space_teams', { space_id: id, team_id: teamId(team), level: role });
  }
}

function addSites({ sites, spaces }: AccessOrganization, add: Add): void {
  for (const [index, { visibility, published, spaces: shown }] of sites.entries()) {
    const id = idOf(`site ${index}`);
    add('sites', {
      ...{ id, org_id: orgId, title: `Site ${index}`, folded: `site ${index}`, visibility },
      ...{ share_key: idOf(`key ${index}`), published: Number(published), created_at: madeAt(index) },
    });
    for (const [at, space] of new Set(shown.map((one) => one % spaces.length)).entries())
      add('site_spaces', {
        ...{ id: idOf(`site space ${index} ${at}`), site_id: id, space_id: spaceId(space) },
        ...{ path: `path-${at}`, position: positionAt(at), is_default: Number(at === shown[0]) },
      });
  }
}
