import { positionAt } from '../../../src/sandbox/positions.js';
import { fold, seedInstant } from '../../../src/sandbox/store/rows.js';
import type { Field, LibraryNode, Organization, SpaceNode } from './model.js';
import { type Add, idOf, type LiveSpace, madeAt, orgId, pick, type Row, type Tables } from './rows.js';
import { addSites } from './state-of-sites.js';

/** A random organization as a state of the sandbox: the tables of `docs sandbox export`. */

/** The ids of its people, in their order. */
export const personId = (index: number): string => idOf(`person ${index}`);
/** The email of a person. */
export const emailOf = ({ people }: Organization, index: number): string =>
  `${people[index]?.local}.${index}@acme.example`;

/** The state, with another organization beside it that nothing may touch. */
export function stateOf(org: Organization): string {
  const tables: Tables = {};
  const add = (table: string, row: Row): void => {
    tables[table] ??= [];
    tables[table].push(row);
  };
  add('state', { key: 'seed', value: 'generated' });
  add('state', { key: 'ids', value: 0 });
  addPeople(org, add);
  addTeams(org, add);
  addFields(org, add);
  const spaces = addLibrary(org, add);
  const sites = addSites(org, spaces, add);
  addSpecs(org, add);
  addOthers(org, add);
  addOrganization(org, pick(sites, org.defaultSite), add);
  addNeighbour(add);
  return JSON.stringify({ format: 'docs-sandbox/1', tables });
}

function addOrganization(org: Organization, defaultSite: string | undefined, add: Add): void {
  add('organizations', {
    ...{ id: orgId, title: org.title, created_at: madeAt(0), hostname: org.hostname },
    email_domains: JSON.stringify(org.emailDomains),
    default_role: org.defaultRole,
    default_site: defaultSite ?? null,
    ...{ sso: Number(org.sso), ai: Number(org.ai), invite_links: Number(org.inviteLinks) },
  });
}

/** Two admins, so that guards let one of the others be changed. */
function addPeople(org: Organization, add: Add): void {
  for (const [index, { role, sso, disabled }] of org.people.entries()) {
    const email = emailOf(org, index);
    const id = personId(index);
    add('users', { id, display_name: `Person ${index}`, email, folded: fold(email), photo_url: null });
    add('members', {
      ...{ org_id: orgId, user_id: id, role: index < 2 ? 'admin' : role, joined_at: madeAt(index) },
      ...{ sso: Number(sso), disabled: Number(disabled && index > 1), last_seen_at: null },
    });
  }
}

function addTeams({ teams, people }: Organization, add: Add): void {
  for (const [index, { title, members }] of teams.entries()) {
    const id = idOf(`team ${index}`);
    add('teams', { id, org_id: orgId, title, folded: fold(title), created_at: madeAt(index) });
    const roles = new Map(members.map(({ person, owner }) => [person % people.length, owner]));
    for (const [person, owner] of roles) {
      const ids = { team_id: id, org_id: orgId, user_id: personId(person) };
      add('team_members', { ...ids, role: owner ? 'owner' : 'member' });
    }
  }
}

function addFields({ fields }: Organization, add: Add): void {
  for (const [index, { options, ...field }] of fields.entries()) {
    add('custom_fields', {
      ...{ id: idOf(`field ${index}`), org_id: orgId, ...field },
      options: optionsOf({ ...field, options }) ?? null,
      ...{ created_at: madeAt(index), updated_at: madeAt(index) },
    });
  }
}

/** As JSON; those of select fields alone, and none rather than an empty list. */
function optionsOf({ type, options }: Field): string | undefined {
  const chosen = type === 'select' || type === 'multiselect';
  return chosen && options.length > 0 ? JSON.stringify(options) : undefined;
}

/** Adds the tree. Gives the spaces that are not deleted, in its order. */
function addLibrary(org: Organization, add: Add): LiveSpace[] {
  const found: LiveSpace[] = [];
  let count = 0;
  const walk = (nodes: readonly LibraryNode[], parent: string | null): void => {
    for (const [index, node] of nodes.entries()) {
      const id = idOf(`${node.is} ${count}`);
      const made = madeAt(count++);
      const placed = { id, org_id: orgId, parent_id: parent, position: positionAt(index), created_at: made };
      if (node.is === 'collection') {
        const { title, description, level } = node;
        add('collections', { ...placed, title, description, default_level: level });
        walk(node.contents, id);
        continue;
      }
      addSpace(node, { ...placed, updated_at: made }, add);
      addValues(org, node, id, add);
      if (!node.deleted) found.push({ id, title: node.title });
    }
  };
  walk(org.library, null);
  return found;
}

