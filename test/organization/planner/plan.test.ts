import { describe, expect, it } from 'vitest';
import { valueHash } from '../../../src/organization/value.js';
import { files, lines, lockOf, person, plan, platform, there, wanted } from './build.js';

describe('an item', () => {
  it('that is not on the platform is created, with what it needs and in one request', () => {
    const desired = files([wanted('teams/writers', { title: 'Writers' })]);
    const planned = plan(desired, platform([], ['teams']));
    expect(lines(planned)).toEqual(['create teams/writers PUT /teams {"title":"Writers"}']);
    expect(planned.drafts[0]).toMatchObject({
      fields: { title: { after: 'Writers' } },
      change: {
        lock: {
          item: 'teams/writers',
          to: { id: { $from: 'o1', path: 'id' }, applied: { title: valueHash('Writers') } },
        },
      },
    });
  });

  it('sets in an update of its own what its creation does not take', () => {
    const desired = files([wanted('collections/api', { title: 'API', description: 'All of it' })]);
    const planned = plan(desired, platform([], ['collections']));
    expect(lines(planned)).toEqual([
      'create collections/api POST /collections {"title":"API"}',
      'update collections/api PATCH /v1/collections/<{"$from":"o1","path":"id"}> {"description":"All of it"}',
    ]);
    expect(planned.drafts[1]?.change?.after).toEqual([0]);
    expect(planned.drafts[1]?.change?.lock?.to?.applied).toMatchObject({ title: valueHash('API') });
  });

  it('is renamed by its title, and needs no request for another key', () => {
    const live = platform([there('teams', 't1', { title: 'Writers' })]);
    const lock = lockOf({ 'teams/writers': { id: 't1', applied: { title: valueHash('Writers') } } });
    const retitled = plan(files([wanted('teams/writers', { title: 'Authors' })]), live, lock);
    expect(lines(retitled)).toEqual(['update teams/writers PATCH /teams/t1 {"title":"Authors"}']);
    const renamed = plan(
      files([wanted('teams/authors', { title: 'Writers' }, { was: 'writers' })]),
      live,
      lock,
    );
    expect(renamed.drafts).toEqual([]);
    expect(renamed.settled).toEqual([
      { item: 'teams/authors', to: { id: 't1', applied: { title: valueHash('Writers') } } },
      { item: 'teams/writers', to: null },
    ]);
  });

  it('whose title was swapped with that of another is updated, as the other is', () => {
    const live = platform([there('teams', 't1', { title: 'A' }), there('teams', 't2', { title: 'B' })]);
    const lock = lockOf({ 'teams/a': { id: 't1', applied: {} }, 'teams/b': { id: 't2', applied: {} } });
    const desired = files([wanted('teams/a', { title: 'B' }), wanted('teams/b', { title: 'A' })]);
    expect(lines(plan(desired, live, lock))).toEqual([
      'update teams/a PATCH /teams/t1 {"title":"B"}',
      'update teams/b PATCH /teams/t2 {"title":"A"}',
    ]);
  });
});

describe('a member', () => {
  it('cannot be created: the finding says whom to invite, and what waits for it', () => {
    const desired = files([
      wanted('people/ada@acme.example', { role: 'edit' }),
      wanted('teams/writers', { title: 'Writers' }),
      wanted('memberships/writers/ada@acme.example', { role: 'member' }, { parent: 'teams/writers' }),
    ]);
    const planned = plan(
      desired,
      platform([there('teams', 't1', { title: 'Writers' })], ['people', 'memberships']),
    );
    expect(lines(planned)).toEqual([
      'finding people/ada@acme.example create',
      'finding memberships/ada@acme.example waits',
    ]);
    expect(planned.drafts[0]?.finding).toMatchObject({
      message: 'The API cannot create a member.',
      hint: 'Invite ada@acme.example, who then joins.',
    });
  });

  it('is found by its email in any case and Unicode form', () => {
    const live = platform([person('José@Acme.example', 'edit')]);
    const desired = files([wanted('people/jose\u0301@acme.example', { role: 'read' })]);
    expect(lines(plan(desired, live))).toEqual([
      'update people/jose\u0301@acme.example PATCH /members/u-josé {"role":"read"}',
    ]);
  });

  it('becomes a guest with null, and is told who loses a role', () => {
    const live = platform([person('a@x.example', 'edit'), person('b@x.example', 'read')]);
    const desired = files([
      wanted('people/a@x.example', { role: 'guest' }),
      wanted('people/b@x.example', { role: 'admin' }),
    ]);
    const planned = plan(desired, live);
    expect(lines(planned)).toEqual([
      'update people/a@x.example PATCH /members/u-a {"role":null}',
      'update people/b@x.example PATCH /members/u-b {"role":"admin"}',
    ]);
    expect(planned.drafts.map(({ risk }) => risk)).toEqual([
      'a@x.example would lose the role edit.',
      // What widens exposure follows from the request, where the plan is made.
      undefined,
    ]);
  });

  it('joins a team that the same plan creates', () => {
    const live = platform([person('a@x.example', 'edit')], ['teams', 'memberships']);
    const desired = files([
      wanted('people/a@x.example'),
      wanted('teams/writers', { title: 'Writers' }),
      wanted('memberships/writers/a@x.example', { role: 'owner' }, { parent: 'teams/writers' }),
    ]);
    const planned = plan(desired, live);
    expect(lines(planned)).toEqual([
      'create teams/writers PUT /teams {"title":"Writers"}',
      'create memberships/a@x.example PUT /teams/<{"$from":"o1","path":"id"}>/members/u-a {"role":"owner"}',
    ]);
    expect(planned.drafts[1]).toMatchObject({ change: { after: [0], lock: { to: { id: 'u-a' } } } });
  });
});
