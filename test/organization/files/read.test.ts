import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { DocsError } from '../../../src/base/errors.js';
import { readFolder } from '../../../src/organization/files/read.js';
import { valueHash } from '../../../src/organization/value.js';
import { updateLock } from '../../../src/plans/lock.js';
import { fakeIo } from '../../fake-io.js';

type Files = Readonly<Record<string, string | Uint8Array>>;

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folderOf(files: Files): string {
  const parent = mkdtempSync(join(tmpdir(), 'docs-read-'));
  folders.push(parent);
  const folder = join(parent, 'org');
  write(folder, { 'org.yaml': 'guards: {}\n', ...files });
  return folder;
}

function write(folder: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

const read = (folder: string) => readFolder(fakeIo(), folder);

async function failure(folder: string): Promise<DocsError> {
  const error = await read(folder)
    .then(() => undefined)
    .catch((cause: unknown) => cause);
  if (error instanceof DocsError) return error;
  throw error ?? new Error('the files were read');
}

async function mistakes(files: Files): Promise<readonly string[]> {
  const error = await failure(folderOf(files));
  expect(error).toMatchObject({ code: 'bad_files', exitCode: 2 });
  return error.failure.lines ?? [];
}

const teams = 'teams:\n  - {key: writers, title: Writers}\n';

describe('a folder that is right', () => {
  const files = {
    'org.yaml': [
      'guards: {min_admins: 3, required_admins: [ada@x.example], require_self: false, max_removals: 25%}',
      'sites: {manage: exact}',
      'env: [CERT]',
      'organization: {title: 2024, default_site: docs, ai: false}',
    ].join('\n'),
    'people.yaml': [
      'manage: exact',
      'memberships: none',
      'people:',
      '  - email: ada@x.example',
      '    role: guest',
      '    teams: {writers: owner}',
      '  - {email: bob@x.example, teams: [writers], protected: true}',
    ].join('\n'),
    'teams.yaml': 'teams:\n  - {key: writers, title: 1.10, was: authors}\n  - {key: 007, external: true}\n',
    'saml.yaml':
      'providers:\n  - {key: okta, certificate: !env CERT, default_team: writers, label: id, entity_id: x}\n',
    'library.yaml': [
      'library:',
      '  - collection: product',
      '    contents:',
      '      - space: guide',
      '        fields: {}',
      '  - space: api',
    ].join('\n'),
    'sites/docs.yaml': [
      'site: {title: Docs, default: start}',
      'manage: exact',
      'structure:',
      '  - group: learn',
      '    sections:',
      '      - section: start',
      '        spaces: [{space: guide}, {space: "id:xyz"}]',
    ].join('\r\n'),
  };

  it('is flat items, with what they stand in', async () => {
    const { items } = await read(folderOf(files));
    const flat = [...items.values()].map(({ address, parent, index }) => [address, parent, index]);
    expect(flat.sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1))).toEqual([
      ['collections/product', undefined, 0],
      ['groups/docs/learn', 'sites/docs', 0],
      ['memberships/writers/ada@x.example', 'teams/writers', 0],
      ['memberships/writers/bob@x.example', 'teams/writers', 0],
      ['organization/organization', undefined, 0],
      ['people/ada@x.example', undefined, 0],
      ['people/bob@x.example', undefined, 1],
      ['saml/okta', undefined, 0],
      ['sections/docs/start', 'groups/docs/learn', 0],
      ['site-spaces/docs/guide', 'sections/docs/start', 0],
      ['site-spaces/docs/id:xyz', 'sections/docs/start', 1],
      ['sites/docs', undefined, 0],
      ['spaces/api', undefined, 1],
      ['spaces/guide', 'collections/product', 0],
      ['teams/007', undefined, 1],
      ['teams/writers', undefined, 0],
    ]);
  });

  it('has the fields that are there, and no others', async () => {
    const { items, guards } = await read(folderOf(files));
    expect(items.get('organization/organization')?.fields).toEqual({
      title: '2024',
      default_site: { $ref: 'sites/docs' },
      ai: false,
    });
    expect(items.get('teams/writers')).toMatchObject({
      fields: { title: '1.10' },
      was: 'authors',
      external: false,
    });
    expect(items.get('teams/007')).toMatchObject({ fields: {}, external: true });
    expect(items.get('people/bob@x.example')).toMatchObject({ fields: {}, protected: true });
    expect(items.get('memberships/writers/bob@x.example')?.fields).toEqual({ role: 'member' });
    expect(items.get('memberships/writers/ada@x.example')?.fields).toEqual({ role: 'owner' });
    expect(items.get('saml/okta')?.fields).toMatchObject({
      certificate: { $env: 'CERT' },
      default_team: { $ref: 'teams/writers' },
    });
    expect(items.get('sites/docs')?.fields).toEqual({
      title: 'Docs',
      default: { $ref: 'sections/docs/start' },
    });
    expect(guards).toEqual({
      minAdmins: 3,
      requiredAdmins: ['ada@x.example'],
      requireSelf: false,
      maxRemovals: { share: 0.25 },
    });
  });

  it('has a number or a share of removals as its limit', async () => {
    const { guards } = await read(folderOf({ 'org.yaml': 'guards: {max_removals: 3}\n' }));
    expect(guards).toEqual({ maxRemovals: { count: 3 } });
  });

  it('says what each list manages', async () => {
    const { scopes } = await read(folderOf(files));
    const told = scopes.map(({ kinds, within, manage }) => [kinds.join(' '), within, manage]);
    expect(told).toEqual(
      expect.arrayContaining([
        ['sites', undefined, 'exact'],
        ['people', undefined, 'exact'],
        ['memberships', undefined, 'none'],
        ['teams', undefined, 'additive'],
        ['collections spaces', undefined, 'additive'],
        ['groups sections site-spaces', 'sites/docs', 'exact'],
      ]),
    );
  });

  it('knows where everything stands', async () => {
    const { items } = await read(folderOf(files));
    expect(items.get('people/ada@x.example')).toMatchObject({
      at: { file: 'people.yaml', line: 4, column: 5, path: 'people[0]' },
      places: { role: { file: 'people.yaml', line: 5, column: 11, path: 'people[0].role' } },
    });
    expect(items.get('sections/docs/start')?.at).toMatchObject({
      file: 'sites/docs.yaml',
      line: 6,
      column: 9,
    });
  });

  it('may have a byte order mark, and files that are empty', async () => {
    const folder = folderOf({
      'teams.yaml': `\ufeff${teams}`,
      'fields.yaml': '',
      'openapi.yaml': '# later\n',
    });
    expect([...(await read(folder)).items.keys()]).toEqual(['teams/writers']);
  });

  it('takes the text of a file, and its JSON where that is wanted', async () => {
    const folder = folderOf({
      'saml.yaml': 'providers: [{key: okta, certificate: !file certs/okta.pem}]\n',
      'certs/okta.pem': 'CERT\n\n',
      'sites/docs.yaml': 'site: {schema: !file docs.json}\n',
      'sites/docs.json': '{"type":"object","properties":{},"additionalProperties":false}',
    });
    const { items } = await read(folder);
    expect(items.get('saml/okta')?.fields.certificate).toBe('CERT\n');
    expect(items.get('sites/docs')?.fields.schema).toEqual({
      type: 'object',
      properties: {},
      additionalProperties: false,
    });
  });
});

