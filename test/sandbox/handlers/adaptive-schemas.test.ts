import { beforeEach, describe, expect, test } from 'vitest';
import { getAdaptiveSchema, setAdaptiveSchema } from '../../../src/api/resources/adaptive-schemas.js';
import { eachTest } from '../each-test.js';
import { openSiteWorld, type SitePath } from './site-world.js';

const world = eachTest(openSiteWorld);
let site: SitePath;

beforeEach(async () => {
  site = await world.newSite();
});

const flag = { type: 'boolean' as const };
const schema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  $id: 'https://acme.example/visitor.json',
  type: 'object' as const,
  properties: {
    unsigned: {
      type: 'object' as const,
      properties: { returning: flag },
      additionalProperties: false as const,
    },
    beta: flag,
  },
  additionalProperties: false as const,
};

test('there is none until it is set; setting again replaces it', async () => {
  expect(await world.admin.refused(getAdaptiveSchema, { path: site })).toEqual({
    status: 404,
    message: `site ${site.siteId} has no adaptive schema`,
  });
  const made = await world.admin.ok(setAdaptiveSchema, { path: site, body: { jsonSchema: schema } });
  expect(made).toEqual({
    object: 'site-adaptive-schema',
    jsonSchema: schema,
    updatedAt: '2026-01-05T09:00:00.000Z',
  });
  expect(await world.admin.ok(getAdaptiveSchema, { path: site })).toEqual(made);
  world.outside.ms += 60_000;
  const smaller = { ...schema, properties: { partner: flag } };
  const replaced = await world.admin.ok(setAdaptiveSchema, { path: site, body: { jsonSchema: smaller } });
  expect(replaced.jsonSchema).toEqual(smaller);
  expect(replaced.updatedAt).toBe('2026-01-05T09:01:00.000Z');
});

test('the seed gives one to its site', async () => {
  const { jsonSchema } = await world.admin.ok(getAdaptiveSchema, { path: world.docs });
  expect(Object.keys(jsonSchema.properties)).toEqual(['unsigned', 'beta', 'partner']);
});

describe('the schema', () => {
  const refused = (jsonSchema: unknown) =>
    world.admin.refused(setAdaptiveSchema, { path: site, body: { jsonSchema } });
  const withClaim = (claim: object) => ({ ...schema, properties: { beta: claim } });
  const withUnsigned = (unsigned: object) => ({ ...schema, properties: { unsigned } });

  test.each([
    [{ ...schema, type: 'array' }, 'body jsonSchema.type '],
    [{ type: 'object', additionalProperties: false }, 'body jsonSchema.properties is required'],
    [{ ...schema, additionalProperties: true }, 'body jsonSchema.additionalProperties '],
    [{ ...schema, $schema: 'https://json-schema.org/draft/2020-12/schema' }, 'body jsonSchema.$schema '],
    [{ ...schema, $id: 'not a uri' }, 'body jsonSchema.$id '],
    [{ ...schema, required: ['beta'] }, 'body jsonSchema.required is not known'],
    [{ ...schema, title: 7 }, 'body jsonSchema.title must be a string'],
    [withClaim({ type: 'string' }), 'body jsonSchema.properties.beta.type '],
    [withClaim({}), 'body jsonSchema.properties.beta.type is required'],
    [withClaim({ ...flag, enum: [true] }), 'body jsonSchema.properties.beta.enum is not known'],
    [withClaim({ ...flag, properties: {} }), 'body jsonSchema.properties.beta.properties is not known'],
    [withClaim({ ...flag, examples: true }), 'body jsonSchema.properties.beta.examples must be an array'],
    [
      withUnsigned({ ...schema.properties.unsigned, additionalProperties: true }),
      'properties.unsigned.additionalProp',
    ],
    [
      withUnsigned({ ...schema.properties.unsigned, required: [] }),
      'properties.unsigned.required is not known',
    ],
    [
      withUnsigned({ ...schema.properties.unsigned, properties: { lang: { type: 'string' } } }),
      'properties.unsigned.properties.lang.type ',
    ],
    [
      withUnsigned({ ...schema.properties.unsigned, properties: { lang: { ...flag, const: true } } }),
      'properties.unsigned.properties.lang.const is not known',
    ],
  ])('is refused, naming the path: %j', async (wrong, message) => {
    const answer = await refused(wrong);
    expect(answer.status).toBe(400);
    expect(answer.message).toContain(message);
    await world.admin.refuses(404, getAdaptiveSchema, { path: site });
  });

  test('may describe its claims', async () => {
    const claim = { ...flag, title: 'Beta', description: 'Sees the beta', default: false, examples: [true] };
    const response = await world.admin.send('PUT', pathOf(site), { body: { jsonSchema: withClaim(claim) } });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ jsonSchema: { properties: { beta: claim } } });
  });

  test('takes any name of a claim', async () => {
    const properties = JSON.parse('{"__proto__": {"type": "boolean"}, "constructor": {"type": "boolean"}}');
    const text = JSON.stringify({ jsonSchema: { ...schema, properties } });
    const body = text.replace('"properties":{', '"properties":{"__proto__":{"type":"boolean"},');
    const response = await world.admin.send('PUT', pathOf(site), { body });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('"__proto__":{"type":"boolean"}');
  });
});

const pathOf = ({ organizationId, siteId }: SitePath) =>
  `/v1/orgs/${organizationId}/sites/${siteId}/adaptive-schema`;
