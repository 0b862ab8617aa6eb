import { describe, expect, it } from 'vitest';
import { defined } from '../../../src/base/values.js';
import type { Desired, Guards, Live } from '../../../src/organization/model.js';
import type { PlanOptions } from '../../../src/organization/planner/world.js';
import { entryOfGuards, valueHash } from '../../../src/organization/value.js';
import { brokenGuards, guardCode, refusedText, refuseGuarded } from '../../../src/plans/check.js';
import type { Lock } from '../../../src/plans/lock.js';
import type { PlanOperation } from '../../../src/plans/plan.js';
import { operation } from '../../plans/show/sample-plan.js';
import { files, lines, lockOf, person, plan, platform, there, wanted } from './build.js';

const self = { id: 'u-me', email: 'me@x.example' };
const me = person('me@x.example', 'admin');

/** The broken guards: the plan shows them as findings and risks, and applying it is refused. */
function reasons(desired: Desired, live: Live, options: Partial<PlanOptions> = {}, lock?: Lock): string[] {
  const planned = plan(desired, live, lock, { self, ...options });
  const found = planned.drafts.flatMap(({ finding }) => (finding?.code === guardCode ? finding.message : []));
  if (found.length > 0) expect(planned.risks).toEqual(found);
  return found;
}

describe('a plan that would break a guard', () => {
  const live = platform([me, person('a@x.example', 'admin')]);
  const desired = files([wanted('people/a@x.example', { role: 'read' })], { guards: { minAdmins: 1 } });

  it('shows all that it would do, and does not make looser guards count', () => {
    const planned = plan(desired, live, undefined, { self });
    expect(lines(planned)).toEqual([
      'update people/a@x.example PATCH /members/u-a {"role":"read"}',
      'finding organization/guards guarded',
    ]);
    expect(planned.settled).toEqual([]);
  });

  it('is told as refused, with the reason or the number of reasons', () => {
    const finding = { code: guardCode, message: 'One admin would be left.' };
    const of = (...findings: PlanOperation['finding'][]) =>
      refusedText({
        operations: findings.map((one) => ({ ...operation({}), ...defined({ finding: one }) })),
      });
    expect(of(undefined)).toBeUndefined();
    expect(of(finding)).toBe('"docs apply" refuses this plan: One admin would be left.');
    expect(of(finding, finding)).toBe(
      '"docs apply" refuses this plan: 2 guards would be broken (see Findings).',
    );
  });

  it('is refused with all reasons at once', () => {
    const operations = plan(
      files([...['me', 'a'].map((name) => wanted(`people/${name}@x.example`, { role: 'read' }))]),
      live,
      undefined,
      { self },
    ).drafts.map(
      (draft): PlanOperation => ({
        id: 'o1',
        kind: '',
        key: '',
        action: 'update',
        fields: {},
        undo: 'exact',
        ...defined({ finding: draft.finding }),
      }),
    );
    const refused = expect.objectContaining({ kind: 'usage', code: 'guarded' });
    expect(brokenGuards({ operations })).toEqual([
      'No admin would be left without me@x.example, a@x.example, and min_admins is 2.',
      'me@x.example is you, and would no longer be an admin (require_self).',
    ]);
    expect(() => refuseGuarded({ operations })).toThrow(refused);
    expect(() => refuseGuarded({ operations: [] })).not.toThrow();
  });
});

describe('admins', () => {
  const three = platform([me, person('a@x.example', 'admin'), person('b@x.example', 'admin')]);
  const demoted = (...names: string[]) =>
    names.map((name) => wanted(`people/${name}@x.example`, { role: 'read' }));

  it('stay at least two', () => {
    expect(reasons(files(demoted('a')), three)).toEqual([]);
    expect(reasons(files(demoted('a', 'b')), three)).toEqual([
      '1 admin would be left without a@x.example, b@x.example, and min_admins is 2.',
    ]);
  });

  it('that are disabled do not count', () => {
    const live = platform([
      me,
      person('a@x.example', 'admin'),
      person('b@x.example', 'admin', { disabled: true }),
    ]);
    expect(reasons(files(demoted('a')), live)).toHaveLength(1);
  });

  it('may be exchanged: the new one first', () => {
    const live = platform([me, person('a@x.example', 'admin'), person('b@x.example', 'edit')]);
    const desired = files([...demoted('a'), wanted('people/b@x.example', { role: 'admin' })]);
    const planned = plan(desired, live, undefined, { self });
    expect(lines(planned)).toEqual([
      'update people/b@x.example PATCH /members/u-b {"role":"admin"}',
      'update people/a@x.example PATCH /members/u-a {"role":"read"}',
    ]);
    expect(planned.drafts[1]?.change?.after).toEqual([0]);
  });

  it('include whoever applies, and nobody is demoted by somebody unknown', () => {
    expect(reasons(files(demoted('me')), three)).toEqual([
      'me@x.example is you, and would no longer be an admin (require_self).',
    ]);
    const { risks } = plan(files(demoted('a')), three);
    expect(risks).toEqual([
      'It is unknown who you are, so a@x.example cannot lose the role admin (require_self).',
    ]);
  });

  it('include those that the files require, in any case', () => {
    const guards: Guards = { requiredAdmins: ['A@x.example', 'new@x.example'] };
    expect(reasons(files(demoted('a'), { guards }), three)).toEqual([
      'a@x.example must stay an admin (required_admins).',
    ]);
    expect(plan(files([], { guards }), three).risks).toEqual([
      'new@x.example is in required_admins and is not an admin.',
    ]);
  });

  it('are guarded by all guards at once', () => {
    const guards: Guards = { requiredAdmins: ['a@x.example'] };
    expect(reasons(files(demoted('me', 'a', 'b'), { guards }), three)).toHaveLength(3);
  });
});

