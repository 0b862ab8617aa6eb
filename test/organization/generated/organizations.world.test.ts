import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listCollections } from '../../../src/api/resources/collections.js';
import { listCustomFields, listSpaceFields } from '../../../src/api/resources/custom-fields.js';
import { listMembers } from '../../../src/api/resources/members.js';
import { listOpenApiSpecs } from '../../../src/api/resources/openapi.js';
import { getOrg } from '../../../src/api/resources/orgs.js';
import { listSamlProviders } from '../../../src/api/resources/saml.js';
import { listSectionGroups, listSections } from '../../../src/api/resources/sections.js';
import { listSiteSpaces } from '../../../src/api/resources/site-spaces.js';
import { listSites } from '../../../src/api/resources/sites.js';
import { listTeams } from '../../../src/api/resources/teams.js';
import { listTranslations } from '../../../src/api/resources/translations.js';
import { runs } from '../../runs.js';
import { organization } from './arbitrary.js';
import { orgId, type Tables } from './rows.js';
import { stateOf } from './state.js';
import { World } from './world.js';

/** The random organizations are ones that the platform could show. */

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

const seed = 20260105;
const lists = [
  ...[listMembers, listTeams, listCustomFields, listCollections, listSites],
  ...[listOpenApiSpecs, listTranslations, listSamlProviders],
];

test('every list of random organizations has the declared shape', async () => {
  await fc.assert(
    fc.asyncProperty(organization, async (org) => {
      world.load(stateOf(org));
      const { client } = world;
      const path = { organizationId: orgId };
      expect((await client.ok(getOrg, { path })).title).toBe(org.title);
      for (const list of lists) await client.all(list, { path });
      const { sites = [], spaces = [] } = JSON.parse(world.state()).tables as Tables;
      for (const { id, org_id } of sites.filter((row) => row.org_id === orgId)) {
        const inSite = { organizationId: String(org_id), siteId: String(id) };
        for (const list of [listSections, listSectionGroups, listSiteSpaces])
          await client.all(list, { path: inSite });
      }
      for (const { id } of spaces.filter((row) => row.org_id === orgId && row.deleted_at === null))
        await client.ok(listSpaceFields, { path: { spaceId: String(id) } });
    }),
    { numRuns: runs(4), seed },
  );
});

test('a state comes back from an export as it went in', () => {
  fc.assert(
    fc.property(organization, (org) => {
      world.load(stateOf(org));
      const state = world.state();
      world.restore(state);
      expect(world.state()).toBe(state);
    }),
    { numRuns: runs(4), seed },
  );
});

test('the same seed gives the same organizations, of every kind and with hostile titles', () => {
  const drawn = fc.sample(organization, { numRuns: 200, seed });
  expect(fc.sample(organization, { numRuns: 200, seed })).toEqual(drawn);
  const states = drawn.map((org) => JSON.parse(stateOf(org)).tables as Tables);
  const tables = new Set(states.flatMap((state) => Object.keys(state)));
  for (const table of [
    'team_members',
    'space_field_values',
    'section_groups',
    'site_spaces',
    'saml_providers',
  ])
    expect(tables).toContain(table);
  const titles = new Set(drawn.flatMap(({ teams }) => teams.map(({ title }) => title)));
  for (const title of ['null', 'a: b', ' leading', '1.0', "'single'", 'two\nlines', '\u202eoverride'])
    expect(titles).toContain(title);
});
