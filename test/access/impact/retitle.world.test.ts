import { beforeAll, describe, expect, it } from 'vitest';
import { readImpact } from '../../../src/access/impact/impact.js';
import type { Affected, ImpactQuestion } from '../../../src/access/impact/shapes.js';
import type { AnyOperation } from '../../../src/api/operation.js';
import { pathParameters } from '../../../src/api/operation-facts.js';
import { listCollections, updateCollection } from '../../../src/api/resources/collections.js';
import { createCustomField, updateCustomField } from '../../../src/api/resources/custom-fields.js';
import { updateOrg } from '../../../src/api/resources/orgs.js';
import { createSamlProvider, updateSamlProvider } from '../../../src/api/resources/saml.js';
import {
  createSectionGroup,
  listSections,
  updateSection,
  updateSectionGroup,
} from '../../../src/api/resources/sections.js';
import { listSiteSpaces } from '../../../src/api/resources/site-spaces.js';
import { listSites, updateSite } from '../../../src/api/resources/sites.js';
import { updateSpace } from '../../../src/api/resources/spaces.js';
import { createTeam, listTeams, updateTeam } from '../../../src/api/resources/teams.js';
import { createTranslation, updateTranslation } from '../../../src/api/resources/translations.js';
import { scripted } from '../read/read-world.js';
import { publishedUrls } from './published-urls.js';
import { impactWorldOfFile } from './world.js';

/** A new title changes no address: held against what the platform publishes after the change was made. */

const world = await impactWorldOfFile('acme');
const pages = new Map<string, string[]>();
const things: Record<string, Affected> = {};
let shown: { id: string; title: string }[] = [];
beforeAll(async () => {
  const { admin, organizationId } = world.sandbox;
  const path = { organizationId };
  const site = (await admin.all(listSites, { path })).find(({ title }) => title === 'Acme Docs')?.id ?? '';
  const inSite = { path: { ...path, siteId: site } };
  const within = { siteId: site };
  shown = (await admin.all(listSiteSpaces, inSite)).flatMap(({ space }) => space ?? []);
  const [section] = await admin.all(listSections, inSite);
  const [collection] = await admin.all(listCollections, { path });
  const group = await admin.ok(createSectionGroup, { ...inSite, body: { title: 'Reference' } });
  const team = await admin.ok(createTeam, { path, body: { title: 'Old team' } });
  const field = await admin.ok(createCustomField, { path, body: { name: 'owner-name', type: 'text' } });
  const saml = await admin.ok(createSamlProvider, { path, body: { label: 'Old provider' } });
  const translation = await admin.ok(createTranslation, { path, body: { title: 'Old languages' } });
  Object.assign(things, {
    space: { object: 'space', id: shown[0]?.id ?? '' },
    collection: { object: 'collection', id: collection?.id ?? '' },
    site: { object: 'site', id: site },
    section: { object: 'site-section', id: section?.id ?? '', within },
    group: { object: 'site-section-group', id: group.id, within },
    team: { object: 'team', id: team.id },
    field: { object: 'custom-field', id: field.name },
    provider: { object: 'saml-provider', id: saml.id },
    translation: { object: 'translation-settings', id: translation.id },
    organization: { object: 'organization', id: organizationId },
  });
});

function thing(name: string): Affected {
  return things[name] ?? { object: 'space', id: '' };
}

function retitled(name: string, title: string): ImpactQuestion {
  return {
    action: 'rename',
    things: [thing(name)],
    to: name === 'provider' ? { label: title } : { title },
  };
}

