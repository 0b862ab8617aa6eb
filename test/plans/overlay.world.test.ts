import { beforeEach, describe, expect, it } from 'vitest';
import { callOne } from '../../src/api/client.js';
import {
  createCustomField,
  deleteCustomField,
  updateCustomField,
} from '../../src/api/resources/custom-fields.js';
import {
  deleteTeamMember,
  listTeamMembers,
  setTeamMember,
  updateMember,
  updateTeamMembers,
} from '../../src/api/resources/members.js';
import {
  addSectionToGroup,
  createSection,
  createSectionGroup,
  deleteSection,
  listSections,
  moveSection,
  moveSectionGroup,
  removeSectionFromGroup,
  updateSection,
} from '../../src/api/resources/sections.js';
import {
  createSiteSpace,
  deleteSiteSpace,
  listSiteSpaces,
  moveSiteSpace,
} from '../../src/api/resources/site-spaces.js';
import { createSite } from '../../src/api/resources/sites.js';
import { createTeam, deleteTeam, getTeam, updateTeam } from '../../src/api/resources/teams.js';
import type { Change } from '../../src/jobs/change.js';
import type { Draft } from '../../src/plans/plan.js';
import { all, idsOf, openJobWorld } from '../jobs/job-world.js';
import { seedId } from '../sandbox/client.js';
import { eachTest } from '../sandbox/each-test.js';
import { applied, failures, inOrg, member, planOf, request, team, user } from './plan-world.js';
import { neverStale, staleByOthers } from './random-drafts.js';

/** What operations of one plan expect of each other, and of everybody else. */

const world = eachTest(openJobWorld);

