import { describe, expect, it } from 'vitest';
import type { Missed } from '../../../src/organization/model.js';
import { files, lines, lockOf, person, plan, platform, there, wanted } from './build.js';

const writers = there('teams', 't1', { title: 'Writers' });
const editors = there('teams', 't2', { title: 'Editors' });
const live = platform([writers, editors]);
const desired = wanted('teams/writers', { title: 'Writers' });
const prune = { prune: true };
const empty = lockOf({});

describe('an item that no file names', () => {
  it('is not looked at where the list is additive', () => {
    expect(lines(plan(files([desired]), live, empty, prune))).toEqual([]);
  });

  it('is withheld where the list is exact, and deleted with --prune', () => {
    const exact = files([desired], { exact: ['teams'] });
    const withheld = plan(exact, live);
    expect(lines(withheld)).toEqual(['withheld teams/Editors prune']);
    expect(withheld.drafts[0]?.finding?.hint).toContain('--prune');
    const planned = plan(exact, live, empty, prune);
    expect(lines(planned)).toEqual(['delete teams/Editors DELETE /teams/t2']);
    expect(planned.drafts[0]?.risk).toBe('The team Editors would be deleted.');
  });

  it('is withheld where there is no lock, since it may be one of the files under another title', () => {
    const exact = files([wanted('teams/writers', { title: 'Writers' }), wanted('teams/b', { title: 'B' })], {
      exact: ['teams'],
    });
    expect(lines(plan(exact, live, undefined, prune))).toEqual([
      'create teams/b PUT /teams {"title":"B"}',
      'withheld teams/Editors unlocked',
    ]);
  });

  it('was removed from the files where the lock knows it, else it was added by hand', () => {
    const lock = lockOf({ 'teams/editors': { id: 't2', applied: {} } });
    const exact = files([desired], { exact: ['teams'] });
    const only = (side: 'change' | 'drift', known = empty) =>
      lines(plan(exact, live, known, { ...prune, only: side }));
    expect(only('drift')).toEqual(['delete teams/Editors DELETE /teams/t2']);
    expect(only('change')).toEqual([]);
    expect(only('change', lock)).toEqual(['delete teams/editors DELETE /teams/t2']);
    expect(only('drift', lock)).toEqual([]);
    expect(plan(exact, live, lock, prune).drafts[0]?.change?.lock).toEqual({
      item: 'teams/editors',
      to: null,
    });
  });

  it('is removed after what is removed inside it', () => {
    const outer = there('collections', 'c1', { title: 'Outer' });
    const inner = there('collections', 'c2', { title: 'Inner' }, { parent: outer });
    const planned = plan(files([], { exact: ['collections'] }), platform([outer, inner]), empty, prune);
    expect(lines(planned)).toEqual([
      'delete collections/Inner DELETE /v1/collections/c2',
      'delete collections/Outer DELETE /v1/collections/c1',
    ]);
    expect(planned.drafts[1]?.change?.after).toEqual([0]);
  });

  it('is deleted, as all are, where the list is empty', () => {
    expect(lines(plan(files([], { exact: ['teams'] }), live, empty, prune))).toHaveLength(2);
  });

  it('is withheld where something beside it could not be read, and nowhere else', () => {
    const space = (id: string, parent: typeof shelf) => there('spaces', id, { title: id }, { parent });
    const [shelf, other] = ['c1', 'c2'].map((id) => there('collections', id, { title: id })) as [
      typeof writers,
      typeof writers,
    ];
    const live = platform([shelf, other, space('s1', shelf), space('s2', other)]);
    const message = 'The token may not read all.';
    const within = { kind: 'collections', id: 'c1' } as const;
    const exact = files(
      [wanted('collections/c1', { title: 'c1' }), wanted('collections/c2', { title: 'c2' })],
      { exact: ['spaces'] },
    );
    const missing = (missed: Missed[]) => lines(plan(exact, { ...live, missed }, empty, prune));
    const gone = ['delete spaces/s1 DELETE /v1/spaces/s1', 'delete spaces/s2 DELETE /v1/spaces/s2'];
    expect(missing([])).toEqual(gone);
    expect(missing([{ kind: 'spaces', message, within }])).toEqual([gone[1], 'withheld spaces/s1 unread']);
    expect(missing([{ kind: 'spaces', message }])).toEqual([
      'withheld spaces/s1 unread',
      'withheld spaces/s2 unread',
    ]);
  });

  it('is left where an item of the files may be it', () => {
    const twins = platform([writers, there('teams', 't3', { title: 'Writers' })]);
    const planned = plan(files([desired], { exact: ['teams'] }), twins, undefined, prune);
    expect(lines(planned)).toEqual(['finding teams/writers ambiguous']);
    expect(planned.drafts[0]?.finding?.hint).toBe('docs plan adopt teams/writers=t1');
  });
});

