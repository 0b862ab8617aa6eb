import { rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Live, LiveItem } from '../../../src/organization/model.js';
import { baselineEntries, openKinds, staysWhole } from '../../../src/organization/planner/baseline.js';
import { updateLock } from '../../../src/plans/lock.js';
import { plan, platform, there } from '../planner/build.js';
import { type Acme, acme, changedIn, type Folder, folderEach, head, withFields } from './world.js';

const newFolder = folderEach();

async function pulled(world: Acme): Promise<Folder> {
  const folder = newFolder();
  await folder.pull(world.live());
  return folder;
}

async function drift(folder: Folder, live: Live, only?: 'drift') {
  const options = { watches: true, ...(only && { only }) };
  const { drafts, notes } = plan(await folder.read(), live, folder.lock(), options);
  return { found: drafts.map(({ finding, key, kind }) => `${finding?.code} ${kind}/${key}`), drafts, notes };
}

/** The platform with fields of an item changed by hand. */
const changed = (of: Acme, item: LiveItem, fields: Readonly<Record<string, unknown>>): Live =>
  changedIn(of, item, withFields(item, fields));

const world = acme();
const schema = { type: 'object', properties: { beta: { type: 'boolean' } }, additionalProperties: false };
/** Of every kind, a field that was not set when it was first pulled; teams have none, and members only `sso`. */
const unset: [name: string, item: LiveItem, fields: Record<string, unknown>, inFile: string][] = [
  ['organization', world.organization, { invite_links: true }, 'invite_links: true'],
  ['fields', world.owner, { description: 'By hand' }, 'description: By hand'],
  ['people', world.bob, { sso: true }, 'sso: true'],
  ['collections', world.product, { description: 'By hand' }, 'description: By hand'],
  ['spaces', world.api, { emoji: '🔥' }, "emoji: '🔥'"],
  ['spaces, values', world.api, { fields: { owner: 'By hand' } }, 'owner: By hand'],
  ['sites', world.site, { basename: 'by-hand' }, 'basename: by-hand'],
  ['groups', world.group, { icon: 'rocket' }, 'icon: rocket'],
  ['sections', world.help, { condition: 'visitor.claims.beta' }, 'condition: visitor.claims.beta'],
  ['site-spaces', world.onHelp, { condition: 'visitor.claims.beta' }, 'condition: visitor.claims.beta'],
  ['saml', world.okta, { sso_url: 'https://id.example' }, 'sso_url: https://id.example'],
];

describe('what was not set at the first pull', () => {
  for (const [name, item, fields, inFile] of unset)
    it(`is drift where somebody sets it, and comes into the files: ${name}`, async () => {
      const folder = await pulled(world);
      expect((await drift(folder, world.live(), 'drift')).found).toEqual([]);
      const live = changed(world, item, fields);
      const { found, drafts } = await drift(folder, live, 'drift');
      expect(found).toHaveLength(1);
      expect(drafts[0]?.finding).toMatchObject({
        code: 'unnamed',
        hint: expect.stringContaining('"docs pull --only drift" writes it into the file'),
      });
      const { found: planned, notes } = await drift(folder, live);
      expect([planned, notes.map(({ code }) => code)]).toEqual([[], ['unnamed']]);
      await folder.pull(live, { onlyDrift: true });
      expect(Object.values(folder.texts()).join('\n')).toContain(inFile);
      expect((await drift(folder, live, 'drift')).found).toEqual([]);
      expect(await folder.pull(live)).toEqual({ written: [], kept: [], lock: [] });
    });

  it('is left to the folder that manages the item, where this one only refers to it', async () => {
    const folder = await pulled(world);
    const text = folder.texts()['saml.yaml'] ?? '';
    writeFileSync(folder.file('saml.yaml'), text.replace('- key: okta', '- key: okta\n    external: true'));
    const live = changed(world, world.okta, { sso_url: 'https://id.example' });
    expect((await drift(folder, live, 'drift')).found).toEqual([]);
    expect((await folder.pull(live)).written).toEqual([]);
  });

  it('comes into a file of its own where its kind has one', async () => {
    const bare = acme();
    const site = { ...bare.site, fields: { ...bare.site.fields, schema: null } };
    const folder = newFolder();
    await folder.pull(platform([site], ['sections', 'site-spaces', 'groups']));
    await folder.pull(
      platform([{ ...site, fields: { ...site.fields, schema } }], ['sections', 'site-spaces', 'groups']),
      { onlyDrift: true },
    );
    expect(folder.texts()['sites/acme-docs.yaml']).toContain('schema: !file acme-docs.schema.json');
    expect(folder.texts()['sites/acme-docs.schema.json']).toContain('beta');
  });
});

