import fc from 'fast-check';
import {
  createChangeRequest,
  mergeChangeRequest,
  updateChangeRequest,
} from '../../../src/api/resources/change-requests.js';
import {
  createCollection,
  deleteCollection,
  moveCollection,
} from '../../../src/api/resources/collections.js';
import {
  createComment,
  createCommentReply,
  deleteComment,
  updateComment,
} from '../../../src/api/resources/comments.js';
import { deleteTeamMember, setTeamMember, updateTeamMembers } from '../../../src/api/resources/members.js';
import { deleteSpace, duplicateSpace, moveSpace, restoreSpace } from '../../../src/api/resources/spaces.js';
import { createTeam, deleteTeam } from '../../../src/api/resources/teams.js';
import type { Client } from '../client.js';
import { dropCollection, isInside, type Model, type SpaceModel } from './model.js';

/** Steps that do the same to the sandbox and to the model. */

export interface World {
  client: Client;
  org: string;
  model: Model;
}

type Act = (world: World, pick: <T>(items: readonly T[]) => T | undefined) => Promise<void>;

export interface Step {
  name: keyof typeof acts;
  /** Which of the existing resources: one number for each choice of a step. */
  choices: number[];
}

/** Runs a step; one without a resource to work on does nothing. */
export async function runStep(world: World, { name, choices }: Step): Promise<void> {
  let next = 0;
  const pick = <T>(items: readonly T[]): T | undefined => {
    const choice = choices[next++ % choices.length] ?? 0;
    return items.length === 0 ? undefined : items[choice % items.length];
  };
  await acts[name](world, pick);
}

export const anyStep = (): fc.Arbitrary<Step> =>
  fc.record({
    name: fc.constantFrom(...(Object.keys(acts) as (keyof typeof acts)[])),
    choices: fc.array(fc.nat(9), { minLength: 4, maxLength: 4 }),
  });

const living = ({ spaces }: Model) => [...spaces].filter(([, space]) => !space.deleted);