describe('memberships', () => {
  const [ada, bob] = [person('ada@x.example', 'edit'), person('bob@x.example', 'edit')];
  const membership = (id: string) =>
    there('memberships', id, { role: 'member' }, { parent: writers, natural: id });
  const all = platform([
    ada,
    bob,
    writers,
    membership('u-ada'),
    membership('u-bob'),
    { ...membership('u-ada'), parent: editors },
    editors,
  ]);
  const team = wanted('memberships/writers/ada@x.example', { role: 'member' }, { parent: 'teams/writers' });

  it('that are exact are looked at for all people of the files, also those without a list of teams', () => {
    const exact = files([wanted('people/ada@x.example'), wanted('people/bob@x.example'), desired, team], {
      exact: ['memberships'],
    });
    expect(lines(plan(exact, all, empty, prune))).toEqual([
      'delete memberships/bob@x.example DELETE /teams/t1/members/u-bob',
      'delete memberships/ada@x.example DELETE /teams/t2/members/u-ada',
    ]);
    const drift = plan(exact, all, empty, { only: 'drift' });
    expect(lines(drift)).toContain('withheld memberships/bob@x.example prune');
    const withoutBob = files([wanted('people/ada@x.example'), desired, team], { exact: ['memberships'] });
    expect(lines(plan(withoutBob, all, empty, prune))).toHaveLength(1);
  });

  it('that were taken from the list of a person stay, and are noted, unless the list is exact', () => {
    const lock = lockOf({
      'memberships/writers/ada@x.example': { id: 'u-ada', applied: {} },
      'memberships/writers/bob@x.example': { id: 'u-bob', applied: {} },
    });
    const items = [wanted('people/ada@x.example'), wanted('people/bob@x.example'), desired, team];
    const additive = plan(files(items), all, lock, prune);
    expect(lines(additive)).toEqual([]);
    expect(additive.notes).toEqual([
      {
        code: 'stays',
        item: 'memberships/writers/bob@x.example',
        message: expect.stringContaining('"memberships: additive" removes nothing'),
        hint: expect.stringContaining('"memberships: exact"'),
      },
    ]);
    const exact = plan(files(items, { exact: ['memberships'] }), all, lock);
    expect([lines(exact)[0], exact.notes]).toEqual(['withheld memberships/bob@x.example prune', []]);
  });

  it('that no list of the files ever had are not noted, nor those that go with their team', () => {
    const items = [wanted('people/ada@x.example'), wanted('people/bob@x.example')];
    expect(plan(files([...items, desired, team]), all, empty).notes).toEqual([]);
    const lock = lockOf({
      'teams/writers': { id: 't1', applied: {} },
      'memberships/writers/ada@x.example': { id: 'u-ada', applied: {} },
    });
    const gone = plan(files(items, { exact: ['teams'] }), all, lock, prune);
    expect([lines(gone)[0], gone.notes]).toEqual(['delete teams/writers DELETE /teams/t1', []]);
  });

  it('go with their team and their person', () => {
    const without = files([wanted('people/bob@x.example')], { exact: ['people', 'teams', 'memberships'] });
    expect(lines(plan(without, all, empty, prune))).toEqual([
      'delete teams/Writers DELETE /teams/t1',
      'delete teams/Editors DELETE /teams/t2',
      'delete people/ada@x.example DELETE /members/u-ada',
    ]);
  });
});

describe('an item of the files', () => {
  it('that is external is never written, and told where it is not there', () => {
    const external = (title: string) => files([wanted('teams/writers', { title }, { external: true })]);
    expect(
      plan(external('Other'), platform([writers]), lockOf({ 'teams/writers': { id: 't1', applied: {} } }))
        .drafts,
    ).toEqual([]);
    expect(lines(plan(external('Gone'), live))).toEqual(['finding teams/writers external']);
  });

  it('that is gone from the platform is created again as drift', () => {
    const lock = lockOf({ 'teams/writers': { id: 'gone', applied: {} } });
    expect(lines(plan(files([desired]), platform([editors]), lock))).toEqual([
      'drift teams/writers PUT /teams {"title":"Writers"}',
    ]);
  });

  it('that is gone duplicates nothing where a stale lock does not know its new id', () => {
    const lock = lockOf({ 'teams/writers': { id: 'gone', applied: {} } });
    const planned = plan(files([desired]), live, lock);
    expect(planned.drafts).toEqual([]);
    expect(planned.settled).toMatchObject([{ item: 'teams/writers', to: { id: 't1' } }]);
  });

  it('that left the files is forgotten by the lock once it is gone, unless not all was read', () => {
    const lock = lockOf({ 'teams/gone': { id: 'gone', applied: {} } });
    const settled = (missed: Missed[]) => plan(files([]), { ...live, missed }, lock).settled;
    expect(settled([])).toEqual([{ item: 'teams/gone', to: null }]);
    expect(settled([{ kind: 'teams', message: 'The token may not read all teams.' }])).toEqual([]);
  });

  it('whose kind could not be read is told once', () => {
    expect(lines(plan(files([desired, wanted('teams/b', { title: 'B' })]), platform([ada()])))).toEqual([
      'finding teams/writers unread',
    ]);
  });
});

function ada() {
  return person('ada@x.example', 'edit');
}

describe('what no operation does', () => {
  it('to a type is a finding with the values that would be lost', () => {
    const field = there('fields', 'owner', { type: 'text', title: 'Owner' }, { natural: 'owner' });
    const space = (id: string) => there('spaces', id, { title: id, fields: { owner: 'Ada' } }, { title: id });
    const planned = plan(
      files([wanted('fields/owner', { type: 'number', title: 'Owner' })]),
      platform([field, space('s1'), space('s2')]),
    );
    expect(lines(planned)).toEqual(['finding fields/owner change']);
    expect(planned.drafts[0]?.finding?.message).toBe(
      'The API cannot change the type of a custom field. A new one would lose the values of 2 spaces.',
    );
  });

  it('to SSO is a finding, but linking is a request', () => {
    const linked = person('a@x.example', 'edit', { sso: true });
    const sso = (value: boolean, member: typeof linked) =>
      lines(plan(files([wanted('people/a@x.example', { sso: value })]), platform([member])));
    expect(sso(false, linked)).toEqual(['finding people/a@x.example change']);
    expect(sso(true, person('a@x.example', 'edit'))).toEqual([
      'link people/a@x.example POST /members/u-a/sso',
    ]);
  });
});
