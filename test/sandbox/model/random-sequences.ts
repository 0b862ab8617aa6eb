import fc from 'fast-check';
import { expect } from 'vitest';
import { listChangeRequests } from '../../../src/api/resources/change-requests.js';
import { listCollections } from '../../../src/api/resources/collections.js';
import { listComments } from '../../../src/api/resources/comments.js';
import { listMemberSpaces, listMembers, listTeamMembers } from '../../../src/api/resources/members.js';
import { listTeams } from '../../../src/api/resources/teams.js';
import type { Client } from '../client.js';
import { openPlatform } from '../in-process.js';
import { expectAgreement } from './agreement.js';
import type { Model } from './model.js';
import { anyStep, runStep } from './steps.js';

/** Random sequences of operations against the sandbox and a small model; after each step they agree. */

/** The state of a fresh sandbox, as it answers. */
async function readModel(client: Client, org: string, admin: string): Promise<Model> {
  const path = { organizationId: org };
  const model: Model = { members: [], teams: new Map(), collections: new Map(), spaces: new Map() };
  model.members = (await client.all(listMembers, { path })).map(({ id }) => id);
  for (const { id, title } of await client.all(listTeams, { path })) {
    const items = await client.all(listTeamMembers, { path: { ...path, teamId: id } });
    model.teams.set(id, {
      title,
      members: new Map(items.map((item) => [item.organization.id, item.team.role])),
    });
  }
  for (const { id, parent } of await client.all(listCollections, { path })) model.collections.set(id, parent);
  for (const { space } of await client.all(listMemberSpaces, { path: { ...path, userId: admin } })) {
    const inSpace = { spaceId: space.id };
    const changeRequests = new Map<string, string>();
    for (const status of ['draft', 'open', 'archived', 'merged']) {
      const listed = await client.all(listChangeRequests, { path: inSpace, query: { status } });
      for (const { id } of listed) changeRequests.set(id, status);
    }
    const comments = await client.all(listComments, { path: inSpace });
    model.spaces.set(space.id, {
      title: space.title,
      parent: space.parent,
      deleted: false,
      changeRequests,
      comments: new Map(
        comments.map(({ id, status, replies }) => [id, { resolved: status === 'resolved', replies }]),
      ),
    });
  }
  return model;
}

export async function holdSequences(runs: number, seed: number): Promise<void> {
  let sequence = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep(), { minLength: 1, maxLength: 12 }), async (steps) => {
      sequence += 1;
      const sandbox = await openPlatform();
      const { admin: client, organizationId: org } = sandbox;
      const world = { client, org, model: await readModel(client, org, sandbox.user('admin')) };
      await expectAgreement(world);
      for (const step of steps) {
        await runStep(world, step);
        await expectAgreement(world);
      }
    }),
    { numRuns: runs, seed },
  );
  expect(sequence).toBeGreaterThanOrEqual(runs);
}