const acts = {
  async createTeam({ client, org, model }, pick) {
    const member = pick(model.members);
    const body = { title: `Team ${model.teams.size}`, ...(member !== undefined && { members: [member] }) };
    const { id } = await client.ok(createTeam, { path: { organizationId: org }, body });
    model.teams.set(id, { title: body.title, members: new Map(member ? [[member, 'member']] : []) });
  },
  async deleteTeam({ client, org, model }, pick) {
    const id = pick([...model.teams.keys()]);
    if (id === undefined) return;
    await client.ok(deleteTeam, { path: { organizationId: org, teamId: id } });
    model.teams.delete(id);
  },
  async setTeamMember({ client, org, model }, pick) {
    const [teamId, team] = pick([...model.teams]) ?? [];
    const userId = pick(model.members);
    const role = pick(['owner', 'member'] as const);
    if (teamId === undefined || userId === undefined || role === undefined) return;
    await client.ok(setTeamMember, { path: { organizationId: org, teamId, userId }, body: { role } });
    team?.members.set(userId, role);
  },
  async addAndRemoveAtOnce({ client, org, model }, pick) {
    const [teamId, team] = pick([...model.teams]) ?? [];
    const [add, both] = [pick(model.members), pick(model.members)];
    if (teamId === undefined || add === undefined || both === undefined) return;
    const body = { add: [add, both], remove: [both] };
    await client.ok(updateTeamMembers, { path: { organizationId: org, teamId }, body });
    if (team?.members.has(add) === false) team.members.set(add, 'member');
    team?.members.delete(both);
  },
  async leaveTeam({ client, org, model }, pick) {
    const [teamId, team] = pick([...model.teams].filter(([, { members }]) => members.size > 0)) ?? [];
    const userId = pick([...(team?.members.keys() ?? [])]);
    if (teamId === undefined || userId === undefined) return;
    await client.ok(deleteTeamMember, { path: { organizationId: org, teamId, userId } });
    team?.members.delete(userId);
  },
  async createCollection({ client, org, model }, pick) {
    const parent = pick([undefined, ...model.collections.keys()]);
    const body = { title: `Collection ${model.collections.size}`, ...(parent !== undefined && { parent }) };
    const { id } = await client.ok(createCollection, { path: { organizationId: org }, body });
    model.collections.set(id, parent);
  },
  async deleteCollection({ client, model }, pick) {
    const id = pick([...model.collections.keys()]);
    if (id === undefined) return;
    await client.ok(deleteCollection, { path: { collectionId: id } });
    dropCollection(model, id);
  },
  async moveCollection({ client, model }, pick) {
    const id = pick([...model.collections.keys()]);
    const parent = pick([undefined, ...model.collections.keys()]);
    if (id === undefined) return;
    const input = { path: { collectionId: id }, body: { parent: parent ?? null } };
    if (isInside(model, parent, id)) {
      const { status } = await client.refused(moveCollection, input);
      if (status !== 409)
        throw new Error(`A move into itself or its own descendant answered ${status}, not 409.`);
      return;
    }
    await client.ok(moveCollection, input);
    model.collections.set(id, parent);
  },
  async moveSpace({ client, model }, pick) {
    const [spaceId, space] = pick(living(model)) ?? [];
    const parent = pick([undefined, ...model.collections.keys()]);
    if (spaceId === undefined || space === undefined) return;
    await client.ok(moveSpace, { path: { spaceId }, body: { parent: parent ?? null } });
    space.parent = parent;
  },
  async deleteSpace({ client, model }, pick) {
    const [spaceId, space] = pick(living(model)) ?? [];
    if (spaceId === undefined || space === undefined) return;
    await client.ok(deleteSpace, { path: { spaceId } });
    space.deleted = true;
  },
  async restoreSpace({ client, model }, pick) {
    const [spaceId, space] = pick([...model.spaces].filter(([, { deleted }]) => deleted)) ?? [];
    if (spaceId === undefined || space === undefined) return;
    const restored = await client.ok(restoreSpace, { path: { spaceId } });
    space.deleted = false;
    space.parent = restored.parent;
  },
  async duplicateSpace({ client, model }, pick) {
    const [spaceId, space] = pick(living(model)) ?? [];
    if (spaceId === undefined || space === undefined || model.spaces.size > 8) return;
    const { id, title, parent } = await client.ok(duplicateSpace, { path: { spaceId } });
    const copy: SpaceModel = {
      title,
      parent,
      deleted: false,
      changeRequests: new Map(),
      comments: new Map(),
    };
    if (parent !== space.parent) throw new Error('A copy stands beside its original.');
    model.spaces.set(id, copy);
  },
  async createChangeRequest({ client, model }, pick) {
    const [spaceId, space] = pick(living(model)) ?? [];
    if (spaceId === undefined) return;
    const { id, status } = await client.ok(createChangeRequest, { path: { spaceId }, body: {} });
    space?.changeRequests.set(id, status);
  },
  async setChangeRequestStatus({ client, model }, pick) {
    const [spaceId, space] = pick(living(model)) ?? [];
    const [changeRequestId, held] = pick([...(space?.changeRequests ?? [])]) ?? [];
    const status = pick(['draft', 'open', 'archived']);
    if (spaceId === undefined || changeRequestId === undefined || status === undefined) return;
    const input = { path: { spaceId, changeRequestId }, body: { status } };
    // Any status becomes the given one, but for merged, which stays (platform-facts, "Behaviour").
    if (held === 'merged') {
      const { status: answered } = await client.refused(updateChangeRequest, input);
      if (answered !== 409) throw new Error(`An update of a merged one answered ${answered}, not 409.`);
      return;
    }
    await client.ok(updateChangeRequest, input);
    space?.changeRequests.set(changeRequestId, status);
  },
  async mergeChangeRequest({ client, model }, pick) {
    const [spaceId, space] = pick(living(model)) ?? [];
    const [changeRequestId, held] = pick([...(space?.changeRequests ?? [])]) ?? [];
    if (spaceId === undefined || changeRequestId === undefined) return;
    const input = { path: { spaceId, changeRequestId } };
    if (held === 'merged' || held === 'archived') {
      const { status } = await client.refused(mergeChangeRequest, input);
      if (status !== 409) throw new Error(`Merging a ${held} change request answered ${status}, not 409.`);
      return;
    }
    const { result } = await client.ok(mergeChangeRequest, input);
    if (result === 'merge') space?.changeRequests.set(changeRequestId, 'merged');
  },
  async createComment({ client, model }, pick) {
    const [spaceId, space] = pick(living(model)) ?? [];
    if (spaceId === undefined) return;
    const { id } = await client.ok(createComment, {
      path: { spaceId },
      body: { body: { markdown: 'A thought' } },
    });
    space?.comments.set(id, { resolved: false, replies: 0 });
  },
  async resolveComment({ client, model }, pick) {
    const [spaceId, space] = pick(living(model)) ?? [];
    const [commentId, comment] = pick([...(space?.comments ?? [])]) ?? [];
    const resolved = pick([true, false]);
    if (spaceId === undefined || commentId === undefined || comment === undefined || resolved === undefined)
      return;
    await client.ok(updateComment, { path: { spaceId, commentId }, body: { resolved } });
    comment.resolved = resolved;
  },
  async replyToComment({ client, model }, pick) {
    const [spaceId, space] = pick(living(model)) ?? [];
    const [commentId, comment] = pick([...(space?.comments ?? [])]) ?? [];
    if (spaceId === undefined || commentId === undefined || comment === undefined) return;
    await client.ok(createCommentReply, {
      path: { spaceId, commentId },
      body: { body: { markdown: 'Yes' } },
    });
    comment.replies++;
  },
  async deleteComment({ client, model }, pick) {
    const [spaceId, space] = pick(living(model)) ?? [];
    const commentId = pick([...(space?.comments.keys() ?? [])]);
    if (spaceId === undefined || commentId === undefined) return;
    await client.ok(deleteComment, { path: { spaceId, commentId } });
    space?.comments.delete(commentId);
  },
} satisfies Record<string, Act>;
