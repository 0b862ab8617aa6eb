import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../../src/api/client.js';
import { getAdaptiveSchema } from '../../../src/api/resources/adaptive-schemas.js';
import { getCollection } from '../../../src/api/resources/collections.js';
import { getCustomField, listSpaceFields, setSpaceFields } from '../../../src/api/resources/custom-fields.js';
import { getMember, listTeamMembers } from '../../../src/api/resources/members.js';
import { getOpenApiSpec } from '../../../src/api/resources/openapi.js';
import { getOrg } from '../../../src/api/resources/orgs.js';
import { getSamlProvider } from '../../../src/api/resources/saml.js';
import { createSectionGroup, listSectionGroups, listSections } from '../../../src/api/resources/sections.js';
import { listSiteSpaces } from '../../../src/api/resources/site-spaces.js';
import { getSite } from '../../../src/api/resources/sites.js';
import { getSpace, moveSpace, updateSpace } from '../../../src/api/resources/spaces.js';
import { getTeam } from '../../../src/api/resources/teams.js';
import { getTranslation } from '../../../src/api/resources/translations.js';
import { DocsError } from '../../../src/base/errors.js';
import { isRefused } from '../../../src/organization/kinds/declare.js';
import { type KindName, kindNames, type Live, type LiveItem } from '../../../src/organization/model.js';
import { seedId } from '../../sandbox/client.js';
import { eachTest } from '../../sandbox/each-test.js';
import { type LiveWorld, openLiveWorld } from './live-world.js';

const world: LiveWorld = eachTest(() => openLiveWorld('tiny'));

const itemsOf = (live: Live, kind: KindName) => live.items.get(kind) ?? [];
const siteOf = (item: LiveItem): string => (item.parent === undefined ? item.id : siteOf(item.parent));

/** What files say of an item, from what its own read shows. */
type Shown = (item: LiveItem, world: LiveWorld) => Promise<Record<string, unknown>>;

const inSite = ({ organizationId }: LiveWorld, item: LiveItem) => ({ organizationId, siteId: siteOf(item) });

