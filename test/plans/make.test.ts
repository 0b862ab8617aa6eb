import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCustomField, updateCustomField } from '../../src/api/resources/custom-fields.js';
import { deleteMember, getMember, linkMemberSso, updateMember } from '../../src/api/resources/members.js';
import { deleteTeamMember, setTeamMember, updateTeamMembers } from '../../src/api/resources/team-members.js';
import { createTeam, deleteTeam, getTeam, listTeams, updateTeam } from '../../src/api/resources/teams.js';
import { planUndo } from '../../src/jobs/undo.js';
import { undoSteps } from '../../src/jobs/undo-steps.js';
import { draftsOf } from '../../src/plans/make.js';
import { type JobWorld, openJobWorld, step } from '../jobs/job-world.js';
import { seedId } from '../sandbox/client.js';
import { applied, inOrg, planOf, request, user } from './plan-world.js';

let world: JobWorld;
beforeEach(async () => {
  world = await openJobWorld();
});
afterEach(() => world.close());

const member = (name: string) => ({ ...inOrg, userId: user(name) });
const team = (name: string) => ({ ...inOrg, teamId: seedId(`team ${name}`) });

describe('an operation', () => {
  it('says what it sends, what it changes, what it rests on and what undo can do', async () => {
    const plan = await planOf(world, [{ request: request(updateMember, member('bruno'), { role: 'read' }) }]);
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
});