describe('operations of one plan', () => {
  it.each([1])('never become stale by each other (seed %i)', (seed) => neverStale(world, seed));

  it.each([11])('become stale by everybody else, and nothing else does (seed %i)', (seed) =>
    staleByOthers(world, seed),
  );

  it('that build on each other are held back together, and others go on', async () => {
    const drafts: Draft[] = [
      { change: request(updateMember, member('bruno'), { role: 'read' }) },
      { change: request(updateMember, member('bruno'), { role: 'edit' }) },
      { change: request(updateMember, member('deniz'), { role: 'read' }) },
      { change: { ...request(createTeam, inOrg, { title: 'Editors' }), after: [0] } },
    ];
    const plan = await planOf(world, drafts);
    expect(plan.operations[1]).toMatchObject({ after: ['o1'], reads: { state: { role: 'read' } } });
    await world.client.call(updateMember, { path: member('bruno'), body: { role: 'comment' } });
    const { told, results } = await applied(world, plan);
    expect(told).toEqual(['stale', 'held_back', 'ok', 'held_back']);
    expect(results[0]?.failure?.toJSON()).toMatchObject({
      exitCode: 7,
      outcome: 'not-sent',
      details: {
        object: user('bruno'),
        operation: 'o1',
        changed: [{ field: 'role', was: 'create', is: 'comment' }],
      },
    });
  });

  it('on one membership build on each other, whichever request changes it', async () => {
    const place = { ...team('writers'), userId: user('emil') };
    const drafts: Draft[] = [
      { change: request(updateTeamMembers, team('writers'), { add: [user('emil')] }) },
      { change: request(setTeamMember, place, { role: 'owner' }) },
      { change: request(updateTeamMembers, team('writers'), { remove: [user('emil')] }) },
      { change: request(setTeamMember, place, { role: 'member' }) },
    ];
    const plan = await planOf(world, drafts);
    expect(plan.operations.map(({ reads }) => reads?.state)).toEqual([
      { [user('emil')]: null },
      { role: 'member' },
      { [user('emil')]: 'owner' },
      null,
    ]);
    expect(failures(await applied(world, plan))).toEqual([]);
  });

  it('take no title for an id to come', async () => {
    const titles = ['{o1.id}', '{o2.id}', 'Writers'];
    const plan = await planOf(
      world,
      titles.map((title) => ({ change: request(updateTeam, team('writers'), { title }) })),
    );
    expect(plan.operations.map(({ reads }) => reads?.state)).toMatchObject([
      {},
      { title: '{o1.id}' },
      { title: '{o2.id}' },
    ]);
    expect(failures(await applied(world, plan))).toEqual([]);
  });

  it('name what earlier ones make, also what came with it', async () => {
    const drafts: Draft[] = [
      { change: request(createTeam, inOrg, { title: 'Editors' }) },
      {
        change: request(
          setTeamMember,
          { ...inOrg, teamId: { $from: 'o1', path: 'id' }, userId: user('bruno') },
          { role: 'owner' },
        ),
      },
      {
        change: request(updateTeam, { ...inOrg, teamId: { $from: 'o1', path: 'id' } }, { title: 'Authors' }),
      },
    ];
    const plan = await planOf(world, drafts);
    expect(plan.operations[1]).toMatchObject({
      after: ['o1'],
      request: {
        path: `/v1/orgs/${inOrg.organizationId}/teams/{o1.id}/members/${user('bruno')}`,
        parameters: { teamId: { $from: 'o1', path: 'id' } },
      },
    });
    expect(plan.operations[1]?.reads).toBeUndefined();
    const done = await applied(world, plan);
    expect(failures(done)).toEqual([]);
    const { id } = (done.results[0] as { answer: { id: string } }).answer;
    const own = { ...inOrg, teamId: id };
    expect(await world.client.call(getTeam, { path: own })).toMatchObject({ title: 'Authors' });
    const members = await all(world.client.call(listTeamMembers, { path: own }));
    expect(members).toMatchObject([{ team: { role: 'owner' } }]);
  });

  it('delete what earlier ones emptied', async () => {
    const drafts: Draft[] = [
      { change: request(deleteTeamMember, { ...team('writers'), userId: user('chiara') }) },
      { change: request(updateTeam, team('writers'), { title: 'Nobody' }) },
      { change: request(deleteTeam, team('writers')) },
    ];
    const plan = await planOf(world, drafts);
    expect(plan.operations[2]?.reads?.state).toEqual({ title: 'Nobody' });
    expect(failures(await applied(world, plan))).toEqual([]);
  });

  it('create anew what earlier ones deleted, and rest on its being gone', async () => {
    const field = { name: 'tier', title: 'Tier', type: 'text' } as const;
    await world.client.call(createCustomField, { path: inOrg, body: field });
    const tier = { ...inOrg, fieldName: 'tier' };
    const plan = await planOf(world, [
      { change: request(deleteCustomField, tier) },
      { change: request(createCustomField, inOrg, { ...field, type: 'number' }) },
      { change: request(updateCustomField, tier, { title: 'Level' }) },
    ]);
    expect(plan.operations.map(({ after, reads }) => [after, reads?.state])).toEqual([
      [undefined, expect.objectContaining({ type: 'text' })],
      [['o1'], null],
      [['o2'], undefined],
    ]);
    expect(failures(await applied(world, plan))).toEqual([]);
  });

  it('do not rest on a name that another one takes before, or has already', async () => {
    const titled = (title: string) => ({ change: request(createTeam, inOrg, { title }) });
    const plan = await planOf(world, [titled('Editors'), titled('Editors'), titled('Writers')]);
    expect(plan.operations.map(({ reads }) => reads?.state)).toEqual([null, undefined, undefined]);
    expect(failures(await applied(world, plan))).toEqual([]);
  });

  it('are not made twice where somebody was faster', async () => {
    const plan = await planOf(world, [{ change: request(createTeam, inOrg, { title: 'Editors' }) }]);
    await world.client.call(createTeam, { path: inOrg, body: { title: 'Editors' } });
    const { told, results } = await applied(world, plan);
    expect(told).toEqual(['stale']);
    expect(results[0]?.failure?.message).toContain('it exists now');
  });
});

