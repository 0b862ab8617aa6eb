import { describe, expect, test } from 'vitest';
import type { AnyOperation } from '../../../src/api/operation.js';
import { pathParameters } from '../../../src/api/operation-facts.js';
import { getAdaptiveSchema } from '../../../src/api/resources/adaptive-schemas.js';
import { listSpaceFields } from '../../../src/api/resources/custom-fields.js';
import { atCreation, bodyOf, inSnakeCase, propertiesOf } from '../../../src/organization/kinds/declare.js';
import { kindOf, kinds, kindTable } from '../../../src/organization/kinds/index.js';
import {
  type DesiredItem,
  type Field,
  type Kind,
  kindNames,
  type LiveItem,
} from '../../../src/organization/model.js';

const field = ({ fields }: Kind, key: string): Field => fields.find((one) => one.key === key) as Field;

test('each kind is declared once, in the order of the kinds', () => {
  expect(kinds.map(({ name }) => name)).toEqual([...kindNames]);
});

describe.each(kinds.map((kind) => [kind.name, kind] as const))('%s', (_, kind) => {
  const bodies = [kind.create?.op, kind.update].filter((op) => op !== undefined);

  test('each field that requests take is a field of the files, or left out for a reason', () => {
    const said = new Set([
      ...kind.fields.flatMap(({ name, sends = [] }) => [name, ...sends]),
      ...(kind.create?.sends ?? []),
      ...Object.keys(kind.leftOut ?? {}),
    ]);
    const taken = bodies.flatMap((op) => Object.keys(propertiesOf(op)));
    expect(taken.filter((name) => !said.has(name))).toEqual([]);
    for (const reason of Object.values(kind.leftOut ?? {})) expect(reason).toMatch(/^\S.{10,}[^.]$/);
  });

  test('requests take each field, so that none is only shown', () => {
    const others = kind.fields.flatMap(({ setBy }) => (setBy === undefined ? [] : [setBy.op]));
    const taken = new Set([...bodies, ...others].flatMap((op) => Object.keys(propertiesOf(op))));
    const silent = others.filter((op) => op.body === undefined).map(({ id }) => id);
    const only = kind.fields.filter(({ name }) => !taken.has(name)).map(({ key }) => key);
    // An operation without a body sets what its name says.
    expect(only).toEqual(silent.map((id) => id.split('-').at(-1)));
  });

  test('the platform shows each field', () => {
    const beside = [getAdaptiveSchema, listSpaceFields, ...kind.reads];
    const names = new Set(beside.flatMap((op) => shownBy(op)));
    // What other lists show of an item is put beside its own fields.
    for (const name of ['shownFirst', 'adaptiveSchema', 'customFields']) names.add(name);
    for (const one of kind.fields) {
      const looked = one.show === undefined ? [one.name] : lookedAt(one.show);
      expect(looked.length, one.key).toBeGreaterThan(0);
      expect(
        looked.filter((name) => !names.has(name)),
        one.key,
      ).toEqual([]);
    }
  });

  test('fields are keyed in snake case and described', () => {
    for (const { key, schema } of kind.fields) {
      expect(key).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(schema.description, key).toMatch(/^\S.+/);
      expect(schema.description, key).not.toMatch(/, by id|null makes/);
    }
  });

  test('the path of each request takes ids that the item and those above it have', () => {
    const known = new Set(['organizationId', kind.parameter]);
    const above = [...kind.parents];
    for (let name = above.pop(); name !== undefined; name = above.pop()) {
      if (name === 'root' || known.has(kindOf(name).parameter)) continue;
      known.add(kindOf(name).parameter);
      above.push(...kindOf(name).parents);
    }
    const { enter, leave } = kind.order ?? {};
    const setters = kind.fields.map(({ setBy }) => setBy?.op);
    for (const op of [
      kind.create?.op,
      kind.update,
      kind.remove,
      kind.order?.op,
      enter?.op,
      leave?.op,
      ...setters,
    ]) {
      for (const name of pathParameters(op?.path ?? '')) expect([...known], op?.id).toContain(name);
    }
  });
});

/** The fields of what an operation returns. */
function shownBy({ returns }: AnyOperation): string[] {
  if (returns.kind === 'none') return [];
  const schema = returns.kind === 'page' ? returns.item : returns.schema;
  return Object.keys((schema.properties ?? {}) as object);
}

/** The fields of a resource that a function looks at. */
function lookedAt(show: NonNullable<Field['show']>): string[] {
  const names = new Set<string>();
  const resource = new Proxy({}, { get: (_, name) => void names.add(String(name)) });
  show(resource);
  return [...names];
}

test('keys are those of the API in snake case', () => {
  expect(['emailDomains', 'ssoURL', 'entityID', 'title', 'edit_mode'].map(inSnakeCase)).toEqual([
    ...['email_domains', 'sso_url', 'entity_id', 'title', 'edit_mode'],
  ]);
  expect(kindOf('saml').fields.map(({ key }) => key)).toEqual([
    ...['label', 'entity_id', 'certificate', 'sso_url', 'default_team', 'default_role'],
  ]);
});

test('roles are words, of which guest stands for none', () => {
  const role = field(kindOf('people'), 'role');
  expect(role.schema).toMatchObject({
    enum: ['admin', 'create', 'review', 'edit', 'comment', 'read', 'guest'],
  });
  expect(bodyOf(role, 'guest')).toEqual({ role: null });
  expect(bodyOf(role, 'admin')).toEqual({ role: 'admin' });
  expect(bodyOf(field(kindOf('spaces'), 'default_level'), 'none')).toEqual({ defaultLevel: null });
});

