import { describe, expect, it } from 'vitest';
import { mergeChangeRequest } from '../../src/api/resources/change-requests.js';
import {
  deleteMember,
  linkMemberSso,
  listTeamMembers,
  updateMember,
} from '../../src/api/resources/members.js';
import { updateOrg } from '../../src/api/resources/orgs.js';
import { deleteSpace } from '../../src/api/resources/spaces.js';
import { createTeam, deleteTeam, updateTeam } from '../../src/api/resources/teams.js';
import { type Reads, readsOf } from '../../src/jobs/reads.js';
import { appraise, planUndo, undoSteps } from '../../src/jobs/undo.js';
import { actionOf } from '../../src/plans/described.js';
import { hashOfPlan } from '../../src/plans/file.js';
import { makePlan } from '../../src/plans/make.js';
import { draftsOf } from '../../src/plans/operation.js';
import { all, openJobWorld, step } from '../jobs/job-world.js';
import { seedId } from '../sandbox/client.js';
import { eachTest } from '../sandbox/each-test.js';
import { applied, factsOf, inOrg, member, planOf, request, team, user } from './plan-world.js';

const world = eachTest(openJobWorld);

describe('an operation', () => {
  it('says what it sends, what it changes, what it rests on and whether it can be undone', async () => {
    const plan = await planOf(world, [{ change: request(updateMember, member('bruno'), { role: 'read' }) }]);
    expect(plan).toMatchObject({ plan: 1, profile: 'default', by: 'unknown', counts: { update: 1 } });
    const path = `/v1/orgs/${inOrg.organizationId}/members/${user('bruno')}`;
    expect(plan.operations).toEqual([
      {
        id: 'o1',
        kind: 'members',
        key: user('bruno'),
        action: 'update',
        fields: { role: { before: 'create', after: 'read' } },
        request: {
          operation: 'members.update',
          method: 'PATCH',
          path,
          parameters: member('bruno'),
          body: { role: 'read' },
        },
        undo: 'exact',
        reads: {
          paths: [path],
          fields: ['role'],
          hash: expect.stringMatching(/^[0-9a-f]{64}$/),
          state: { role: 'create' },
        },
      },
    ]);
  });

  it('a merge changes a status, and links nothing', () => {
    const merge = { op: mergeChangeRequest, input: {}, id: '5' } as const;
    const found = { before: { status: 'open' }, wanted: { status: 'merged' } };
    expect(actionOf(merge, found)).toBe('update');
  });

  it.each([
    ['create', createTeam, inOrg, { title: 'Editors' }, 'Editors', { title: { after: 'Editors' } }],
    ['delete', deleteTeam, 'team', undefined, undefined, { title: { before: 'Writers' } }],
    ['link', linkMemberSso, 'member', undefined, undefined, { sso: { before: false, after: true } }],
    [
      'update',
      updateTeam,
      'team',
      { title: 'Authors' },
      undefined,
      { title: { before: 'Writers', after: 'Authors' } },
    ],
  ] as const)('is named for what it does: %s', async (action, op, at, body, key, fields) => {
    const path = at === 'team' ? team('writers') : at === 'member' ? member('bruno') : inOrg;
    const plan = await planOf(world, [{ change: request(op, path, body) }]);
    const [operation] = plan.operations;
    expect(operation).toMatchObject({ action, kind: op.id.split('.')[0], fields });
    if (key !== undefined) expect(operation?.key).toBe(key);
  });

  it('keeps what its draft says, and adds what was there before', async () => {
    const fields = { email_domains: { after: ['acme.example'] }, title: { before: 'as told', after: 'New' } };
    const body = { emailDomains: ['acme.example'], title: 'New' };
    const draft = {
      kind: 'organization',
      key: 'organization',
      action: 'drift',
      fields,
      risk: 'Look twice.',
    } as const;
    const plan = await planOf(world, [{ ...draft, change: request(updateOrg, inOrg, body) }]);
    expect(plan.operations[0]).toMatchObject({ ...draft, fields: { title: fields.title } });
    expect(plan.operations[0]?.fields.email_domains).toHaveProperty('before');
    expect(plan.counts).toEqual({ drift: 1 });
  });

  it('foresees what undo can do, with what came before', async () => {
    const plan = await planOf(world, [
      { change: request(deleteMember, member('bruno')) },
      { change: request(updateMember, member('ada'), { role: 'read' }) },
    ]);
    expect(plan.operations[0]).toMatchObject({ undo: 'none', why: expect.stringContaining('invite') });
    expect(plan.operations[1]).toMatchObject({
      undo: 'exact',
      why: expect.stringContaining('administrator'),
    });
  });

  it('rests on no revision and on nothing else that changes by itself', async () => {
    const plan = await planOf(world, [{ change: request(deleteSpace, { spaceId: seedId('space guide') }) }]);
    expect(plan.operations[0]?.reads?.fields.toSorted()).toEqual([
      'defaultLevel',
      'editMode',
      'parent',
      'title',
      'visibility',
    ]);
  });

  it('is planned also where its state may not be read; it then rests on nothing', async () => {
    world.control.faults.add({ match: 'GET *', status: 403, times: 1 });
    const plan = await planOf(world, [
      { change: request(updateTeam, team('writers'), { title: 'Authors' }) },
    ]);
    expect(plan.operations[0]).toMatchObject({ action: 'update' });
    expect(plan.operations[0]?.reads).toBeUndefined();
  });
});

