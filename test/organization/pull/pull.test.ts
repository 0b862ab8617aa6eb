import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LiveItem } from '../../../src/organization/model.js';
import { updateLock } from '../../../src/plans/lock.js';
import { plan, platform, there } from '../planner/build.js';
import {
  type Acme,
  acme,
  after,
  changedIn,
  diff,
  type Folder,
  folderEach,
  head,
  membership,
  withFields,
} from './world.js';

const newFolder = folderEach();

function folderOf(files: Readonly<Record<string, string>> = {}): Folder {
  const folder = newFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(folder.file(name)), { recursive: true });
    writeFileSync(folder.file(name), text);
  }
  return folder;
}

const text = (folder: Folder, name: string) => readFileSync(folder.file(name), 'utf8');
const edit = (folder: Folder, name: string, from: string, to: string) =>
  writeFileSync(folder.file(name), text(folder, name).replace(from, to));

/** A folder with all that the platform shows, and what somebody has done to it. */
async function pulled(world: Acme, change: (folder: Folder) => void = () => {}) {
  const folder = folderOf();
  await folder.pull(world.live());
  change(folder);
  return folder;
}

describe('pull into an empty folder', () => {
  it('writes every file, and nothing the second time', async () => {
    const folder = folderOf();
    const { live } = acme();
    const { written } = await folder.pull(live());
    expect(written.filter((name) => !name.startsWith('.schemas/'))).toEqual([
      'certificates/okta.pem',
      'fields.yaml',
      'library.yaml',
      'openapi.yaml',
      'org.yaml',
      'people.yaml',
      'saml.yaml',
      'sites/acme-docs.schema.json',
      'sites/acme-docs.yaml',
      'teams.yaml',
      'translations.yaml',
    ]);
    expect(await folder.pull(live())).toEqual({ written: [], kept: [], lock: [] });
  });

  it('writes trees in the order of the platform, and lists by key', async () => {
    const folder = await pulled(acme());
    const without = (name: string) => text(folder, name).replace(/^#.*\n/gm, '');
    expect(without('library.yaml')).toBe(
      [
        'manage: additive',
        'library:',
        '  - collection: product',
        '    title: Product',
        '    default_level: none',
        '    contents:',
        '      - collection: inner',
        '        title: Inner',
        '        default_level: none',
        '      - space: guide',
        '        title: Guide',
        "        emoji: '📘'",
        '        fields:',
        '          owner: Ada',
        '      - space: api',
        '        title: API',
        '  - space: loose',
        '    title: Loose',
        '',
      ].join('\n'),
    );
    expect(without('people.yaml')).toBe(
      [
        'manage: additive',
        'memberships: additive',
        'people:',
        '  - email: ada@acme.example',
        '    role: admin',
        '    teams: {writers: owner}',
        '  - email: bob@acme.example',
        '    role: read',
        '    teams: [editors, writers]',
        '  - email: cy@acme.example',
        '    role: guest',
        '',
      ].join('\n'),
    );
    expect(text(folder, 'org.yaml')).toContain('guards:\n  min_admins: 1\n');
    expect(text(folder, 'saml.yaml')).toContain(
      '    certificate: !file certificates/okta.pem\n    default_team: writers\n',
    );
    expect(text(folder, 'certificates/okta.pem')).toBe('CERT\n');
  });

  it('begins each file with its schema, and says what the list does', async () => {
    const folder = await pulled(acme());
    expect(text(folder, 'teams.yaml')).toMatch(
      /^# yaml-language-server: \$schema=\.\/\.schemas\/teams\.json\n# Edit this file/,
    );
    expect(text(folder, 'sites/acme-docs.yaml')).toMatch(
      /^# yaml-language-server: \$schema=\.\.\/\.schemas\/site\.json\n/,
    );
    expect(text(folder, 'people.yaml')).toContain('#\n# Limits:\n# - The API cannot create a member.\n');
  });

  it('is an error with --only drift', async () => {
    await expect(folderOf().pull(acme().live(), { onlyDrift: true })).rejects.toMatchObject({
      code: 'no_org_folder',
    });
  });

  it('names spaces that could not be read by their ids, and leaves out people who could not', async () => {
    const world = acme();
    const { items, ...live } = world.live();
    const kept = [...items].filter(([kind]) => kind !== 'spaces' && kind !== 'people');
    const folder = folderOf();
    await folder.pull({ ...live, items: new Map(kept) });
    expect(text(folder, 'sites/acme-docs.yaml')).toMatch(/- space: '?id:s1'?\n/);
    expect(Object.values(folder.texts()).join()).not.toContain('id:u-');
  });

  it('gives titles that are alike different keys', async () => {
    const folder = folderOf();
    const teams = ['Café & Bar', 'cafe bar', '編集', 'Cafe Bar'].map((title, index) =>
      there('teams', `t${index}`, { title }),
    );
    await folder.pull(platform(teams));
    expect([...(await folder.read()).items.keys()]).toEqual([
      'teams/cafe-bar',
      'teams/cafe-bar-2',
      'teams/cafe-bar-3',
      'teams/item',
    ]);
    rmSync(folder.file('teams.yaml'));
    rmSync(folder.file('org.yaml'));
    await folder.pull(platform([...teams.slice(1).reverse()]));
    expect(text(folder, 'teams.yaml')).toContain('  - key: cafe-bar-3\n    title: Cafe Bar\n');
  });
});

describe('a change of the platform', () => {
  it('of one person is a diff of one line', async () => {
    const world = acme();
    const folder = await pulled(world);
    const before = text(folder, 'people.yaml');
    const { written } = await folder.pull(
      changedIn(world, world.bob, withFields(world.bob, { role: 'edit' })),
    );
    expect(written).toEqual(['people.yaml']);
    expect(diff(before, text(folder, 'people.yaml'))).toEqual(['-    role: read', '+    role: edit']);
  });

  it('keeps comments, blank lines, quotes, order and line breaks', async () => {
    const world = acme();
    const folder = await pulled(world);
    const own = [
      '\ufeff# Mine',
      'people:   # everybody',
      '',
      '  # the boss',
      "  - role: 'read'   # for now",
      '    "email": bob@acme.example',
      '    teams:',
      '      - writers   # since May',
      '      - editors',
      '',
      '  - {email: ada@acme.example, role: "admin", teams: {writers: owner}}',
      '',
      '# no end',
    ].join('\r\n');
    writeFileSync(folder.file('people.yaml'), own);
    const changes = new Map<LiveItem, LiveItem | undefined>([
      [world.bob, withFields(world.bob, { role: 'edit' })],
      [world.ada, withFields(world.ada, { role: 'create' })],
      [world.members[1] as LiveItem, undefined],
    ]);
    await folder.pull(after(changes, [])(world));
    expect(diff(own, text(folder, 'people.yaml'))).toEqual([
      "-  - role: 'read'   # for now\r",
      "+  - role: 'edit'   # for now\r",
      '-      - writers   # since May\r',
      '-  - {email: ada@acme.example, role: "admin", teams: {writers: owner}}\r',
      '+  - {email: ada@acme.example, role: "create", teams: {writers: owner}}\r',
    ]);
  });

  it('of memberships is a change of the person', async () => {
    const world = acme();
    const folder = await pulled(world);
    const [before, [, bobWrites]] = [text(folder, 'people.yaml'), world.members];
    const owner = withFields(bobWrites as LiveItem, { role: 'owner' });
    await folder.pull(
      after(new Map([[bobWrites as LiveItem, owner]]), [membership(world.editors, world.cy, 'member')])(
        world,
      ),
    );
    expect(diff(before, text(folder, 'people.yaml'))).toEqual([
      '-    teams: [editors, writers]',
      '+    teams: {editors: member, writers: owner}',
      '+    teams: [editors]',
    ]);
  });

  it('adds new items in their places, and removes those that are gone', async () => {
    const world = acme();
    const folder = await pulled(world);
    const before = text(folder, 'library.yaml');
    const collection = there(
      'collections',
      'c9',
      { title: 'Next', default_level: 'none' },
      { parent: world.product, index: 1 },
    );
    const space = there('spaces', 's9', { title: 'Between' }, { parent: world.product, index: 1 });
    const inside = there(
      'spaces',
      's8',
      { title: 'Inside', fields: { owner: 'Bob', empty: '' } },
      { parent: collection },
    );
    const moved = { ...world.api, index: 2 };
    await folder.pull(
      after(
        new Map([
          [world.loose, undefined],
          [world.api, moved],
        ]),
        [collection, space, inside],
      )(world),
    );
    expect(diff(before, text(folder, 'library.yaml'))).toEqual([
      '+      - collection: next',
      '+        title: Next',
      '+        default_level: none',
      '+        contents:',
      '+          - space: inside',
      '+            title: Inside',
      '+            fields:',
      '+              owner: Bob',
      '+      - space: between',
      '+        title: Between',
      '-  - space: loose',
      '-    title: Loose',
    ]);
  });

  it('moves an item with its comments', async () => {
    const world = acme();
    const folder = await pulled(world, (one) =>
      edit(one, 'library.yaml', '      - space: api\n', '      # ours\n      - space: api # new\n'),
    );
    const before = text(folder, 'library.yaml');
    const live = changedIn(world, world.api, { ...world.api, parent: world.inner, index: 0 });
    await folder.pull(live);
    expect(diff(before, text(folder, 'library.yaml'))).toEqual([
      '+        contents:',
      '+          # ours',
      '+          - space: api # new',
      '+            title: API',
      '-      # ours',
      '-      - space: api # new',
      '-        title: API',
    ]);
    const found = plan(await folder.read(), live, folder.lock());
    expect([found.drafts, found.settled]).toEqual([[], []]);
  });

  it('empties and fills lists', async () => {
    const world = acme();
    const folder = await pulled(world, (one) => edit(one, 'teams.yaml', 'teams:\n', 'teams: # ours\n'));
    const none = platform([world.organization], ['teams']);
    const start = text(folder, 'teams.yaml');
    for (const name of ['people.yaml', 'saml.yaml', 'library.yaml', 'sites/acme-docs.yaml'])
      rmSync(folder.file(name));
    await folder.pull(none);
    expect(text(folder, 'teams.yaml')).toMatch(/\nteams: \[\] # ours\n$/);
    await folder.pull(platform([world.organization, world.writers, world.editors]));
    expect(text(folder, 'teams.yaml')).toBe(start);
  });

  it('of a text in a file of its own goes there', async () => {
    const world = acme();
    const folder = await pulled(world);
    const { written } = await folder.pull(
      changedIn(world, world.okta, withFields(world.okta, { certificate: 'NEXT\n' })),
    );
    expect(written).toEqual(['certificates/okta.pem']);
    expect(text(folder, 'certificates/okta.pem')).toBe('NEXT\n\n');
    expect((await folder.read()).items.get('saml/okta')?.fields.certificate).toBe('NEXT\n');
  });

  it('leaves !env alone', async () => {
    const world = acme();
    const folder = await pulled(world, (one) => {
      edit(one, 'saml.yaml', 'certificate: !file certificates/okta.pem', 'certificate: !env OKTA # secret');
      edit(one, 'org.yaml', 'guards:', 'env: [OKTA] # of the pipeline\nguards:');
    });
    await folder.pull(
      changedIn(world, world.okta, withFields(world.okta, { certificate: 'X', label: 'New' })),
    );
    expect(text(folder, 'saml.yaml')).toContain('    label: New\n    certificate: !env OKTA # secret\n');
    expect(text(folder, 'org.yaml')).toContain('env: [OKTA] # of the pipeline\n');
  });

  it('of what no file names is not looked at', async () => {
    const world = acme();
    const folder = folderOf({
      'org.yaml': 'guards: {min_admins: 1}\n',
      'teams.yaml': 'teams:\n- {key: writers, title: Writers}\n',
    });
    const { written } = await folder.pull(world.live());
    expect(written.filter((name) => !name.startsWith('.'))).toEqual(['teams.yaml']);
    expect(text(folder, 'teams.yaml')).toBe(
      'teams:\n- key: editors\n  title: Editors\n- {key: writers, title: Writers}\n',
    );
  });

  it('adds a new site as a file, and removes that of a site that is gone', async () => {
    const world = acme();
    const folder = await pulled(world);
    const inside = [world.group, world.start, world.help, world.onStart, world.onHelp];
    const gone = new Map([world.site, ...inside].map((item) => [item, undefined]));
    const { written } = await folder.pull(
      after(gone, [there('sites', 'w2', { title: 'Other', visibility: 'public' })])(world),
    );
    expect(written).toEqual(['sites/acme-docs.yaml', 'sites/other.yaml']);
    expect((await folder.read()).items.has('sites/acme-docs')).toBe(false);
  });
});

describe('an order that was changed by hand', () => {
  it.each([true, false])('comes into the file with its comments (only drift: %s)', async (onlyDrift) => {
    const world = acme();
    const folder = await pulled(world);
    edit(folder, 'library.yaml', '      - space: api\n', '      # ours\n      - space: api # new\n');
    const before = text(folder, 'library.yaml');
    const live = changedIn(world, world.guide, { ...world.guide, index: 2 });
    const { written, kept } = await folder.pull(live, { onlyDrift });
    expect([written, kept]).toEqual([['library.yaml'], []]);
    const [own = ''] = / {6}- space: guide\n(?: {8}.*\n)+/.exec(before) ?? [];
    const [ours = ''] = / {6}# ours\n.*\n.*\n/.exec(before) ?? [];
    expect(text(folder, 'library.yaml')).toBe(before.replace(own + ours, ours + own));
    const found = plan(await folder.read(), live, folder.lock());
    expect([found.drafts, found.settled]).toEqual([[], []]);
  });

  it('of sections and groups too', async () => {
    const world = acme();
    const folder = await pulled(world);
    const changes = new Map([
      [world.group, { ...world.group, index: 1 }],
      [world.help, { ...world.help, index: 0 }],
    ]);
    const live = after(changes)(world);
    expect((await folder.pull(live, { onlyDrift: true })).written).toEqual(['sites/acme-docs.yaml']);
    const found = plan(await folder.read(), live, folder.lock());
    expect([found.drafts, found.settled]).toEqual([[], []]);
  });
});

describe('pull --only drift', () => {
  it('that pulls nothing leaves the lock as it is', async () => {
    const world = acme();
    const folder = await pulled(world);
    const items = Object.entries(folder.lock()?.items ?? {});
    const bare = items.map(
      ([
        item,
        {
          id,
          applied: { after: _, ...applied },
        },
      ]) => ({ item, to: { id, applied } }),
    );
    updateLock(folder.path, head, bare);
    expect(await folder.pull(world.live(), { onlyDrift: true })).toEqual({ written: [], kept: [], lock: [] });
    expect((await folder.pull(world.live())).lock).not.toEqual([]);
  });
});

describe('the guards that pull writes', () => {
  it('count from then on, so that another admin does not raise them', async () => {
    const world = acme();
    const folder = await pulled(world);
    const intruder = changedIn(world, world.bob, withFields(world.bob, { role: 'admin' }));
    const codes = plan(await folder.read(), intruder, folder.lock(), { self: { id: 'u-ada' } }).drafts.map(
      ({ finding }) => finding?.code,
    );
    expect(codes).not.toContain('guarded');
  });
});

describe('what was edited in the files', () => {
  const setUp = async () => {
    const world = acme();
    const folder = await pulled(world);
    edit(folder, 'teams.yaml', 'title: Writers', 'title: Authors');
    return { world, folder };
  };

  it('is kept and listed', async () => {
    const { world, folder } = await setUp();
    const before = folder.texts();
    const result = await folder.pull(world.live());
    expect(result).toMatchObject({
      written: [],
      kept: [{ item: 'teams/writers', file: 'teams.yaml', why: 'title edited here and not applied yet' }],
      lock: [],
    });
    const { line } = result.kept[0] ?? { line: 0 };
    expect(text(folder, 'teams.yaml').split('\n')[line - 1]).toBe('  - key: writers');
    expect(folder.texts()).toEqual(before);
  });

  it('is kept where the lock does not know what was applied', async () => {
    const { world, folder } = await setUp();
    const { id = '' } = folder.lock()?.items['teams/writers'] ?? {};
    updateLock(folder.path, head, [{ item: 'teams/writers', to: { id, applied: {} } }]);
    expect((await folder.pull(world.live())).kept).toMatchObject([
      { item: 'teams/writers', why: 'title edited here and not applied yet' },
    ]);
  });

  it('is kept where the platform changed it too, and taken over with --take', async () => {
    const { world, folder } = await setUp();
    const live = changedIn(world, world.writers, withFields(world.writers, { title: 'Scribes' }));
    expect((await folder.pull(live)).kept[0]?.why).toBe('title changed both here and on the platform');
    expect((await folder.pull(live, { take: new Set(['teams/writers']) })).kept).toEqual([]);
    expect(text(folder, 'teams.yaml')).toContain('title: Scribes');
    expect(await folder.pull(live)).toEqual({ written: [], kept: [], lock: [] });
  });

  it('is the order of a list too, which the platform has otherwise', async () => {
    const { world, folder } = await setUp();
    const own = text(folder, 'library.yaml');
    const [guide = ''] = / {6}- space: guide\n(?: {8}.*\n)+/.exec(own) ?? [];
    const [api = ''] = / {6}- space: api\n(?: {8}.*\n)+/.exec(own) ?? [];
    writeFileSync(folder.file('library.yaml'), own.replace(guide, '').replace(api, api + guide));
    const swapped = world.live();
    const { written, kept } = await folder.pull(swapped);
    expect(written).toEqual([]);
    expect(kept.map(({ item, why }) => `${item}: ${why}`)).toContain(
      'spaces/api: its place in the list differs from that on the platform',
    );
    await folder.pull(swapped, { take: new Set(['spaces/api']) });
    expect(text(folder, 'library.yaml')).toBe(own);
    expect((await folder.pull(swapped)).kept).toHaveLength(1);
  });

  it('stays where one of the files cannot be written', async () => {
    const { world, folder } = await setUp();
    rmSync(folder.file('certificates/okta.pem'));
    mkdirSync(folder.file('certificates/okta.pem'));
    for (const name of Object.keys(folder.texts())) if (name.endsWith('.yaml')) rmSync(folder.file(name));
    const before = folder.texts();
    await expect(folder.pull(world.live())).rejects.toMatchObject({ exitCode: 13 });
    expect(folder.texts()).toEqual(before);
  });

  it('is not there to take under a wrong address', async () => {
    const { world, folder } = await setUp();
    await expect(folder.pull(world.live(), { take: new Set(['teams/wirters']) })).rejects.toMatchObject({
      code: 'unknown_item',
    });
  });

  it('stays out of the file where it was removed there', async () => {
    const { world, folder } = await setUp();
    edit(folder, 'library.yaml', '  - space: loose\n    title: Loose\n', '');
    const { written } = await folder.pull(world.live());
    expect(written).toEqual([]);
    expect((await folder.pull(world.live(), { take: new Set(['spaces/loose']) })).written).toEqual([
      'library.yaml',
    ]);
  });

  it('is kept where the item is gone from the platform, or protected, or new', async () => {
    const { world, folder } = await setUp();
    edit(
      folder,
      'teams.yaml',
      '  - key: editors\n',
      '  - key: fresh\n    title: Fresh\n  - key: editors\n    protected: true\n',
    );
    const left = world.all.filter((item) => item.kind !== 'teams' && item !== world.okta);
    const { kept } = await folder.pull(platform(left, ['teams', 'memberships', 'saml']));
    expect(kept.map(({ item, why }) => `${item}: ${why}`)).toEqual([
      'teams/fresh: it is not on the platform yet',
      'teams/editors: it is no longer on the platform, and it is protected',
      'teams/writers: it was edited here, and is no longer on the platform',
    ]);
  });
});

describe('lists that say what they take', () => {
  const world = acme();
  const fresh = there('teams', 't9', { title: 'Added' });
  it.each([
    ['exact', true, ['teams.yaml']],
    ['additive', true, []],
    ['additive', false, ['teams.yaml']],
    ['none', false, []],
  ] as const)('manage: %s, only drift: %s', async (manage, onlyDrift, files) => {
    const folder = await pulled(world);
    edit(folder, 'teams.yaml', '\nmanage: additive', `\nmanage: ${manage}`);
    const { written } = await folder.pull(world.live(fresh), { onlyDrift });
    expect(written).toEqual(files);
  });
});

describe('a folder that cannot be read', () => {
  it('stays as it is', async () => {
    const world = acme();
    const folder = await pulled(world);
    edit(folder, 'teams.yaml', 'key: writers', 'kye: writers');
    const before = folder.texts();
    const change = changedIn(world, world.bob, withFields(world.bob, { role: 'edit' }));
    await expect(folder.pull(change)).rejects.toMatchObject({ code: 'bad_files' });
    expect(folder.texts()).toEqual(before);
  });
});
