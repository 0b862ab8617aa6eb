import type { AnyOperation } from '../../../src/api/operation.js';
import { seedId } from '../client.js';
import * as ops from '../operations.js';
import { siteLists } from './site-lists.js';
import { spaceLists } from './space-lists.js';
import { anyOf, either, type Lists, type Walked, type World } from './world.js';

const spaceId = seedId('space welcome');
const teamId = seedId('team writers');

const orgOf = ({ organizationId }: World) => ({ organizationId });

interface Made {
  id: string;
  name?: string;
  slug?: string;
}

/** A list of the organization with an operation that creates and one that deletes. */
function made(
  ...[create, list, remove, { body, path }]: [
    ...operations: [create: AnyOperation, list: AnyOperation, remove: AnyOperation],
    by: { body(name: string): object; path(item: Made): Record<string, string> },
  ]
) {
  return async (world: World): Promise<Walked> => {
    const { admin, random } = world;
    const add = () =>
      admin.ok(create, { path: orgOf(world), body: body(`n${random.below(90) + 10}-${world.number()}`) });
    const takeAway = async () => {
      const gone = anyOf(world, (await admin.all(list, { path: orgOf(world) })) as Made[]);
      if (gone !== undefined) await admin.ok(remove, { path: { ...orgOf(world), ...path(gone) } });
    };
    for (let count = 0; count < 5; count += 1) await add();
    return { path: orgOf(world), change: either(world, add, takeAway) };
  };
}

async function spacesOf(world: World): Promise<{ id: string }[]> {
  const path = { ...orgOf(world), userId: world.userId };
  const items = await world.admin.all(ops.listMemberSpaces, { path });
  return items.map(({ space }) => space);
}

async function changeSpaces(world: World): Promise<void> {
  const spaces = (await spacesOf(world)).filter(({ id }) => id !== spaceId);
  const { id = spaceId } = anyOf(world, spaces) ?? {};
  const path = { spaceId: id };
  world.outside.ms += 1;
  if (spaces.length > 2 && world.random.below(2) === 0) await world.admin.ok(ops.deleteSpace, { path });
  else await world.admin.ok(ops.duplicateSpace, { path });
}

/** Collections in collections, with spaces, some of which are deleted with their contents moving up. */
async function changeCollections(world: World): Promise<void> {
  const { admin, random } = world;
  const all = await admin.all(ops.listCollections, { path: orgOf(world) });
  const keep = seedId('collection product');
  const gone = anyOf(
    world,
    all.filter(({ id }) => id !== keep),
  );
  if (gone !== undefined && all.length > 4 && random.below(2) === 0) {
    await admin.ok(ops.deleteCollection, { path: { collectionId: gone.id } });
    return;
  }
  const parent = anyOf(world, all)?.id;
  const body = random.below(3) === 0 || parent === undefined ? {} : { parent };
  const { id } = await admin.ok(ops.createCollection, { path: orgOf(world), body });
  for (let count = random.below(3); count > 0; count -= 1) await fillCollection(world, id);
}

/** Puts a space into a collection, or a copy of one beside it. */
async function fillCollection(world: World, collectionId: string): Promise<void> {
  const { admin } = world;
  const { id } = await admin.ok(ops.duplicateSpace, { path: { spaceId } });
  await admin.send('POST', `/v1/spaces/${id}/move`, { body: { parent: collectionId } });
}

async function nested(world: World): Promise<string> {
  const { admin } = world;
  const product = seedId('collection product');
  for (const parent of [product, product, seedId('collection internal')]) {
    const { id } = await admin.ok(ops.createCollection, { path: orgOf(world), body: { parent } });
    await fillCollection(world, id);
    const { id: inner } = await admin.ok(ops.createCollection, { path: orgOf(world), body: { parent: id } });
    for (let count = 0; count < 2; count += 1) await fillCollection(world, inner);
  }
  await fillCollection(world, product);
  return product;
}

/** Members joined and were seen at any time. */
const memberAdded = (world: World) => () =>
  world.beside((db) => {
    const id = `walker${world.number()}`;
    const name = `Walker ${id}`;
    db.run(
      'INSERT INTO users (id, display_name, email, folded) VALUES (?, ?, ?, ?)',
      id,
      name,
      `${id}@x.example`,
      id,
    );
    const sql =
      "INSERT INTO members (org_id, user_id, role, joined_at, last_seen_at) VALUES (?, ?, 'read', ?, ?)";
    db.run(sql, world.organizationId, id, world.random.below(9), world.random.below(9));
    return id;
  });

async function members(world: World): Promise<Walked> {
  const { admin, random } = world;
  const path = orgOf(world);
  const add = memberAdded(world);
  const remove = async () => {
    const others = (await admin.all(ops.listMembers, { path })).filter(({ id }) => id !== world.userId);
    await admin.ok(ops.deleteMember, { path: { ...path, userId: anyOf(world, others)?.id ?? '' } });
  };
  const query = { order: random.pick(['asc', 'desc']), sort: random.pick(['joinedAt', 'lastSeenAt']) };
  return { path, query, change: either(world, add, remove) };
}