describe('all mistakes of all files', () => {
  it('are told at once, with file, line, column and path', async () => {
    const found = await failure(
      folderOf({
        'org.yaml': 'organization:\n  titel: Acme\nguard: {}\n',
        'people.yaml': 'people:\n  - email: a@x.example\n    role: amdin\n    teams: [wirters]\n',
        'teams.yaml': teams,
      }),
    );
    expect(found.message).toBe('4 mistakes in 2 files; nothing was changed');
    expect(found.failure.lines).toEqual([
      'org.yaml:2:3 organization.titel is not known; did you mean "title"?',
      'org.yaml:3:1 guard is not known; did you mean "guards"?',
      'people.yaml:3:11 people[0].role must be one of admin, create, review, edit, comment, read, guest; did you mean "admin"?',
      'people.yaml:4:13 people[0].teams[0] names a team that no file has; did you mean "writers"?',
    ]);
    expect(found.failure.details?.mistakes).toMatchObject([
      { file: 'org.yaml', line: 2, column: 3, path: 'organization.titel', nearest: 'title' },
      {},
      {},
      {},
    ]);
  });

  it('are not looked for without org.yaml', async () => {
    const folder = folderOf({ 'teams.yaml': 'x' });
    rmSync(join(folder, 'org.yaml'));
    expect(await failure(folder)).toMatchObject({
      code: 'no_org_folder',
      failure: { hint: `docs pull --dir ${folder}` },
    });
  });
});

