import type { TSchema } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import { bodyFields, field, fieldsOf, fits } from './fields.js';
import { specifiedOperations } from './specification.js';

/** The limits that the specification states for what is sent (spec A, B and C, tables and "Limits"). */

const nullable = (schema: TSchema) => (schema.anyOf ?? []).some((branch: TSchema) => branch.type === 'null');
const url = (length: number) => 'https://x/'.padEnd(length, 'a');
const texts = (count: number) => Array.from({ length: count }, () => 'a');

/** `spaces.move parent` is the field `spaces.move.parent`; several follow one operation. */
const fieldNames = (...lines: string[]) =>
  lines.flatMap((line) => {
    const [operation, ...fields] = line.split(' ');
    return fields.map((name) => `${operation}.${name}`);
  });

describe('lengths of text', () => {
  it.each<[least: number, most: number, fields: string[]]>([
    [
      0,
      50,
      [
        'collections.create title',
        'collections.update title',
        'spaces.update title emoji',
        'sections.update icon',
        'section-groups.create icon',
        'section-groups.update icon',
      ],
    ],
    [
      0,
      100,
      [
        'custom-fields.create title placeholder',
        'custom-fields.update title',
        'collections.update description',
        'change-requests.create subject',
        'change-requests.update subject',
      ],
    ],
    [0, 200, ['custom-fields.create description']],
    [0, 256, ['sections.update description']],
    [0, 512, ['orgs.search query', 'spaces.search query']],
    [0, 1024, ['saml.create entityID']],
    [0, 10000, ['saml.create certificate']],
    [1, 30, ['saml.create label', 'saml.update label']],
    [1, 50, ['custom-fields.create name']],
    [1, 64, ['teams.create title', 'teams.update title']],
    [
      1,
      100,
      [
        'translations.create title',
        'translations.update title',
        'openapi.create slug',
        'sites.update basename',
        'sections.update path',
        'section-groups.create title',
        'section-groups.update title',
        'site-spaces.update path',
      ],
    ],
    [1, 1024, ['sections.update condition', 'site-spaces.update condition']],
    [2, 64, ['sections.create title']],
    [2, 128, ['sites.create title', 'sites.update title', 'sections.update title']],
    [2, 255, ['orgs.update title']],
    [3, 32, ['orgs.update hostname']],
  ])('%i to %i characters: %j', (least, most, lines) => {
    for (const name of fieldNames(...lines)) {
      const schema = field(name);
      const takes = [least, most, most + 1].map((length) => fits(schema, 'a'.repeat(length)));
      expect([name, ...takes]).toEqual([name, true, true, false]);
      if (least > 0) expect(fits(schema, 'a'.repeat(least - 1))).toBe(false);
    }
  });

  it.each(['orgs.update.logo', 'saml.create.ssoURL', 'saml.update.ssoURL'])('%s takes a URL', (name) => {
    expect(fits(field(name), url(2048))).toBe(true);
    expect(fits(field(name), url(2049))).toBe(false);
    expect(fits(field(name), 'logo.png')).toBe(false);
  });

  it('import.url takes a URL of any length: no limit is specified', () => {
    expect(fits(field('content.import.url'), url(5000))).toBe(true);
    expect(fits(field('content.import.url'), 'example.com/docs')).toBe(false);
  });
});

describe('counts and patterns', () => {
  it.each(['custom-fields.create.options', 'custom-fields.update.options'])('%s takes 1 to 50', (name) => {
    expect([0, 1, 50, 51].map((count) => fits(field(name), texts(count)))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it('custom-fields.create.name takes lowercase letters, digits, _ and -', () => {
    const schema = field('custom-fields.create.name');
    const names = ['doc_owner-2', 'Owner', 'doc owner', 'größe', 'a.b', 'a\\b', 'owner\n'];
    expect(names.filter((name) => fits(schema, name))).toEqual(['doc_owner-2']);
  });

  it('openapi.create.slug takes words joined by single hyphens', () => {
    const schema = field('openapi.create.slug');
    const slugs = ['pets', 'pet-store-2', '-pets', 'pets-', 'pet--store', 'Pets', 'pet_store'];
    expect(slugs.filter((slug) => fits(schema, slug))).toEqual(['pets', 'pet-store-2']);
  });

  it('sites.update.proxy takes a domain with a subdirectory', () => {
    const schema = field('sites.update.proxy');
    const proxies = [
      'example.com/docs',
      'www.my-site.example.com/docs/api',
      'example.com',
      'example.com/',
      'https://example.com/docs',
      'example.com/docs/',
      'localhost/docs',
    ];
    expect(proxies.filter((proxy) => fits(schema, proxy))).toEqual(proxies.slice(0, 2));
    expect(fits(schema, `example.com/${'a'.repeat(500)}`)).toBe(true);
    expect(fits(schema, `example.com/${'a'.repeat(501)}`)).toBe(false);
  });
});

describe('required fields', () => {
  it('are those the specification requires, or the only field', () => {
    expect(bodyFields((_, required) => required)).toEqual(
      fieldNames(
        'adaptive-schemas.set jsonSchema',
        'change-request-comment-replies.create body',
        'change-request-comments.create body',
        'change-request-content.import source url',
        'collections.transfer organization',
        'comment-replies.create body',
        'comments.create body',
        'content.import source url',
        'custom-fields.create name type',
        'invites.update role',
        'members.update role',
        'openapi.create slug source',
        'openapi.set source',
        'saml.create label',
        'section-groups.add sectionId',
        'section-groups.create title',
        'section-groups.move position',
        'sections.create spaceId',
        'sections.move position',
        'site-spaces.create spaceId',
        'site-spaces.move position',
        'space-fields.set values',
        'spaces.transfer organization',
        'teams.create title',
        'teams.update title',
        'translations.create title',
        'translations.update title',
      ),
    );
  });

  it('may be null only if the specification says so', () => {
    const names = bodyFields(nullable);
    expect(names).toEqual(
      fieldNames(
        'collections.move parent',
        'collections.update defaultLevel',
        'members.update role',
        'orgs.update defaultContent defaultRole logo',
        'saml.create defaultRole',
        'saml.update defaultRole',
        'section-groups.create icon',
        'section-groups.update icon',
        'sections.update condition description icon',
        'site-spaces.update condition',
        'sites.update proxy',
        'spaces.move parent',
        'spaces.update defaultLevel emoji icon',
      ),
    );
    expect(bodyFields((schema) => fits(schema, null))).toEqual(names);
  });

  it('has the defaults that the specification states', () => {
    const defaults = specifiedOperations.flatMap((op) =>
      Object.entries({ ...op.query.properties, ...fieldsOf(op.body) })
        .filter(([, schema]) => schema.default !== undefined)
        .map(([key, schema]) => `${key}=${schema.default}`),
    );
    expect([...new Set(defaults)].sort()).toEqual([
      'computed=true',
      'metadata=true',
      'nested=true',
      'order=desc',
      'sort=joinedAt',
      'status=all',
      'status=open',
      'type=basic',
    ]);
  });
});
