import { expect, test } from 'vitest';
import { createSiteSpace } from '../../../src/api/resources/site-spaces.js';
import { bodyOf } from '../../../src/organization/kinds/declare.js';
import { kindOf, kinds } from '../../../src/organization/kinds/index.js';
import type { Field, Kind, KindName } from '../../../src/organization/model.js';
import { seedId } from '../../sandbox/client.js';
import { eachTest } from '../../sandbox/each-test.js';
import { type LiveWorld, openLiveWorld } from '../live/live-world.js';
import { named, pathOf, ref, send } from './requests.js';

const world: LiveWorld = eachTest(() => openLiveWorld('tiny'));

/** Values to set, in the form of the files, each unlike what the seed has; null where it can be cleared. */
const values: Readonly<Record<string, readonly unknown[]>> = {
  'fields title': ['Readers'],
  'fields description': ['Who reads it'],
  'fields placeholder': ['Nobody'],
  'fields options': [['staff', 'customers']],
  'people role': ['guest', 'edit'],
  'people sso': [true],
  'teams title': ['Authors'],
  'memberships role': ['member', 'owner'],
  'collections title': ['Goods'],
  'collections description': ['All of them'],
  'collections default_level': ['none', 'read', 'inherit'],
  'spaces title': ['The Guide'],
  'spaces edit_mode': ['locked'],
  'spaces default_level': ['none', 'comment'],
  'spaces emoji': ['🚀', null],
  'spaces fields': [{ audience: 'staff', 'owner-team': 'Core', topics: [] }],
  'openapi url': ['https://api.acme.example/billing/openapi.json'],
  'translations title': ['Manuals'],
  'sites title': ['Docs'],
  'sites visibility': ['unlisted'],
  'sites basename': ['manual'],
  'sites adaptive_content': [false, true],
  'sites proxy': ['www.acme.example/docs', null],
  'sites default': [ref('sections', 'section docs Guides')],
  'sites schema': [{ type: 'object', properties: { vip: { type: 'boolean' } }, additionalProperties: false }],
  'groups title': ['Makers'],
  'groups icon': ['hammer', null],
  'sections title': ['How-tos'],
  'sections path': ['how-tos'],
  'sections icon': ['book', null],
  'sections description': ['Step by step', null],
  'sections condition': ['visitor.claims.beta', null],
  'site-spaces path': ['start'],
  'site-spaces condition': ['visitor.claims.beta', null],
  'saml label': ['Staff'],
  'saml entity_id': ['https://id.acme.example/other'],
  'saml certificate': ['-----BEGIN CERTIFICATE-----\nQUJD\n-----END CERTIFICATE-----\n'],
  'saml sso_url': ['https://id.acme.example/other/sso'],
  'saml default_team': [ref('teams', 'team support')],
  'saml default_role': ['guest', 'comment'],
  'organization title': ['Acme'],
  'organization email_domains': [['acme.example', 'acme.test']],
  'organization hostname': ['acme-manual'],
  'organization default_role': ['guest', 'edit'],
  'organization default_site': [ref('sites', 'site docs'), null],
  'organization sso': [true],
  'organization ai': [false],
  'organization invite_links': [false],
};

/** The item of the seed whose fields are set. */
const subjects: Readonly<Record<KindName, string>> = {
  fields: 'Audience',
  people: 'farah@acme.example',
  teams: 'Writers',
  memberships: 'deniz@acme.example',
  collections: 'Product',
  spaces: 'Product Guide',
  openapi: 'public-api',
  translations: 'Product docs',
  sites: 'Acme Docs',
  groups: 'Developers',
  sections: 'Guides',
  'site-spaces': 'Product Guide',
  saml: 'Acme Staff',
  organization: 'Acme Docs',
};

/** Sets one field as a plan does. A reference is sent as the id that it holds. */
function set(kind: Kind, field: Field, path: Record<string, string>, value: unknown) {
  if (field.setBy !== undefined) return send(world, field.setBy.op, path, field.setBy.body(value));
  const { $id, kind: target } = (value ?? {}) as { $id?: string; kind?: KindName };
  return send(world, kind.update, path, bodyOf(field, $id ?? value, target));
}

test.each(kinds.map((kind) => [kind.name, kind] as const))(
  '%s: what is set is what the next reading shows',
  async (name, kind) => {
    const found = named(await world.read(), name, subjects[name]);
    const settable = kind.fields.filter(
      ({ fixed, key }) => fixed === undefined && !(name === 'sections' && key === 'default'),
    );
    for (const field of settable) {
      const examples = values[`${name} ${field.key}`];
      expect(examples, `${name} ${field.key}`).toBeDefined();
      for (const value of examples ?? []) {
        await set(kind, field, pathOf(world, found), value);
        const items = (
          await world.read((one, own) => one === name && (own ?? field.key) === field.key)
        ).items.get(name);
        const shown = items?.find(({ id, parent }) => id === found.id && parent?.id === found.parent?.id);
        expect(shown?.fields[field.key], `${name} ${field.key}`).toEqual(value);
      }
    }
  },
);

test('the default of a section is one of its spaces', async () => {
  const section = named(await world.read(), 'sections', 'Guides');
  const path = pathOf(world, section);
  const body = { spaceId: seedId('space board'), sectionId: section.id };
  const { id } = await send(world, createSiteSpace, path, body);
  const field = kindOf('sections').fields.find(({ key }) => key === 'default') as Field;
  await set(kindOf('sections'), field, path, { $id: id, kind: 'site-spaces' });
  expect(named(await world.read(), 'sections', 'Guides').fields.default).toEqual({
    $id: id,
    kind: 'site-spaces',
  });
});