const shown: Readonly<Record<KindName, Shown>> = {
  async fields({ id }, { client, organizationId }) {
    const path = { organizationId, fieldName: id };
    const {
      type,
      title = null,
      description = null,
      placeholder = null,
      options = null,
    } = await client.call(getCustomField, { path });
    return { type, title, description, placeholder, options };
  },
  async people({ id }, { client, organizationId }) {
    const { role, sso } = await client.call(getMember, { path: { organizationId, userId: id } });
    return { role: role ?? 'guest', sso };
  },
  async teams({ id }, { client, organizationId }) {
    const { title } = await client.call(getTeam, { path: { organizationId, teamId: id } });
    return { title };
  },
  async memberships({ id, parent }, { sandbox, organizationId }) {
    const path = { organizationId, teamId: parent?.id ?? '' };
    const all = await sandbox.admin.all(listTeamMembers, { path });
    return { role: all.find(({ organization }) => organization.id === id)?.team.role };
  },
  async collections({ id }, { client }) {
    const {
      title,
      description = null,
      defaultLevel,
    } = await client.call(getCollection, { path: { collectionId: id } });
    return { title, description, default_level: defaultLevel ?? 'none' };
  },
  async spaces({ id }, { client }) {
    const path = { spaceId: id };
    const { title, editMode, defaultLevel, emoji } = await client.call(getSpace, { path });
    const entries = await client.call(listSpaceFields, { path });
    const values = entries.flatMap(({ customField: { name, type }, value }) => {
      const none = type === 'text' ? '' : type === 'multiselect' ? [] : undefined;
      return value === undefined && none === undefined ? [] : [[name, value ?? none]];
    });
    return {
      ...{ title, edit_mode: editMode, default_level: defaultLevel ?? 'none', emoji: emoji || null },
      fields: Object.fromEntries(values),
    };
  },
  async openapi({ id }, { client, organizationId }) {
    const { sourceURL = null } = await client.call(getOpenApiSpec, {
      path: { organizationId, specSlug: id },
    });
    return { url: sourceURL };
  },
  async translations({ id }, { client, organizationId }) {
    const path = { organizationId, translationSettingsId: id };
    return { title: (await client.call(getTranslation, { path })).title };
  },
  async sites(item, { client, sandbox, organizationId }) {
    const path = { organizationId, siteId: item.id };
    const site = await client.call(getSite, { path });
    const schema = await client.call(getAdaptiveSchema, { path }).catch((cause) => {
      if (isRefused(cause)) return { jsonSchema: null };
      throw cause;
    });
    const [section] = (await sandbox.admin.all(listSections, { path })).filter((one) => one.default);
    const [space] = (await sandbox.admin.all(listSiteSpaces, { path })).filter((one) => one.default);
    const { type, title, visibility, basename = null } = site;
    return {
      ...{ type, title, visibility, basename, proxy: site.proxy?.origin ?? null, schema: schema.jsonSchema },
      adaptive_content: site.adaptiveContent?.enabled,
      default: section ? { $id: section.id, kind: 'sections' } : { $id: space?.id, kind: 'site-spaces' },
    };
  },
  async groups(item, own) {
    const all = await own.sandbox.admin.all(listSectionGroups, { path: inSite(own, item) });
    const group = all.find(({ id }) => id === item.id);
    return { title: group?.title, icon: group?.icon ?? null };
  },
  async sections(item, own) {
    const all = await own.sandbox.admin.all(listSections, { path: inSite(own, item) });
    const section = all.find(({ id }) => id === item.id);
    const { title, path, icon = null, description = null, condition = null } = section ?? {};
    const first = section?.siteSpaces.find((one) => one.default)?.id;
    return { title, path, icon, description, condition, default: { $id: first, kind: 'site-spaces' } };
  },
  async 'site-spaces'(item, own) {
    const all = await own.sandbox.admin.all(listSiteSpaces, { path: inSite(own, item) });
    const { path, condition = null } = all.find(({ id }) => id === item.id) ?? {};
    return { path, condition };
  },
  async saml({ id }, { client, organizationId }) {
    const provider = await client.call(getSamlProvider, { path: { organizationId, samlProviderId: id } });
    const { label, entityID = null, certificate = null, ssoURL = null, defaultTeam, defaultRole } = provider;
    return {
      ...{ label, entity_id: entityID, certificate, sso_url: ssoURL, default_role: defaultRole ?? 'guest' },
      default_team: defaultTeam ? { $id: defaultTeam.id, kind: 'teams' } : null,
    };
  },
  async organization(_, { client, organizationId }) {
    const {
      title,
      emailDomains,
      hostname = null,
      defaultRole,
      defaultContent,
      sso,
      ai,
      inviteLinks,
    } = await client.call(getOrg, { path: { organizationId } });
    return {
      ...{ title, email_domains: emailDomains, hostname, default_role: defaultRole ?? 'guest', sso, ai },
      invite_links: inviteLinks,
      default_site: defaultContent ? { $id: defaultContent.site, kind: 'sites' } : null,
    };
  },
};

/** @param most items of a kind, which are asked for one by one */
async function expectAsShown(own: LiveWorld, live: Live, most: number): Promise<void> {
  expect(live.missed).toEqual([]);
  expect([...live.items.keys()]).toEqual([...kindNames]);
  for (const kind of kindNames) {
    const items = itemsOf(live, kind);
    expect(items.length, kind).toBeGreaterThan(0);
    for (const item of items.slice(0, most))
      expect(item.fields, `${kind} ${item.title}`).toEqual(await shown[kind](item, own));
  }
}

test('each item is in the form of the files as its own read shows it', async () => {
  await expectAsShown(world, await world.read(), 70);
});

describe('an organization of 400', () => {
  let large: LiveWorld;
  let live: Live;
  let sent: readonly string[];
  beforeAll(async () => {
    large = await openLiveWorld('acme');
    live = await large.read();
    sent = [...large.sent];
  });
  afterAll(() => large.close());

  test('is read in at most 160 requests, each once, 8 at a time', () => {
    expect(sent.length).toBeLessThanOrEqual(160);
    expect(new Set(sent).size).toBe(sent.length);
    expect(sent.every((request) => request.startsWith('GET '))).toBe(true);
    expect(large.most()).toBe(8);
    const counts = kindNames.map((kind) => [kind, itemsOf(live, kind).length]);
    expect(Object.fromEntries(counts)).toMatchObject({ people: 400, teams: 20, spaces: 60, sites: 6 });
  });

  test('each item is in the form of the files as its own read shows it', async () => {
    await expectAsShown(large, live, 15);
  });

  test('places: collections in their tree, sections in groups, what stands at the top', () => {
    const trail = (item: LiveItem): string => (item.parent ? `${trail(item.parent)} › ` : '') + item.title;
    const places = (kind: KindName) => itemsOf(live, kind).map((item) => `${trail(item)} ${item.index}`);
    expect(places('collections')).toEqual(
      expect.arrayContaining([
        'Product 0',
        'Internal 1',
        'Engineering 2',
        'Engineering › Infrastructure › Incidents 0',
      ]),
    );
    expect(places('spaces')).toEqual(
      expect.arrayContaining([
        'Product › Product Guide 0',
        'Product › API Reference 1',
        'Welcome 0',
        'Board Notes 0',
      ]),
    );
    expect(places('groups')).toContain('Engineering Hub › Teams 1');
    expect(places('sections')).toEqual(
      expect.arrayContaining([
        ...[
          'Engineering Hub › Handbook 0',
          'Engineering Hub › Teams › Platform 0',
          'Engineering Hub › Teams › Mobile 1',
        ],
        'Engineering Hub › Incidents 3',
      ]),
    );
    expect(places('site-spaces')).toContain('Acme Docs › Developers › API › API Reference 0');
  });
});