test('bodies of fields that the platform takes in another form', () => {
  const site = kindOf('sites');
  expect(bodyOf(field(site, 'adaptive_content'), true)).toEqual({ adaptiveContent: { enabled: true } });
  expect(bodyOf(field(site, 'default'), 's1')).toEqual({ defaultSiteSection: 's1' });
  expect(bodyOf(field(site, 'default'), 's1', 'site-spaces')).toEqual({ defaultSiteSpace: 's1' });
  const url = 'https://acme.example/openapi.json';
  expect(bodyOf(field(kindOf('openapi'), 'url'), url)).toEqual({ source: { url } });
  const home = field(kindOf('organization'), 'default_site');
  expect(bodyOf(home, 't1')).toEqual({ defaultContent: { type: 'site', site: 't1' } });
  expect(bodyOf(home, null)).toEqual({ defaultContent: null });
  const values = field(kindOf('spaces'), 'fields').setBy;
  expect(values?.body({ owner: 'Ada' })).toEqual({ values: { owner: { value: 'Ada' } } });
});

test('a creation sets what its request takes, the rest follows', () => {
  const keys = (kind: Kind) => kind.fields.filter((one) => atCreation(kind, one, 'x')).map(({ key }) => key);
  expect(keys(kindOf('collections'))).toEqual(['title']);
  expect(keys(kindOf('sites'))).toEqual(['type', 'title', 'visibility']);
  expect(keys(kindOf('people'))).toEqual([]);
  const [section, title] = [kindOf('sections'), field(kindOf('sections'), 'title')];
  expect([64, 65].map((length) => atCreation(section, title, 'x'.repeat(length)))).toEqual([true, false]);
});

describe('what stands in a site', () => {
  const item = (
    kind: 'sections' | 'site-spaces',
    key: string,
    parent: `sites/${string}` | `sections/${string}`,
  ) => ({ kind, key, parent, address: `${kind}/docs/${key}` }) as unknown as DesiredItem;
  const guides = item('sections', 'guides', 'sites/docs');
  const [intro, faq] = [
    item('site-spaces', 'intro', 'sections/docs/guides'),
    item('site-spaces', 'id:x1', 'sites/docs'),
  ];
  const context = {
    children: ({ key }: DesiredItem) => (key === 'guides' ? [intro, faq] : []),
    idOf: (address: string) => `id of ${address}`,
    item: () => undefined,
    liveChildren: () => [],
  };
  const { create } = kindOf('sections');

  test('a section is created with its first space, and makes the site space too', () => {
    expect(create?.more?.(guides, context)).toEqual({ spaceId: 'id of spaces/intro' });
    expect(create?.also?.(guides, context)).toEqual([{ item: intro, path: 'siteSpaces.0.id' }]);
    expect(create?.unless?.(guides, context)).toBeUndefined();
  });

  test('a section without a space cannot be created', () => {
    const empty = item('sections', 'empty', 'sites/docs');
    const cannot = create?.unless?.(empty, context);
    expect(cannot?.message).toBe('The API cannot create a section without a space.');
    expect(cannot?.hint?.(empty)).toContain('section empty');
  });

  test('the first section of a site would take over the spaces at its root', () => {
    const liveChildren = () => [{ kind: 'site-spaces' } as LiveItem];
    expect(create?.unless?.(guides, { ...context, liveChildren })?.message).toMatch(/takes over all spaces/);
  });

  test('a space goes into its section, or to the root of a site without sections', () => {
    const { create: add } = kindOf('site-spaces');
    const sectionId = 'id of sections/docs/guides';
    expect(add?.more?.(intro, context)).toEqual({ spaceId: 'id of spaces/intro', sectionId });
    expect(add?.more?.(faq, context)).toEqual({ spaceId: 'x1' });
    const withGroup = (index: number) => ({
      ...context,
      liveChildren: () => [{ kind: 'groups', index } as LiveItem],
    });
    expect(add?.unless?.(faq, withGroup(0))?.message).toMatch(/has sections/);
    expect(add?.unless?.(faq, withGroup(-1))).toBeUndefined();
    expect(add?.unless?.(intro, withGroup(0))).toBeUndefined();
  });
});

test('the table tells what each kind can do, and what no operation does', () => {
  const rows = Object.fromEntries(kindTable().map((row) => [row.kind, row]));
  expect(rows.people).toMatchObject({ title: 'members', file: 'people.yaml', creates: false, deletes: true });
  expect(rows.people?.cannot).toEqual([
    'The API cannot create a member.',
    'The API cannot remove a member from SSO.',
  ]);
  expect(rows.translations?.title).toBe('translation settings');
  expect(rows.sections).toMatchObject({ creates: true, deletes: true, moves: true, file: 'sites/*.yaml' });
  expect(rows.organization).toMatchObject({
    creates: false,
    deletes: false,
    leftOut: { logo: expect.any(String) },
  });
  expect(kindTable().flatMap(({ cannot }) => cannot)).toEqual(
    expect.arrayContaining([
      ...['The API cannot create a space by itself.', 'The API cannot change the type of a custom field.'],
      ...['The API cannot change the type of a site.', expect.stringContaining('publish a site')],
      ...[expect.stringContaining('to another section'), expect.stringContaining('clear the value')],
    ]),
  );
});