describe('a move', () => {
  let site: { organizationId: string; siteId: string };
  let order: string[];
  beforeEach(async () => {
    const spaces = ['welcome', 'guide', 'api', 'handbook'].map((name) => seedId(`space ${name}`));
    const { id: siteId } = await world.client.call(createSite, { path: inOrg, body: { spaces } });
    site = { ...inOrg, siteId };
    order = await idsOf(world, listSiteSpaces, site);
  });

  const move = (id: number, side: 'before' | 'after', anchor: number): Draft => ({
    change: request(
      moveSiteSpace,
      { ...site, siteSpaceId: order[id] },
      { position: { [side]: { type: 'site-space', siteSpace: order[anchor] } } },
    ),
  });
  /** Somebody else moves something. */
  const shift = (id: number, side: 'before' | 'after', anchor: number) => {
    const { op, input } = move(id, side, anchor).change as Change;
    return callOne(world.client, { op, input });
  };

  it('goes on where somebody adds a sibling, also right beside it', async () => {
    const plan = await planOf(world, [move(3, 'before', 0)]);
    const spaceId = seedId('space board');
    const { id } = await world.client.call(createSiteSpace, { path: site, body: { spaceId } });
    const position = { before: { type: 'site-space', siteSpace: String(order[3]) } } as const;
    await world.client.call(moveSiteSpace, { path: { ...site, siteSpaceId: id }, body: { position } });
    expect(failures(await applied(world, plan))).toEqual([]);
  });

  it('goes on after the own moves of the plan, whatever they pass', async () => {
    const plan = await planOf(world, [move(3, 'before', 0), move(1, 'after', 2), move(0, 'after', 1)]);
    expect(plan.operations[2]?.after).toEqual(['o2']);
    expect(failures(await applied(world, plan))).toEqual([]);
    const [a, b, c, d] = order;
    expect(await idsOf(world, listSiteSpaces, site)).toEqual([d, c, b, a]);
  });

  it('of what the plan has moved before rests on its new neighbours alone', async () => {
    const plan = await planOf(world, [move(1, 'before', 0), move(1, 'after', 0)]);
    expect(failures(await applied(world, plan))).toEqual([]);
    const late = await planOf(world, [move(1, 'before', 0), move(1, 'after', 2)]);
    await shift(2, 'after', 3);
    expect((await applied(world, late)).told).toEqual(['ok', 'stale']);
  });

  it.each([
    ['it', [3, 'after', 0]],
    ['what it goes beside', [0, 'after', 2]],
  ] as const)('is stale where somebody else moved %s', async (_, [id, side, anchor]) => {
    const plan = await planOf(world, [move(3, 'before', 0)]);
    await shift(id, side, anchor);
    const { told, results } = await applied(world, plan);
    expect(told).toEqual(['stale']);
    expect(results[0]?.failure?.message).toContain('order was');
  });

  it('goes on where somebody removed a neighbour', async () => {
    const plan = await planOf(world, [move(3, 'before', 1)]);
    await world.client.call(deleteSiteSpace, { path: { ...site, siteSpaceId: order[2] as string } });
    expect(failures(await applied(world, plan))).toEqual([]);
  });
});