describe('reads only what is wanted', () => {
  const requests = async (wants: (kind: KindName, field?: string) => boolean) => {
    const live = await world.read(wants);
    return {
      kinds: [...live.items.keys()],
      sent: world.sent.map((line) => line.replace(/^GET \/v1\/orgs\/\w+/, '')),
    };
  };

  test('nothing', async () => {
    expect(await requests(() => false)).toEqual({ kinds: [], sent: [] });
  });

  test('the teams', async () => {
    const { kinds, sent } = await requests((kind) => kind === 'teams');
    expect([kinds, sent]).toEqual([['teams'], ['/teams?limit=1000']]);
  });

  test('sites without what they show first and their schema', async () => {
    const { sent } = await requests((kind, field) => kind === 'sites' && field === undefined);
    expect(sent).toEqual(['/sites?limit=1000']);
  });

  test('what an item stands in is read with it', async () => {
    const { kinds, sent } = await requests((kind) => kind === 'memberships');
    expect(kinds).toEqual(['teams', 'memberships']);
    expect(sent).toHaveLength(3);
  });

  test('spaces without the values of their fields', async () => {
    const { sent } = await requests((kind, field) => kind === 'spaces' && field === undefined);
    expect(sent.filter((line) => line.includes('custom-fields'))).toEqual([]);
  });
});

test('an empty group has no place that the platform shows', async () => {
  const path = { organizationId: world.organizationId, siteId: seedId('site docs') };
  await world.sandbox.admin.ok(createSectionGroup, { path, body: { title: 'Later' } });
  const groups = itemsOf(await world.read(), 'groups');
  expect(groups.map(({ title, index }) => [title, index])).toEqual([
    ['Developers', 1],
    ['Later', -1],
  ]);
});

test('a space that moves out of its collections, has no emoji, no level and values of each type', async () => {
  const { admin } = world.sandbox;
  const path = { spaceId: seedId('space guide') };
  await admin.ok(moveSpace, { path, body: { parent: null } });
  await admin.ok(updateSpace, { path, body: { emoji: null, defaultLevel: null } });
  await admin.ok(setSpaceFields, { path, body: { values: { topics: { value: [] } } } });
  const space = itemsOf(await world.read(), 'spaces').find(({ id }) => id === path.spaceId);
  expect(space?.parent).toBeUndefined();
  expect(space?.fields).toMatchObject({ emoji: null, default_level: 'none', fields: { topics: [] } });
});

describe('what the token may not read', () => {
  test('is missed, and absent as a whole', async () => {
    const live = await world.read(undefined, world.as('read'));
    expect(live.items.has('saml')).toBe(false);
    expect(live.items.has('teams')).toBe(true);
    expect(live.missed.map(({ message }) => message).join('\n')).toMatch(
      /^The token may not read SAML providers: .*admin/,
    );
  });

  test('is named with the site whose spaces they are', async () => {
    const { client } = world;
    const refusing = createClient({
      send: (request) =>
        /\/site-spaces/.test(request.path)
          ? Promise.reject(new DocsError('forbidden', 'forbidden', 'No.'))
          : client.send(request),
      download: () => Promise.reject(new Error('no download')),
      platformNowMs: undefined,
      close: async () => {},
    });
    const { missed } = await world.read((kind) => kind === 'spaces', refusing);
    expect(missed.map(({ message }) => message).join('\n')).toContain('the spaces of the site Acme Docs');
  });

  test('fails where it is all that is wanted', async () => {
    const reading = world.read((kind) => kind === 'saml', world.as('read'));
    await expect(reading).rejects.toMatchObject({ kind: 'forbidden' });
  });
});
