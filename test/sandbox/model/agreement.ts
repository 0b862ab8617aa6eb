import { expect } from 'vitest';
import { listChangeRequests } from '../../../src/api/resources/change-requests.js';
import { listCollectionSpaces, listCollections } from '../../../src/api/resources/collections.js';
import { listComments } from '../../../src/api/resources/comments.js';
import { listMembers, listTeamMembers } from '../../../src/api/resources/members.js';
import { getSpace } from '../../../src/api/resources/spaces.js';
import { listTeams } from '../../../src/api/resources/teams.js';
import { countStatus, type Model, type SpaceModel } from './model.js';
import type { World } from './steps.js';

/** Lists, counts and references of the sandbox are those of the model. */

const byKey = <T>(entries: Iterable<readonly [string, T]>) =>
  Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));

export async function expectAgreement(world: World): Promise<void> {
  await teamsAgree(world);
  await collectionsAgree(world);
  for (const [id, space] of world.model.spaces) await spaceAgrees(world, id, space);
}

async function teamsAgree({ client, org, model }: World): Promise<void> {
  const path = { organizationId: org };
  const teams = await client.all(listTeams, { path });
  expect(byKey(teams.map(({ id, members }) => [id, members]))).toEqual(
    byKey([...model.teams].map(([id, { members }]) => [id, members.size])),
  );
  for (const [teamId, { members }] of model.teams) {
    const items = await client.all(listTeamMembers, { path: { ...path, teamId } });
    expect(byKey(items.map((item) => [item.organization.id, item.team.role]))).toEqual(byKey(members));
  }
  const held = (userId: string) =>
    [...model.teams.values()].filter(({ members }) => members.has(userId)).length;
  const people = await client.all(listMembers, { path });
  expect(byKey(people.map(({ id, teams: count }) => [id, count]))).toEqual(
    byKey(model.members.map((id) => [id, held(id)])),
  );
}

async function collectionsAgree({ client, org, model }: World): Promise<void> {
  const collections = await client.all(listCollections, { path: { organizationId: org } });
  expect(byKey(collections.map(({ id, parent }) => [id, parent]))).toEqual(byKey(model.collections));
  for (const collectionId of model.collections.keys()) {
    const spaces = await client.all(listCollectionSpaces, { path: { collectionId } });
    expect(spaces.map(({ id }) => id).sort()).toEqual(spacesIn(model, collectionId));
  }
}

function spacesIn({ spaces }: Model, collectionId: string): string[] {
  const inside = [...spaces].filter(([, { parent, deleted }]) => parent === collectionId && !deleted);
  return inside.map(([id]) => id).sort();
}

async function spaceAgrees({ client }: World, spaceId: string, space: SpaceModel): Promise<void> {
  const path = { spaceId };
  if (space.deleted) {
    await client.refuses(404, getSpace, { path });
    return;
  }
  const { title, parent, changeRequests, changeRequestsOpen, changeRequestsDraft, comments } =
    await client.ok(getSpace, { path });
  expect({ title, parent, changeRequests, changeRequestsOpen, changeRequestsDraft, comments }).toEqual({
    title: space.title,
    parent: space.parent,
    changeRequests: space.changeRequests.size,
    changeRequestsOpen: countStatus(space, 'open'),
    changeRequestsDraft: countStatus(space, 'draft'),
    comments: [...space.comments.values()].filter(({ resolved }) => !resolved).length,
  });
  for (const status of new Set(space.changeRequests.values())) {
    const listed = await client.all(listChangeRequests, { path, query: { status } });
    expect(listed.length).toBe(countStatus(space, status));
  }
  const listed = await client.all(listComments, { path, query: { status: 'all' } });
  expect(byKey(listed.map(({ id, status, replies }) => [id, [status, replies]]))).toEqual(
    byKey(
      [...space.comments].map(([id, { resolved, replies }]) => [
        id,
        [resolved ? 'resolved' : 'open', replies],
      ]),
    ),
  );
}
