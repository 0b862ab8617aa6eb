import { describe, expect, it } from 'vitest';
import type { Address, LiveItem } from '../../../src/organization/model.js';
import { parentEntry, valueHash } from '../../../src/organization/value.js';
import { files, lines, lockOf, person, plan, platform, there, wanted } from './build.js';

const at = { file: 'sites/docs.yaml', line: 1, column: 1, path: '' };
const site = there('sites', 'w1', { title: 'Docs' }, { resource: { id: 'w1', published: true } });
const exact = {
  scopes: [{ kinds: ['groups', 'sections', 'site-spaces'], within: 'sites/docs', manage: 'exact', at }],
} as const;
const docs = wanted('sites/docs', { title: 'Docs' });

const section = (key: string, parent: Address = 'sites/docs') =>
  wanted(`sections/docs/${key}`, {}, { parent });
const siteSpace = (key: string, parent: Address) => wanted(`site-spaces/docs/${key}`, {}, { parent });

describe('a group that left the files', () => {
  const group = there('groups', 'g1', { title: 'Null' }, { parent: site });
  const inGroup = there('sections', 'e1', { title: 'Guide' }, { parent: group });
  const live = platform([site, group, inGroup], ['site-spaces']);
  const lock = lockOf({
    'sites/docs': { id: 'w1', applied: {} },
    'groups/docs/null': { id: 'g1', applied: {} },
    'sections/docs/guide': { id: 'e1', applied: { [parentEntry]: valueHash('groups/docs/null') } },
  });
  const desired = files([docs, section('guide')], exact);

  it('is left first by the section that was in it, which is no conflict', () => {
    const leave = 'move sections/guide DELETE /sites/w1/section-groups/g1/sections/e1';
    expect(lines(plan(desired, live, lock))).toEqual([leave, 'withheld groups/null prune']);
    const pruned = plan(desired, live, lock, { prune: true });
    expect(lines(pruned)).toEqual([leave, 'delete groups/null DELETE /sites/w1/section-groups/g1']);
    expect(pruned.drafts[1]?.change?.after).toEqual([0]);
  });

  it('so is a collection by the space that was in it', () => {
    const shelf = there('collections', 'c1', { title: 'Shelf' });
    const inside = there('spaces', 's1', { title: 'Guide' }, { parent: shelf });
    const planned = plan(
      files([wanted('spaces/guide', { title: 'Guide' })], { exact: ['collections', 'spaces'] }),
      platform([shelf, inside]),
      lockOf({
        'collections/shelf': { id: 'c1', applied: {} },
        'spaces/guide': { id: 's1', applied: { [parentEntry]: valueHash('collections/shelf') } },
      }),
    );
    expect(lines(planned)).toEqual([
      'move spaces/guide POST /v1/spaces/s1/move {"parent":null}',
      'withheld collections/shelf prune',
    ]);
  });
});

describe('a new section in a group', () => {
  const group = there('groups', 'g1', { title: 'A' }, { parent: site, index: -1 });
  const space = there('spaces', 's1', { title: 'Guide' });
  const { drafts } = plan(
    files([
      docs,
      wanted('groups/docs/a', { title: 'A' }, { parent: 'sites/docs' }),
      wanted('sections/docs/guide', { title: 'Guide', description: 'x' }, { parent: 'groups/docs/a' }),
      siteSpace('guide', 'sections/docs/guide'),
      wanted('spaces/guide', { title: 'Guide' }),
    ]),
    platform([site, group, space], ['sections', 'site-spaces']),
  );

  it('stands where its creation puts it until it has entered the group', () => {
    const own = drafts.filter(({ change }) => change?.lock?.item === 'sections/docs/guide');
    const places = own.map(({ change }) => change?.lock?.to?.applied[parentEntry]);
    expect(places[0]).toBe(valueHash('sites/docs'));
    expect(places.at(-1)).toBe(valueHash('groups/docs/a'));
  });

  it('changes one request after the other, so that none counts in the lock that failed', () => {
    const own = drafts.flatMap(({ change }, index) =>
      change?.lock?.item === 'sections/docs/guide' ? [index] : [],
    );
    expect(own.length).toBeGreaterThan(1);
    for (const [place, index] of own.slice(1).entries())
      expect(drafts[index]?.change?.after).toContain(own[place]);
  });
});