describe('a guard that the files loosen', () => {
  const two = platform([me, person('a@x.example', 'admin')]);
  const guards: Guards = { minAdmins: 1 };
  const desired = files([wanted('people/a@x.example', { role: 'read' })], { guards });

  it('holds as before in the plan that loosens it', () => {
    expect(reasons(desired, two)).toHaveLength(1);
  });

  it('is noted in the lock by a plan that breaks nothing, and then counts', () => {
    const { settled } = plan(files([], { guards }), two);
    const entry = { id: 'o1', applied: { guards: valueHash(guards) } };
    expect(settled).toEqual([{ item: 'organization/guards', to: entry }]);
    expect(reasons(desired, two, {}, lockOf({ 'organization/guards': entry }))).toEqual([]);
    expect(entryOfGuards(guards, 'o1')).toEqual({ item: 'organization/guards', to: entry });
  });
});

describe('removals', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, at) => there('teams', `t${at}`, { title: `Team ${at}` }));
  const keep = (count: number) =>
    Array.from({ length: count }, (_, at) => wanted(`teams/team-${at}`, { title: `Team ${at}` }));

  it('of more than a quarter of ten or more are refused', () => {
    const prune = (all: number, kept: number, guards: Guards = {}) =>
      reasons(
        files(keep(kept), { exact: ['teams'], guards }),
        platform(many(all)),
        { prune: true },
        lockOf({}),
      );
    expect(prune(12, 9)).toEqual([]);
    expect(prune(12, 8)).toEqual(['4 of 12 teams would be removed, and max_removals is 25%.']);
    expect(prune(9, 0)).toEqual([]);
    expect(prune(12, 10, { maxRemovals: { count: 1 } })).toEqual([
      '2 of 12 teams would be removed, and max_removals is 1.',
    ]);
    expect(prune(12, 8, { maxRemovals: { share: 1 } })).toHaveLength(1);
  });
});

describe('owners', () => {
  const team = there('teams', 't1', { title: 'Writers' });
  const owner = person('a@x.example', 'edit');
  const other = person('b@x.example', 'edit');
  const membership = (id: string, role: string) =>
    there('memberships', id, { role }, { parent: team, natural: id });
  const live = platform([me, owner, other, team, membership('u-a', 'owner'), membership('u-b', 'member')]);
  const base = [
    wanted('people/a@x.example'),
    wanted('people/b@x.example'),
    wanted('teams/writers', { title: 'Writers' }),
  ];
  const member = (name: string, role: string) =>
    wanted(`memberships/writers/${name}@x.example`, { role }, { parent: 'teams/writers' });

  it('are never all lost', () => {
    expect(reasons(files([...base, member('a', 'member')]), live)).toEqual([
      'The team writers would lose its last owner, a@x.example.',
    ]);
    const removed = files([wanted('people/me@x.example'), wanted('people/b@x.example')], {
      exact: ['people'],
    });
    expect(reasons(removed, live, { prune: true })).toEqual([
      'The team Writers would lose its last owner, a@x.example.',
    ]);
  });

  it('may be exchanged: the new one first', () => {
    const planned = plan(files([...base, member('a', 'member'), member('b', 'owner')]), live);
    expect(planned.drafts.map(({ key }) => key)).toEqual(['b@x.example', 'a@x.example']);
    expect(planned.drafts[1]?.change?.after).toEqual([0]);
  });
});

describe('SSO', () => {
  const org = there('organization', 'o1', { sso: false }, { natural: 'organization' });
  const desired = (...items: Parameters<typeof files>[0]) =>
    files([wanted('organization/organization', { sso: true }), ...items]);

  it('is enforced only where an admin signs in by it', () => {
    expect(reasons(desired(), platform([me, org]))).toHaveLength(1);
    expect(reasons(desired(), platform([person('me@x.example', 'admin', { sso: true }), org]))).toEqual([]);
  });

  it('is enforced once the admin is linked', () => {
    const planned = plan(
      desired(wanted('people/me@x.example', { sso: true })),
      platform([me, org]),
      undefined,
      { self },
    );
    expect(lines(planned)).toEqual([
      'link people/me@x.example POST /members/u-me/sso',
      'update organization/organization PATCH  {"sso":true}',
    ]);
    expect(planned.drafts[1]?.change?.after).toEqual([0]);
  });
});