describe('sections of one site', () => {
  let site: { organizationId: string; siteId: string };
  let sections: string[];
  beforeEach(async () => {
    const spaces = ['welcome'].map((name) => seedId(`space ${name}`));
    const { id: siteId } = await world.client.call(createSite, { path: inOrg, body: { spaces } });
    site = { ...inOrg, siteId };
    for (const name of ['guide', 'api', 'handbook']) {
      const body = { spaceId: seedId(`space ${name}`), title: name };
      await world.client.call(createSection, { path: site, body });
    }
    sections = await idsOf(world, listSections, site);
  });

  it('enter one group in one plan: neither makes the other stale', async () => {
    const [first = '', ...others] = sections;
    const body = { title: 'Developers', sections: [first] };
    const { id: siteSectionGroupId } = await world.client.call(createSectionGroup, { path: site, body });
    const into = { ...site, siteSectionGroupId };
    const plan = await planOf(
      world,
      others.map((sectionId) => ({ change: request(addSectionToGroup, into, { sectionId }) })),
    );
    expect(plan.operations.map(({ reads }) => reads?.state)).toEqual(others.map(() => ({ group: null })));
    expect(failures(await applied(world, plan))).toEqual([]);
    const found = await all(world.client.call(listSections, { path: site }));
    expect(found.map(({ sectionGroup }) => sectionGroup)).toEqual(sections.map(() => siteSectionGroupId));
  });

  describe('that leave a group', () => {
    const grouped = async (title: string, inside: string[]) =>
      (await world.client.call(createSectionGroup, { path: site, body: { title, sections: inside } })).id;
    const leave = (siteSectionGroupId: string, siteSectionId = ''): Draft => ({
      change: request(removeSectionFromGroup, { ...site, siteSectionGroupId, siteSectionId }),
    });
    const moveGroup = (siteSectionGroupId: string, position: object, more = {}): Draft => ({
      change: { ...request(moveSectionGroup, { ...site, siteSectionGroupId }, { position }), ...more },
    });
    const moveAfter = (siteSectionId = '', siteSection = ''): Draft => ({
      change: request(
        moveSection,
        { ...site, siteSectionId },
        { position: { after: { type: 'site-section', siteSection } } },
      ),
    });

    it.each(['leaves', 'is deleted'])('move after their last one %s', async (how) => {
      const [a = '', b = '', c = ''] = sections;
      const [emptied, other] = [await grouped('Emptied', [a]), await grouped('Other', [b])];
      const deletion: Draft = { change: request(deleteSection, { ...site, siteSectionId: a }) };
      const plan = await planOf(world, [
        how === 'leaves' ? leave(emptied, a) : deletion,
        moveGroup(emptied, { after: { type: 'site-section', id: c } }, { after: [0] }),
        moveGroup(other, { after: { type: 'site-section-group', id: emptied } }),
      ]);
      expect(failures(await applied(world, plan))).toEqual([]);
    });

    it('move beside each other', async () => {
      const [a = '', b = '', c = ''] = sections;
      const group = await grouped('Developers', [a, b, c]);
      const plan = await planOf(world, [leave(group, c), leave(group, b), moveAfter(b, c)]);
      expect(failures(await applied(world, plan))).toEqual([]);
    });

    it('leave a group whose place the plan rests on as long as it has others', async () => {
      const [a = '', b = '', c = '', d = ''] = sections;
      const [group, other] = [await grouped('Developers', [a, b]), await grouped('Other', [c])];
      const plan = await planOf(world, [
        leave(group, a),
        moveGroup(group, { after: { type: 'site-section', id: d } }),
      ]);
      const position = { before: { type: 'site-section-group', id: group } } as const;
      await world.client.call(moveSectionGroup, {
        path: { ...site, siteSectionGroupId: other },
        body: { position },
      });
      expect((await applied(world, plan)).told).toEqual(['ok', 'stale']);
    });
  });

  it('get another default after the space that was the default is removed', async () => {
    const [siteSectionId = ''] = sections.slice(-1);
    const next = (await idsOf(world, listSiteSpaces, site)).at(-1);
    const body = { spaceId: seedId('space board'), sectionId: siteSectionId };
    const { id: last } = await world.client.call(createSiteSpace, { path: site, body });
    const inSection = { ...site, siteSectionId };
    await world.client.call(updateSection, { path: inSection, body: { defaultSiteSpace: last } });
    const plan = await planOf(world, [
      { change: request(deleteSiteSpace, { ...site, siteSpaceId: last }) },
      { change: request(updateSection, inSection, { defaultSiteSpace: next }) },
    ]);
    // What the platform puts in place of the default in between is not foreseen.
    expect(plan.operations[1]).toMatchObject({ after: ['o1'], reads: { state: {} } });
    expect(failures(await applied(world, plan))).toEqual([]);
  });
});