describe('the last space of a section that readers see', () => {
  const spaces = ['a', 'b', 'c'].map((key) => there('spaces', `s-${key}`, { title: key }));
  const library = ['a', 'b', 'c'].map((key) => wanted(`spaces/${key}`, { title: key }));
  const one = there('sections', 'e1', { title: 'One', path: 'one' }, { parent: site });
  const two = there('sections', 'e2', { title: 'Two', path: 'two' }, { parent: site, index: 1 });
  const standing = (key: string, parent: LiveItem, index = 0) =>
    there('site-spaces', `w-${key}`, { path: key }, { parent, index, natural: `s-${key}`, title: key });
  const sections = [section('one'), section('two')].map((item, index) => ({
    ...item,
    fields: { path: index === 0 ? 'one' : 'two' },
  }));
  const live = (...own: LiveItem[]) => platform([site, one, two, ...spaces, ...own]);
  const desired = (...own: ReturnType<typeof siteSpace>[]) =>
    files([...library, docs, ...sections, ...own], exact);
  const moves = (planned: ReturnType<typeof plan>) =>
    lines(planned).filter((line) => line.includes('site-spaces'));
  const [first, second]: Address[] = ['sections/docs/one', 'sections/docs/two'];
  const A = standing('a', one);
  const B = standing('b', two);

  it('cannot go to another section', () => {
    const to = desired(siteSpace('a', second as Address), siteSpace('b', second as Address));
    expect(moves(plan(to, live(A, B)))).toEqual(['finding site-spaces/a last']);
  });

  it('cannot change places with another one', () => {
    const to = desired(siteSpace('b', first as Address), siteSpace('a', second as Address));
    expect(moves(plan(to, live(A, B)))).toEqual(['finding site-spaces/b last', 'finding site-spaces/a last']);
  });

  it('goes nowhere while it is protected, since it would be removed and added again', () => {
    const kept = { ...siteSpace('a', second as Address), protected: true };
    const to = desired(siteSpace('c', first as Address), kept, siteSpace('b', second as Address));
    expect(moves(plan(to, live(A, B)))).toContain('finding site-spaces/a protected');
  });

  it('cannot be removed', () => {
    const to = desired(siteSpace('b', second as Address));
    expect(moves(plan(to, live(A, B), lockOf({}), { prune: true }))).toEqual(['finding site-spaces/a last']);
  });

  it('goes once another one has come, and from a site that is not published', () => {
    const to = desired(
      siteSpace('c', first as Address),
      siteSpace('a', second as Address),
      siteSpace('b', second as Address),
    );
    expect(moves(plan(to, live(A, B))).filter((line) => line.startsWith('finding'))).toEqual([]);
    const hidden = { ...site, resource: { id: 'w1', published: false } };
    const hiddenOne = { ...one, parent: hidden };
    const hiddenTwo = { ...two, parent: hidden };
    const open = platform([
      hidden,
      hiddenOne,
      hiddenTwo,
      ...spaces,
      { ...A, parent: hiddenOne },
      { ...B, parent: hiddenTwo },
    ]);
    const together = desired(siteSpace('a', second as Address), siteSpace('b', second as Address));
    expect(moves(plan(together, open)).filter((line) => line.startsWith('finding'))).toEqual([]);
  });
});

describe('a value of a custom field', () => {
  const field = there(
    'fields',
    'stage',
    { type: 'select', options: ['draft', 'done'] },
    { natural: 'stage' },
  );
  const space = there('spaces', 's1', { title: 'Guide', fields: { stage: 'draft' } });
  const valued = (value: unknown) => wanted('spaces/guide', { title: 'Guide', fields: { stage: value } });

  it('that is not one of its options is a finding with those that there are', () => {
    const planned = plan(files([valued('lost')]), platform([field, space]));
    expect(lines(planned)).toEqual(['finding spaces/guide change']);
    expect(planned.drafts[0]?.finding).toMatchObject({
      message: 'The custom field stage does not have the option lost.',
      hint: 'Choose from draft, done, or add the option in fields.yaml.',
    });
  });

  it('may be an option that the same files add', () => {
    const added = wanted('fields/stage', { options: ['draft', 'done', 'lost'] });
    expect(lines(plan(files([added, valued('lost')]), platform([field, space])))).toHaveLength(2);
  });
});

describe('a person with an empty list of teams', () => {
  const team = there('teams', 't1', { title: 'Writers' });
  const ada = person('ada@x.example', 'edit');
  const inTeam = there('memberships', ada.id, { role: 'member' }, { parent: team, natural: ada.id });
  const live = platform([ada, team, inTeam]);
  const teams = wanted('teams/writers', { title: 'Writers' });
  const exact = files([wanted('people/ada@x.example'), teams], { exact: ['memberships'] });

  it('leaves all teams where memberships are exact', () => {
    expect(lines(plan(exact, live, undefined, { prune: true }))).toEqual([
      'delete memberships/ada@x.example DELETE /teams/t1/members/u-ada',
    ]);
  });
});

describe('the order of a list', () => {
  const live = ['b', 'a'].map((key, index) =>
    there('collections', `c-${key}`, { title: key }, { index, title: key }),
  );
  const desired = files(['a', 'b'].map((key) => wanted(`collections/${key}`, { title: key })));
  const entry = (key: string, previous: string | null) => ({
    id: `c-${key}`,
    applied: { title: valueHash(key), [parentEntry]: valueHash(null), after: valueHash(previous) },
  });
  const actions = (lock: ReturnType<typeof lockOf>) =>
    plan(desired, platform(live), lock).drafts.map(({ action }) => action);

  it('is drift where the files have the one that the lock has, and else a change', () => {
    const asPulled = { 'collections/a': entry('a', null), 'collections/b': entry('b', 'collections/a') };
    expect(actions(lockOf(asPulled))).toEqual(['drift']);
    const before = { 'collections/b': entry('b', null), 'collections/a': entry('a', 'collections/b') };
    expect(actions(lockOf(before))).toEqual(['move']);
  });
});