function addSpace({ is: _, values: __, ...space }: SpaceNode, placed: Row, add: Add): void {
  const { title, emoji, locked, level, visibility, deleted } = space;
  const outside = placed.parent_id === null && visibility === 'in-collection';
  add('spaces', {
    ...{ ...placed, title, emoji, visibility: outside ? 'private' : visibility },
    ...{ edit_mode: locked ? 'locked' : 'live', default_level: level },
    ...{ revision_id: `${placed.id}`, deleted_at: deleted ? seedInstant - 3_600_000 : null },
  });
}

function addValues({ fields }: Organization, { values }: SpaceNode, spaceId: string, add: Add): void {
  const chosen = new Map(values.map(({ field, value }) => [field % fields.length, value]));
  for (const [at, seed] of chosen) {
    const field = fields[at];
    const value = field && fieldValue(field, seed);
    if (value === undefined) continue;
    add('space_field_values', {
      ...{ space_id: spaceId, field_id: idOf(`field ${at}`) },
      value: JSON.stringify(value),
    });
  }
}

const numbers = [0, -1, 1e21, 1.5, 1e-7];
const texts = ['Platform', 'null', 'a: b # c', '1.0', 'yes', 'two\nlines', ' ', '"', '日本語'];

/** A value that a field takes; undefined where it takes none. */
export function fieldValue(field: Field, seed: number): unknown {
  const { type, options } = field;
  if (type === 'number') return pick(numbers, seed);
  if (type === 'boolean') return seed % 2 === 0;
  if (type === 'url') return `https://acme.example/${seed}?a=b&c#d`;
  if (type === 'date') return `2026-01-${String((seed % 28) + 1).padStart(2, '0')}`;
  if (optionsOf(field) === undefined) return type === 'multiselect' ? [`o${seed}`] : pick(texts, seed);
  if (type === 'select') return pick(options, seed);
  return options.filter((_, index) => index <= seed % options.length);
}

function addSpecs({ specs }: Organization, add: Add): void {
  for (const [index, { slug, url }] of specs.entries()) {
    add('openapi_specs', {
      ...{ id: idOf(`spec ${index}`), org_id: orgId, slug, source_url: url, state: 'complete' },
      ...{ created_at: madeAt(index), updated_at: madeAt(index), processed_at: madeAt(index + 1) },
    });
  }
}

function addOthers({ translations, saml, teams }: Organization, add: Add): void {
  for (const [index, title] of translations.entries()) {
    const times = { created_at: madeAt(index), updated_at: madeAt(index) };
    add('translations', {
      id: idOf(`translation ${index}`),
      org_id: orgId,
      title,
      languages: '["de"]',
      ...times,
    });
  }
  for (const [index, { label, entityId, certificate, ssoUrl, team, role }] of saml.entries()) {
    const known = team === null || teams.length === 0 ? null : idOf(`team ${team % teams.length}`);
    add('saml_providers', {
      ...{ id: idOf(`saml ${index}`), org_id: orgId, label, entity_id: entityId, certificate },
      ...{ sso_url: ssoUrl, default_team: known, default_role: role, created_at: madeAt(index) },
    });
  }
}

/** Another organization, with its own admin, a team and a space of usual names. */
function addNeighbour(add: Add): void {
  const [id, user] = [idOf('neighbour'), idOf('neighbour admin')];
  const made = { org_id: id, created_at: madeAt(1) };
  add('organizations', { id, title: 'Neighbour', created_at: madeAt(1), hostname: 'neighbour' });
  add('users', { id: user, display_name: 'Nia', email: 'nia@neighbour.example', folded: 'nia' });
  add('members', { org_id: id, user_id: user, role: 'admin', joined_at: madeAt(1) });
  add('teams', { ...made, id: idOf('neighbour team'), title: 'Writers', folded: 'writers' });
  add('spaces', {
    ...{ ...made, id: idOf('neighbour space'), title: 'Guides', position: positionAt(0) },
    ...{ visibility: 'private', revision_id: 'none', updated_at: madeAt(1) },
  });
}