describe('a new title', () => {
  const kinds: [string, AnyOperation][] = [
    ['space', updateSpace],
    ['collection', updateCollection],
    ['site', updateSite],
    ['section', updateSection],
    ['group', updateSectionGroup],
    ['team', updateTeam],
    ['field', updateCustomField],
    ['provider', updateSamlProvider],
    ['translation', updateTranslation],
    ['organization', updateOrg],
  ];

  it.each(kinds)('of a %s: no address changes, and none is claimed to', async (name, op) => {
    const { admin, organizationId } = world.sandbox;
    const before = await publishedUrls(admin, organizationId, [], pages);
    const title = 'Quite another name';
    const impact = await world.impact(retitled(name, title));
    expect(impact).toMatchObject({ urls: [], links: [], people: [], redirects: [], unknown: [] });
    expect(impact.things).toHaveLength(1);
    expect(impact.dependents.map(({ kind }) => kind)).toEqual(name === 'space' ? ['site-space'] : []);
    const { id, within } = thing(name);
    const own = pathParameters(op.path).at(-1) ?? '';
    const path = { organizationId, ...within, [own]: id };
    const body = name === 'provider' ? { label: title } : { title };
    await admin.ok(op, { path, body } as Parameters<typeof admin.ok>[1]);
    expect(await publishedUrls(admin, organizationId, [], pages)).toEqual(before);
    const again = await world.impact(retitled(name, title));
    expect(again).toMatchObject({ things: [{ title }], dependents: [] });
  });
});

describe('what has the title already', () => {
  it.each([
    ['exactly', 'Writers'],
    ['in another case', 'wRITERS'],
  ])('%s', async (_, title) => {
    const { admin, organizationId } = world.sandbox;
    const all = await admin.all(listTeams, { path: { organizationId } });
    const writers = all.find((team) => team.title === 'Writers')?.id ?? '';
    const { dependents } = await world.impact(retitled('team', title));
    expect(dependents).toEqual([
      { kind: 'clash', id: writers, title: 'Writers', what: expect.stringContaining('the same title') },
    ]);
  });

  it('two that get one title at once', async () => {
    const question = {
      ...retitled('space', 'Both'),
      things: shown.slice(0, 2).map(({ id }) => ({ object: 'space' as const, id })),
    };
    const { dependents } = await world.impact(question, ['dependents']);
    expect(dependents.filter(({ kind }) => kind === 'clash')).toHaveLength(2);
  });

  it('counts as unknown what the token cannot list', async () => {
    const { tokens } = world.sandbox;
    const token = tokens.find(({ name }) => name === 'guest')?.token ?? '';
    const impact = await world.impact(retitled('organization', 'Both'), undefined, token);
    expect(impact.unknown.length).toBeGreaterThan(0);
  });
});

describe('where it is shown', () => {
  it('names each site that shows a space, under the title that it shows', async () => {
    const { admin, organizationId } = world.sandbox;
    const { dependents } = await world.impact(retitled('space', 'All of it'), ['dependents']);
    expect(dependents).toMatchObject([{ kind: 'site-space', title: 'Quite another name' }]);
    expect(dependents[0]?.what).toContain('so Quite another name becomes All of it there.');
    const path = { organizationId, siteId: thing('site').id };
    const titles = (await admin.all(listSiteSpaces, { path })).map(({ title }) => title);
    expect(titles).toContain('Quite another name');
  });

  it('an address made of the title is unknown, as the platform tells no other before', async () => {
    const space = { object: 'space', id: 's1', title: 'Café & Bar', organization: 'o1' };
    const url = 'https://docs.example.com/acme/cafe-bar/';
    const answers: Record<string, object> = {
      '/v1/spaces/s1': { ...space, urls: { public: url } },
      '/v1/orgs/o1': { object: 'organization', id: 'o1', title: 'Acme', hostname: 'acme' },
    };
    const reading = scripted((path) => answers[path] ?? { items: [] });
    const things: Affected[] = [{ object: 'space', id: 's1' }];
    const { unknown } = await readImpact(reading, { action: 'rename', things, to: { title: 'Pub' } });
    expect(unknown.map(({ error }) => [error.code, error.message])).toEqual([
      [
        'address_unknown',
        `Its address ${url} contains the title; the platform does not show the new address`,
      ],
    ]);
  });

  it('one that is not there', async () => {
    const things = [{ ...thing('section'), id: 'nothing-like-this' }];
    await expect(world.impact({ action: 'rename', things, to: { title: 'New' } })).rejects.toMatchObject({
      kind: 'not-found',
    });
  });
});