const inTeams = (text: string): Files => ({ 'teams.yaml': text });

describe('mistakes', () => {
  it.each<[files: Files, ...lines: string[]]>([
    [
      inTeams('teams:\n  - key: a\n    title: A\n    title: B\n'),
      'teams.yaml:4:5 teams[0].title is there twice; it is also on line 3',
    ],
    [inTeams('teams: []\nteams: []\n'), 'teams.yaml:2:1 teams is there twice; it is also on line 1'],
    [
      inTeams('teams:\n  - key: a\n  - key: a\n'),
      'teams.yaml:3:5 teams[1] names teams/a again; it is also at teams.yaml:2',
    ],
    [
      { 'people.yaml': 'people:\n  - email: Ada@x.example\n  - email: ada@x.example\n' },
      'people.yaml:3:5 people[1] names people/ada@x.example again; it is also at people.yaml:2',
    ],
    [
      { 'sites/a.yaml': 'structure:\n  - group: g\n    sections: [{section: s}]\n  - section: s\n' },
      'sites/a.yaml:4:5 structure[1] names sections/a/s again; it is also at sites/a.yaml:3',
    ],
    [
      inTeams('teams:\n  - &a\n    key: a\n  - *a\n'),
      'teams.yaml:3:5 teams[0] has an anchor (&); remove it and repeat the value where it is needed',
      'teams.yaml:4:5 teams[1] is an alias (*); repeat the value instead',
    ],
    [
      inTeams('teams:\n  - key: a\n    <<: {title: A}\n'),
      'teams.yaml:3:5 teams[0].<< is a merge key, which is not supported; repeat the keys',
    ],
    [inTeams('teams:\n\t- key: a\n'), 'teams.yaml:2:1 the file is indented with a tab; YAML takes spaces'],
    [
      inTeams('teams:\n  - key: a\n    title: null\n'),
      'teams.yaml:3:12 teams[0].title has no value (null); remove the key, or set "" for an empty text',
    ],
    [
      inTeams('teams:\n'),
      'teams.yaml:1:7 teams has no value (null); remove the key, or set "" for an empty text',
    ],
    [
      inTeams('teams: []\n---\nteams: []\n'),
      'teams.yaml:2:1 the file holds several documents; remove the "---" lines',
    ],
    [inTeams('%YAML 1.1\n---\nteams: []\n'), 'teams.yaml:1:1 the file has a "%YAML" line; remove it'],
    [inTeams('- a\n'), 'teams.yaml:1:1 the file must be keys with values, such as "title: Acme"'],
    [
      inTeams('teams: {a: b}\n'),
      'teams.yaml:1:8 teams must be a list: a line "- …" for each item, or [] for none',
    ],
    [inTeams('teams: [writers]\n'), 'teams.yaml:1:9 teams[0] must be an item with keys, such as "key: …"'],
    [inTeams('teams:\n  - title: A\n'), 'teams.yaml:2:5 teams[0] needs the key key'],
    [inTeams('teams:\n  - kye: a\n'), 'teams.yaml:2:5 teams[0] needs the key key; did you mean "key"?'],
    [
      inTeams('teams:\n  - key: a/b\n'),
      'teams.yaml:2:10 teams[0].key must be a key: letters, digits, ".", "_" and "-", at most 100',
    ],
    [
      inTeams('teams:\n  - {key: a, title: true}\n'),
      'teams.yaml:2:21 teams[0].title must be a string; put it in quotes',
    ],
    [inTeams('teams:\n  - {key: a, title: [x]}\n'), 'teams.yaml:2:21 teams[0].title must be a string'],
    [
      inTeams(`teams:\n  - {key: a, title: ${'x'.repeat(65)}}\n`),
      'teams.yaml:2:21 teams[0].title must be 1 to 64 characters long',
    ],
    [
      { 'org.yaml': 'organization: {ai: yes, sso: on}\n' },
      'org.yaml:1:20 organization.ai must be true or false',
      'org.yaml:1:30 organization.sso must be true or false',
    ],
    [
      inTeams('teams:\n  - {key: a, title: !js x}\n'),
      'teams.yaml:2:25 teams[0].title has an unknown tag; known tags: !env, !file',
    ],
    [
      inTeams('teams:\n  - {key: "a\n'),
      'teams.yaml:3:1 the file is not valid YAML: a quote, bracket, colon or space is missing',
    ],
    [inTeams('manage: extra\nteams: []\n'), 'teams.yaml:1:9 manage must be one of none, additive, exact'],
    [
      { 'org.yaml': 'sites: {manage: exakt}\n' },
      'org.yaml:1:17 sites.manage must be one of none, additive, exact; did you mean "exact"?',
    ],
    [
      { 'org.yaml': 'guards: {min_admins: 0, max_removals: 120%, mx: 1}\n' },
      'org.yaml:1:22 guards.min_admins must be at least 1',
      'org.yaml:1:39 guards.max_removals must match ^(?:100|[0-9]{1,2})%$',
      'org.yaml:1:45 guards.mx is not known',
    ],
    [
      inTeams('teams:\n  - {key: a, protected: yes, was: [b]}\n'),
      'teams.yaml:2:25 teams[0].protected must be true or false',
      'teams.yaml:2:35 teams[0].was must be the key that it had',
    ],
    [
      {
        'library.yaml': 'library:\n  - space: a\n    contents: []\n',
        'sites/a.yaml': 'structure:\n  - group: g\n    sections: [{group: h}]\n',
      },
      'library.yaml:3:5 library[0].contents is not known',
      'sites/a.yaml:3:16 structure[0].sections[0] is a section group, which cannot be here; expected: section',
    ],
    [
      { 'library.yaml': 'library:\n  - {space: a, collection: b}\n' },
      'library.yaml:2:5 library[0] has more than one of the keys collection, space',
    ],
    [
      {
        'people.yaml':
          'people:\n  - {email: a@x, teams: {writers: boss}}\n  - {email: b@x, teams: writers}\n',
        'teams.yaml': teams,
      },
      'people.yaml:2:35 people[0].teams.writers.role must be one of owner, member',
      'people.yaml:3:25 people[1].teams must be a list of teams, or teams with roles: {writers: owner}',
    ],
    [
      { 'saml.yaml': 'providers: [{key: okta, default_team: x}]\n' },
      'saml.yaml:1:39 providers[0].default_team names a team that no file has; add it to its file (external: true if it is managed elsewhere), or write id:<id>',
    ],
    [
      { 'saml.yaml': 'providers: [{key: okta, certificate: !env sk-live.123}]\n' },
      'saml.yaml:1:38 providers[0].certificate must be the name of an environment variable after !env: letters, digits, _',
    ],
    [
      { 'saml.yaml': 'providers: [{key: okta, certificate: !env OKTA}]\n' },
      'saml.yaml:1:38 providers[0].certificate names an environment variable that org.yaml does not list; add the line "env: [OKTA]" to org.yaml if the files may send its value',
    ],
    [
      {
        'org.yaml': 'env: [CERT, docs_token, 1x, !env A]\n',
        'saml.yaml':
          'providers: [{key: a, certificate: !env OKTA}, {key: b, certificate: !env DOCS_TOKEN}, {key: c, certificate: !env CERT}]\n',
      },
      'org.yaml:1:13 env must not be a variable that begins with DOCS_: those are for docs itself, and one may be the token',
      'org.yaml:1:25 env must be the name of an environment variable: letters, digits, _',
      'org.yaml:1:29 env must be the name of an environment variable: letters, digits, _',
      'saml.yaml:1:35 providers[0].certificate names an environment variable that org.yaml does not list; add OKTA to "env" in org.yaml if the files may send its value',
      'saml.yaml:1:69 providers[1].certificate must not be a variable that begins with DOCS_: those are for docs itself, and one may be the token',
    ],
    [
      {
        'saml.yaml':
          'providers: [{key: a, certificate: !file ../x.pem}, {key: b, certificate: !file /etc/passwd}, {key: c, certificate: !file no.pem}]\n',
      },
      'saml.yaml:1:35 providers[0].certificate must be the path of a file inside the folder, relative to this file',
      'saml.yaml:1:74 providers[1].certificate must be the path of a file inside the folder, relative to this file',
      'saml.yaml:1:116 providers[2].certificate names a file that does not exist: no.pem',
    ],
    [
      { 'sites/a.yaml': 'site: {schema: !file a.json}\n', 'sites/a.json': '{' },
      'sites/a.yaml:1:16 site.schema names a file that is not JSON: sites/a.json',
    ],
    [
      { 'team.yaml': teams, 'people.yml': 'people: []', 'sites/a.yml': '' },
      'people.yml:1:1 the file is not a file that docs reads; did you mean "people.yaml"?',
      'sites/a.yml:1:1 the file must be named *.yaml, not *.yml',
      'team.yaml:1:1 the file is not a file that docs reads; did you mean "teams.yaml"?',
    ],
    [
      { 'sites/a b.yaml': 'site: {}\n' },
      'sites/a b.yaml:1:1 the file has a name that must be a key: letters, digits, ".", "_" and "-", at most 100',
    ],
  ])('%j: %s', async (files, ...lines) => {
    expect(await mistakes(files)).toEqual(lines);
  });

  it('in another encoding names the line', async () => {
    const found = await mistakes({ 'teams.yaml': Buffer.from('teams: []\n# caf\xe9\n', 'latin1') });
    expect(found).toEqual([
      expect.stringMatching(
        /^teams\.yaml:2:1 the file is not UTF-8 text: byte 16 .*it looks like windows-1252$/,
      ),
    ]);
  });

  it('of links', async () => {
    const folder = folderOf({
      'saml.yaml': 'providers: [{key: a, certificate: !file a.pem}]\n',
      'real.pem': 'x',
    });
    symlinkSync('real.pem', join(folder, 'a.pem'));
    symlinkSync('real.pem', join(folder, 'teams.yaml'));
    expect((await failure(folder)).failure.lines).toEqual([
      'saml.yaml:1:35 providers[0].certificate names a symbolic link, which docs does not follow: a.pem',
      'teams.yaml:1:1 the file is a symbolic link, which docs does not follow',
    ]);
  });

  it('of a folder that cannot be read', async () => {
    const folder = folderOf({});
    symlinkSync('sites', join(folder, 'sites'));
    const { message } = await failure(folder);
    expect(message).toContain(`cannot read ${join(folder, 'sites')}`);
  });

  it('of size: 2 MB of YAML, 1 MB of text', async () => {
    const found = await mistakes({
      'people.yaml': `people: []\n#${'x'.repeat(10 * 1024 * 1024)}`,
      'saml.yaml': 'providers: [{key: a, certificate: !file a.pem}]\n',
      'a.pem': 'x'.repeat(1024 * 1024 + 1),
    });
    expect(found).toEqual([
      'people.yaml:1:1 the file is too large: 10.0 MB, and YAML may have 2 MB; people can be in people.csv: people: !file people.csv',
      'saml.yaml:1:35 providers[0].certificate names a file of more than 1 MB: a.pem',
    ]);
  });

  it.each([
    ['brackets', `teams: ${'['.repeat(100_000)}`],
    ['lists', `teams:\n  ${'- '.repeat(5000)}a\n`],
    ['maps', `teams: ${'{a: '.repeat(900)}${'}'.repeat(900)}`],
    [
      'a bomb of aliases',
      `a: &a [x]\n${Array.from({ length: 30 }, (_, at) => `b${at}: &b${at} [*a, *a, *a]`).join('\n')}\n`,
    ],
  ])('of depth: %s', async (_, text) => {
    expect((await mistakes(inTeams(text))).length).toBeGreaterThan(0);
  });

  it('never quote a value, which may be a secret', async () => {
    const canary = 'canary-0a1b2c3d';
    const values = [
      `"${canary}`,
      `!env ${canary}`,
      `!x ${canary}`,
      `[${canary}]`,
      `{a: ${canary}}`,
      `*${canary}`,
      `&${canary} x`,
      `${canary}: b: c`,
      `@${canary}`,
    ];
    for (const value of values) {
      const error = await failure(folderOf(inTeams(`teams:\n  - key: a\n    protected: ${value}\n`)));
      expect(JSON.stringify([error.message, error.failure.lines, error.toJSON()])).not.toContain(canary);
    }
  });
});