describe('what left the files', () => {
  it('is told by plan, drift and pull, and still compared', async () => {
    const folder = await pulled(world);
    const text = folder.texts()['saml.yaml'] ?? '';
    expect(text).toContain('okta');
    rmSync(folder.file('saml.yaml'));
    for (const only of [undefined, 'drift'] as const) {
      const { found, notes } = await drift(folder, world.live(), only);
      expect(found).toEqual([]);
      expect(notes).toContainEqual(expect.objectContaining({ code: 'left', item: 'saml/okta' }));
    }
    const unread = platform(world.all.filter(({ kind }) => kind !== 'saml'));
    expect((await drift(folder, unread)).notes).toContainEqual(expect.objectContaining({ code: 'left' }));
    const live = changed(world, world.okta, { label: 'By hand' });
    expect((await drift(folder, live, 'drift')).found).toEqual(['unnamed saml/okta']);
    expect((await folder.pull(live, { onlyDrift: true })).left).toEqual(['saml/okta']);
    expect((await drift(folder, live, 'drift')).found).toEqual([]);
  });
});

describe('the guards in the lock', () => {
  it('are no item that left the files', async () => {
    const folder = await pulled(world);
    const to = { id: 'o1', applied: { guards: 'x' } };
    updateLock(folder.path, head, [{ item: 'organization/guards', to }]);
    writeFileSync(folder.file('org.yaml'), 'guards: {min_admins: 1}\n');
    const { left } = await folder.pull(world.live());
    expect([left, folder.lock()?.items['organization/guards']]).toEqual([['organization/organization'], to]);
    const { notes } = await drift(folder, world.live(), 'drift');
    expect(notes.filter(({ code }) => code === 'left').map(({ item }) => item)).toEqual([
      'organization/organization',
    ]);
  });
});

describe('a lock', () => {
  it('of an older version or an earlier commit is a finding of drift, until a pull completes it', async () => {
    const folder = await pulled(world);
    const named = { title: folder.lock()?.items['teams/writers']?.applied.title ?? '' };
    updateLock(folder.path, head, [
      { item: 'sections/acme-docs/help', to: { id: 'e2', applied: named } },
      { item: 'teams/editors', to: null },
    ]);
    const { found, drafts } = await drift(folder, world.live(), 'drift');
    expect(found).toEqual(['unwatched organization/docs.lock.json']);
    expect(drafts[0]?.finding?.message).toContain('of 2 items');
    expect((await drift(folder, world.live())).found).toEqual([]);
    await folder.pull(world.live());
    expect((await drift(folder, world.live(), 'drift')).found).toEqual([]);
  });

  it('is completed after an apply, by what was read, and by nothing that was changed by hand', async () => {
    const folder = await pulled(world);
    const before = folder.lock();
    updateLock(folder.path, head, [
      { item: 'sections/acme-docs/help', to: { id: 'e2', applied: {} } },
      { item: 'site-spaces/acme-docs/api', to: null },
    ]);
    const lock = folder.lock();
    if (lock === undefined) throw new Error('there is a lock');
    const desired = await folder.read();
    expect([...openKinds(desired, lock)].sort()).toEqual(['sections', 'site-spaces']);
    const live = changed(world, world.start, { condition: 'by hand' });
    updateLock(folder.path, head, baselineEntries(desired, live, lock, {}));
    expect(folder.lock()).toEqual(before);
    expect((await drift(folder, live, 'drift')).found).toEqual(['unnamed sections/start']);
  });

  it('is complete without a read after changes of what it knows, and not after creations or from gaps', async () => {
    const folder = await pulled(world);
    const lock = folder.lock();
    const entry = lock?.items['teams/writers'];
    if (lock === undefined || entry === undefined) throw new Error('the lock has the team');
    const desired = await folder.read();
    const renamed = { ...entry, applied: { ...entry.applied, title: 'another' } };
    const change = { item: 'teams/writers', to: renamed };
    expect(staysWhole(desired, lock, [change, { item: 'teams/gone', to: null }])).toBe(true);
    const created = { item: 'teams/new', to: { id: 't9', applied: {} } };
    expect(staysWhole(desired, lock, [change, created])).toBe(false);
    expect(staysWhole(desired, undefined, [change])).toBe(false);
    const { 'teams/writers': _, ...others } = lock.items;
    expect(staysWhole(desired, { ...lock, items: others }, [change])).toBe(false);
    const gap = { ...lock, items: { ...others, 'teams/writers': { ...entry, applied: {} } } };
    expect(staysWhole(desired, gap, [])).toBe(false);
  });

  it('keeps the place of a group after a section when it is completed without a read of the sections', async () => {
    const site = there('sites', 'w1', { title: 'Docs' });
    const section = there('sections', 'e1', { title: 'Start', path: 'start' }, { parent: site });
    const group = there('groups', 'g1', { title: 'Learn' }, { parent: site, index: 1 });
    const folder = newFolder();
    await folder.pull(platform([site, section, group], ['site-spaces']));
    const before = folder.lock();
    const desired = await folder.read();
    const live = platform([site, group]);
    expect(before && baselineEntries(desired, live, before, {})).toEqual([]);
  });

  it('is told to be compared, with what', async () => {
    const { notes } = await drift(await pulled(world), world.live(), 'drift');
    expect(notes).toEqual([
      expect.objectContaining({ code: 'watched', count: world.all.length + world.members.length }),
    ]);
  });
});