describe('a plan', () => {
  it('names what its operations make by their ids', async () => {
    const finding = { code: 'no_creation', message: 'The platform cannot create a member.' };
    const made = { $from: 'o1', path: 'id' };
    const plan = await planOf(world, [
      { change: request(createTeam, inOrg, { title: 'Editors' }) },
      {
        change: {
          ...request(updateTeam, { ...inOrg, teamId: made }, { title: 'Authors' }),
          lock: { item: 'teams/authors', to: { id: made, applied: {} } },
        },
      },
      { action: 'finding', kind: 'people', key: 'zoe', finding },
    ]);
    expect(plan.operations.map(({ id, action }) => [id, action])).toEqual([
      ['o1', 'create'],
      ['o2', 'update'],
      ['o3', 'finding'],
    ]);
    expect(plan.operations[1]).toMatchObject({
      after: ['o1'],
      lock: { to: { id: made } },
    });
    expect(plan.counts).toEqual({ create: 1, update: 1, finding: 1 });
  });

  it('has a hash of all that it says', async () => {
    const plan = await planOf(world, [{ change: request(createTeam, inOrg, { title: 'Editors' }) }]);
    expect(hashOfPlan(plan)).toBe(plan.hash);
    expect(hashOfPlan({ ...plan, line: ['docs', 'other'] })).not.toBe(plan.hash);
    expect(hashOfPlan({ ...plan, operations: [] })).not.toBe(plan.hash);
  });

  it('sends nothing but reads, at most eight at a time, and lists once', async () => {
    const reads = readsOf(world.client);
    let [now, most, lists] = [0, 0, 0];
    const counting = async <T>(read: () => Promise<T>) => {
      now += 1;
      most = Math.max(most, now);
      try {
        return await read();
      } finally {
        now -= 1;
      }
    };
    const drafts = Array.from({ length: 40 }, (_, at) => ({
      change: request(createTeam, inOrg, { title: `Team ${at}` }),
    }));
    const members = ['bruno', 'chiara', 'deniz', 'emil', 'farah', 'goran', 'ada'].flatMap((name) => [
      { change: request(updateMember, member(name), { role: 'read' }) },
      { change: request(updateMember, member(name), { role: 'edit' }) },
    ]);
    const own: Reads = {
      one: (op, input) => counting(() => reads.one(op, input)),
      all: (op, input) => {
        lists += 1;
        return counting(() => reads.all(op, input));
      },
    };
    await makePlan(own, factsOf(world), [...drafts, ...members]);
    expect({ most, lists }).toEqual({ most: 8, lists: 1 });
  });

  it('of an undo does what the undo does', async () => {
    const { job } = await world.run(deleteTeam, [{ path: team('writers') }]);
    const items = await appraise(world.client, planUndo(job, new Set(), world.io.now()));
    const drafts = draftsOf(undoSteps(job, items).steps);
    const plan = await makePlan(readsOf(world.client), { ...factsOf(world), undoes: job.header.job }, drafts);
    expect(plan.operations).toMatchObject([
      { action: 'create', job: { undoes: 0 } },
      { request: { path: expect.stringContaining('{o1.id}') }, after: ['o1'], job: { partOf: 'o1' } },
    ]);
    const { results } = await applied(world, plan);
    expect(results.map(({ status }) => status)).toEqual(['ok', 'ok']);
    expect(results.at(-1)).toMatchObject({ restored: 'part' });
    const teamId = (results[0]?.answer as { id: string } | undefined)?.id ?? '';
    const members = await all(world.client.call(listTeamMembers, { path: { ...inOrg, teamId } }));
    expect(members).toMatchObject([{ organization: { id: user('chiara') }, team: { role: 'owner' } }, {}]);
  });

  it('of a command is made from the steps of its job', async () => {
    const steps = [step(updateMember, { path: member('bruno'), body: { role: 'read' } }, 4)];
    const plan = await planOf(world, draftsOf(steps));
    expect(plan.operations).toMatchObject([{ key: user('bruno'), reads: { state: { role: 'create' } } }]);
    expect(plan.operations[0]?.job).toBeUndefined();
  });
});