describe('two folders over one organization', () => {
  const entry = (id: string) => ({ id, applied: {} });
  const head = { org: 'o1', origin: 'https://api.example' };

  it('may not manage the same item', async () => {
    const folder = folderOf(inTeams(teams));
    const other = join(dirname(folder), 'other');
    write(other, { 'org.yaml': 'guards: {}\n', 'teams.yaml': 'teams:\n\n  - key: authors\n' });
    updateLock(folder, head, [{ item: 'teams/writers', to: entry('t1') }]);
    updateLock(other, head, [{ item: 'teams/authors', to: entry('t1') }]);
    expect((await failure(folder)).failure.lines).toEqual([
      'teams.yaml:2:5 teams[0] names teams/writers, which other/teams.yaml:3 manages too; remove it from one of them, or mark it external: true',
    ]);
    writeFileSync(join(other, 'teams.yaml'), 'teams:\n  - {key: authors, external: true}\n');
    await read(folder);
    writeFileSync(join(other, 'teams.yaml'), 'teams: []\n');
    await read(folder);
    write(folder, { 'teams.yaml': 'teams:\n  - {key: writers, external: true}\n' });
    writeFileSync(join(other, 'teams.yaml'), 'teams:\n  - {key: authors}\n');
    await read(folder);
  });

  it('that are copies of each other are named once, with a way on', async () => {
    const texts = {
      'org.yaml': 'organization: {title: Acme}\n',
      'teams.yaml': 'teams:\n  - key: writers\n',
      'translations.yaml': 'translations:\n  - key: german\n',
    };
    const folder = folderOf(texts);
    const copy = `${folder}2`;
    write(copy, texts);
    const items = ['organization/organization', 'teams/writers', 'translations/german'];
    for (const one of [folder, copy])
      updateLock(
        one,
        head,
        items.map((item) => ({ item, to: entry(item) })),
      );
    const { lines } = (await failure(folder)).failure;
    expect(lines).toHaveLength(1);
    expect(lines?.[0]).toContain(
      `is managed by two folders, ${basename(folder)} and ${basename(copy)} (${basename(copy)}/`,
    );
    expect(lines?.[0]).toContain(
      `, and 2 more items; delete one of the folders, or move it out of ${dirname(folder)}`,
    );
  });

  it('of different organizations have nothing to do with each other', async () => {
    const folder = folderOf(inTeams(teams));
    const other = join(dirname(folder), 'other');
    write(other, { 'org.yaml': 'guards: {}\n', 'teams.yaml': teams });
    updateLock(folder, head, [{ item: 'teams/writers', to: entry('t1') }]);
    updateLock(other, { ...head, org: 'o2' }, [{ item: 'teams/writers', to: entry('t1') }]);
    await read(folder);
  });
});

describe('values of fields with options', () => {
  const fields = 'fields:\n  - {name: state, type: select, title: State, options: [draft, done]}\n';
  const space = (value: string) => ({
    'fields.yaml': fields,
    'library.yaml': `library:\n  - space: guide\n    fields: {state: ${value}}\n`,
  });

  it('are among them', async () => {
    await read(folderOf(space('done')));
    expect((await failure(folderOf(space('dnoe')))).failure.lines).toEqual([
      'library.yaml:3:21 library[0].fields.state must be one of the options of the field: draft, done; did you mean "done"?',
    ]);
  });

  it('may be former ones, where they were applied', async () => {
    const folder = folderOf(space('old'));
    const to = { id: 's1', applied: { 'fields.state': valueHash('old') } };
    updateLock(folder, { org: 'o1', origin: 'https://api.example' }, [{ item: 'spaces/guide', to }]);
    await read(folder);
  });
});