async function teamMembers(world: World): Promise<Walked> {
  const { admin } = world;
  const path = { ...orgOf(world), teamId };
  const add = memberAdded(world);
  const people = [seedId('user emil'), seedId('user farah')];
  for (let count = 0; count < 8; count += 1) people.push(await add());
  const one = () => ({ ...path, userId: anyOf(world, people) ?? '' });
  for (const userId of people) await admin.ok(ops.setTeamMember, { path: { ...path, userId }, body: {} });
  return {
    path,
    change: async () => {
      const target = one();
      await admin.ok(ops.setTeamMember, { path: target, body: {} });
      if (world.random.below(2) === 0) await admin.ok(ops.deleteTeamMember, { path: target });
    },
  };
}

async function teamsOfMember(world: World): Promise<Walked> {
  const { admin, userId, random } = world;
  const add = async () => {
    world.outside.ms += random.below(2);
    const body = { title: 'Walkers', members: [userId] };
    return admin.ok(ops.createTeam, { path: orgOf(world), body });
  };
  const remove = async () => {
    const all = await admin.all(ops.listTeams, { path: orgOf(world) });
    await admin.ok(ops.deleteTeam, { path: { ...orgOf(world), teamId: anyOf(world, all)?.id ?? '' } });
  };
  for (let count = 0; count < 6; count += 1) await add();
  return { path: { ...orgOf(world), userId }, change: either(world, add, remove) };
}

async function orgs(world: World): Promise<Walked> {
  const add = () =>
    world.beside((db) => {
      const id = `org${world.number()}`;
      db.run(
        'INSERT INTO organizations (id, title, created_at) VALUES (?, ?, ?)',
        id,
        id,
        world.random.below(9),
      );
      const sql = "INSERT INTO members (org_id, user_id, role, joined_at) VALUES (?, ?, 'read', 1)";
      db.run(sql, id, world.userId);
    });
  const remove = () =>
    world.beside((db) => {
      const all = db.all<{ id: string }>("SELECT id FROM organizations WHERE id LIKE 'org%' ORDER BY id");
      db.run('DELETE FROM organizations WHERE id = ?', anyOf(world, all)?.id ?? '');
    });
  for (let count = 0; count < 6; count += 1) await add();
  return { path: {}, change: either(world, add, remove) };
}

async function versions(world: World): Promise<Walked> {
  const specId = seedId('spec public-api');
  const change = () =>
    world.beside((db) => {
      const all = db.all<{ id: string }>(
        'SELECT id FROM openapi_versions WHERE spec_id = ? ORDER BY number',
        specId,
      );
      if (all.length > 3 && world.random.below(2) === 0) {
        db.run('DELETE FROM openapi_versions WHERE id = ?', anyOf(world, all)?.id ?? '');
        return;
      }
      const sql =
        'INSERT INTO openapi_versions (id, spec_id, number, file, document, created_at) VALUES (?, ?, ?, ?, ?, 1)';
      const number = world.number();
      db.run(sql, `version${number}`, specId, number + 10, 'a.json', '{}');
    });
  for (let count = 0; count < 6; count += 1) await change();
  return { path: { ...orgOf(world), specSlug: 'public-api' }, change };
}

/** By the id of the operation that lists it. */
export const lists: Lists = {
  'orgs.list': orgs,
  'orgs.search': (world) => ({
    path: orgOf(world),
    query: { query: 'e' },
    change: () => changeSpaces(world),
  }),
  'members.list': members,
  'members.spaces': (world) => ({
    path: { ...orgOf(world), userId: world.userId },
    query: { order: world.random.pick(['asc', 'desc']) },
    change: () => changeSpaces(world),
  }),
  'members.teams': teamsOfMember,
  'teams.list': async (world) => ({ ...(await teamsOfMember(world)), path: orgOf(world) }),
  'team-members.list': teamMembers,
  'saml.list': made(ops.createSamlProvider, ops.listSamlProviders, ops.deleteSamlProvider, {
    body: (label) => ({ label }),
    path: ({ id }) => ({ samlProviderId: id }),
  }),
  'translations.list': made(ops.createTranslation, ops.listTranslations, ops.deleteTranslation, {
    body: (title) => ({ title }),
    path: ({ id }) => ({ translationSettingsId: id }),
  }),
  'custom-fields.list': made(ops.createCustomField, ops.listCustomFields, ops.deleteCustomField, {
    body: (name) => ({ name, type: 'text' }),
    path: ({ name = '' }) => ({ fieldName: name }),
  }),
  'openapi.list': made(ops.createOpenApiSpec, ops.listOpenApiSpecs, ops.deleteOpenApiSpec, {
    body: (slug) => ({ slug, source: { text: 'no spec' } }),
    path: ({ slug = '' }) => ({ specSlug: slug }),
  }),
  'openapi-versions.list': versions,
  'collections.list': async (world) => {
    await nested(world);
    return { path: orgOf(world), change: () => changeCollections(world) };
  },
  'collections.spaces': async (world) => ({
    path: { collectionId: await nested(world) },
    change: () => (world.random.below(2) === 0 ? changeCollections(world) : changeSpaces(world)),
  }),
  ...spaceLists,
  ...siteLists,
};
