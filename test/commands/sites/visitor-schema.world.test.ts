import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startRecordingPlatform } from '../../cli/run/recording-platform.js';
import { opened } from '../../opened.js';

/** `docs sites schema set`: the schema is checked on this side, each fault with the place where it is. */

const platform = opened(startRecordingPlatform);

const good = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  $id: 'https://acme.example/visitor.json',
  type: 'object',
  properties: {
    isBetaUser: { type: 'boolean', description: 'Takes part in the beta' },
    unsigned: { type: 'object', properties: { dark: { type: 'boolean' } }, additionalProperties: false },
  },
  additionalProperties: false,
};

const set = (schema: string, stdin?: string, ...flags: string[]) =>
  platform.run(
    ['sites', 'schema', 'set', 'w1', schema, '--org', 'o1', ...flags],
    { status: 200, body: { object: 'site-adaptive-schema', jsonSchema: good } },
    stdin === undefined ? {} : { stdin },
  );

describe('a schema that fits', () => {
  it.each([
    ['a file', '@schema.json', undefined],
    ['standard input', '-', JSON.stringify(good)],
    ['the words themselves', JSON.stringify(good), undefined],
  ])('is sent from %s', async (_, typed, stdin) => {
    writeFileSync(join(platform.home, 'schema.json'), JSON.stringify(good, null, 2));
    const { code, sent } = await set(typed, stdin);
    expect({ code, sent: sent.filter(({ method }) => method !== 'GET') }).toEqual({
      code: 0,
      sent: [
        {
          method: 'PUT',
          path: '/v1/orgs/o1/sites/w1/adaptive-schema',
          query: [],
          body: { jsonSchema: good },
        },
      ],
    });
  });

  it('needs neither $schema nor unsigned claims', async () => {
    const { code } = await set(
      '{"type":"object","properties":{},"additionalProperties":false}',
      undefined,
      '--allow-broken',
    );
    expect(code).toBe(0);
  });
});

describe('a schema that does not fit is not sent', () => {
  const without = (key: string) => Object.fromEntries(Object.entries(good).filter(([name]) => name !== key));
  const claim = (value: unknown) => ({ ...good, properties: { ...good.properties, plan: value } });

  it.each([
    ['a claim of another type', claim({ type: 'string' }), '/properties/plan/type must be "boolean"'],
    ['a claim without a type', claim({}), '/properties/plan/type is missing'],
    ['open keys', without('additionalProperties'), '/additionalProperties is missing'],
    ['keys left open', { ...good, additionalProperties: true }, '/additionalProperties must be false'],
    ['another kind of value', { ...good, type: 'array' }, '/type must be "object"'],
    [
      'unsigned claims left open',
      { ...good, properties: { unsigned: { type: 'object', properties: {}, additionalProperties: true } } },
      '/properties/unsigned/additionalProperties must be false',
    ],
    [
      'an unsigned claim of another type',
      {
        ...good,
        properties: { unsigned: { ...good.properties.unsigned, properties: { a: { type: 'number' } } } },
      },
      '/properties/unsigned/properties/a/type must be "boolean"',
    ],
    ['what draft-07 does not know', { ...good, required: 'all' }, '/required must be array'],
    [
      'another draft',
      { ...good, $schema: 'https://json-schema.org/draft/2020-12/schema' },
      '/$schema must be "http://json-schema.org/draft-07/schema#"',
    ],
    [
      'a claim with a slash in its name',
      { ...good, properties: { 'a/b': {} } },
      '/properties/a~1b/type is missing',
    ],
    ['no object at all', [], 'the schema must be object'],
  ])('%s', async (_, schema, message) => {
    const { code, stderr, sent } = await set(JSON.stringify(schema));
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    expect(stderr).toContain(`<schema> is invalid: ${message}`);
  });

  it('a file that is not JSON', async () => {
    writeFileSync(join(platform.home, 'broken.json'), '{"type": ');
    const { code, stderr, sent } = await set('@broken.json');
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    expect(stderr).toContain('<schema> is not JSON: ');
  });

  it('a file that is not there', async () => {
    const { code, sent } = await set('@nowhere.json');
    expect({ code, sent }).toEqual({ code: 13, sent: [] });
  });
});
