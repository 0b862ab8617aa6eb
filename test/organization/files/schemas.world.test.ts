import { existsSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { fileNames, fileSchema } from '../../../src/organization/files/schemas.js';
import { openLiveWorld } from '../live/live-world.js';
import { plan } from '../planner/build.js';
import { newFolder } from '../pull/world.js';

const ajv = new Ajv({ allErrors: true, strict: false, validateFormats: false });
const validators = new Map(fileNames.map((name) => [name, ajv.compile(fileSchema(name))]));

/** What is wrong with a text, as editors would tell. */
function faults(name: string, text: string): string[] {
  const validate = validators.get(name);
  if (validate === undefined) throw new Error(`no schema ${name}`);
  return validate(parse(text, { logLevel: 'silent' }))
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

const nameOf = (file: string) => (file.startsWith('sites/') ? 'site' : file.replace('.yaml', ''));

describe('the schemas of files', () => {
  it('are those of all files and of the lock', () => {
    expect(fileNames).toEqual([
      'org',
      'fields',
      'people',
      'teams',
      'library',
      'openapi',
      'translations',
      'site',
      'saml',
      'lock',
    ]);
  });

  it.each(['tiny', 'acme'])(
    'take what pull writes for the seed %s, and the plan has nothing to do',
    async (seed) => {
      const world = await openLiveWorld(seed);
      const folder = newFolder();
      try {
        const live = await world.read();
        await folder.pull(live);
        const files = Object.entries(folder.texts()).filter(([file]) => file.endsWith('.yaml'));
        expect(files.length).toBeGreaterThan(7);
        for (const [file, text] of files) {
          expect(faults(nameOf(file), text), file).toEqual([]);
          const schema = /\$schema=(\S+)/.exec(text)?.[1] ?? '';
          expect(
            existsSync(folder.file(file.includes('/') ? schema.slice('../'.length) : schema)),
            file,
          ).toBe(true);
        }
        expect(faults('lock', readFileSync(folder.file('docs.lock.json'), 'utf8'))).toEqual([]);
        const locked = Object.keys(folder.lock()?.items ?? {}).filter(
          (item) => item !== 'organization/guards',
        );
        const desired = await folder.read();
        expect([...desired.items.keys()].sort()).toEqual(locked.sort());
        const { drafts, settled } = plan(desired, live, folder.lock());
        expect(drafts).toEqual([]);
        expect(settled).toEqual([]);
        const again = seed === 'tiny' ? await world.read() : live;
        expect(await folder.pull(again)).toEqual({ written: [], kept: [], lock: [] });
      } finally {
        folder.remove();
        await world.close();
      }
    },
  );

  it.each([
    [
      'teams',
      'teams: [{kye: a}]',
      ["/teams/0 must have required property 'key'", '/teams/0 must NOT have additional properties'],
    ],
    [
      'people',
      'people: [{email: a, role: boss}]',
      ['/people/0/role must be equal to one of the allowed values'],
    ],
    ['org', 'organization: {title: null}', ['/organization/title must be string,number']],
    ['org', 'guards: {min_admins: 0}', ['/guards/min_admins must be >= 1']],
    ['site', 'structure: [{space: a, title: b}]', ['/structure/0 must NOT have additional properties']],
    ['teams', 'manage: all', ['/manage must be equal to one of the allowed values']],
  ])('of %s refuses %s', (name, text, expected) => {
    expect(faults(name, text)).toEqual(expect.arrayContaining(expected));
  });

  it('take numbers for texts, as reading does', () => {
    expect(faults('teams', 'teams: [{key: a, title: 2024}]')).toEqual([]);
    expect(faults('people', 'people: [{email: a, teams: [2024]}]')).toEqual([]);
    expect(faults('library', 'library: [{space: b, fields: {version: 1.10}}]')).toEqual([]);
    expect(faults('teams', 'teams: [{key: a, title: true}]')).toEqual([
      '/teams/0/title must be string,number',
    ]);
    expect(faults('people', 'people: [{email: a, role: 7}]')).not.toEqual([]);
  });

  it('take trees, numbers as keys, and files', () => {
    expect(
      faults('library', 'library: [{collection: 2024, contents: [{collection: b, contents: [{space: c}]}]}]'),
    ).toEqual([]);
    expect(faults('people', 'people: !file people.csv')).toEqual([]);
    expect(faults('people', 'people: [{email: a, teams: [b]}, {email: c, teams: {d: owner}}]')).toEqual([]);
  });

  it('say what each key means', () => {
    const { definitions } = fileSchema('people') as {
      definitions: Record<string, { properties: Record<string, { description?: string }> }>;
    };
    for (const [key, { description }] of Object.entries(definitions.people?.properties ?? {}))
      expect(description, key).toMatch(/\w{3}/);
  });

  it('take a number for a text, and offer what is known of an enumeration', () => {
    const { definitions } = fileSchema('teams') as { definitions: Record<string, { properties: object }> };
    expect(definitions.teams?.properties).toHaveProperty('title.type', ['string', 'number']);
    const all = JSON.stringify(fileNames.map((name) => fileSchema(name)));
    expect(all).toContain('"examples":["text"');
    expect(all).not.toContain('x-known');
  });

  it('are not there for other names', () => {
    expect(() => fileSchema('team')).toThrow('unknown file "team"; did you mean "teams"?');
  });
});
