import { expect, it } from 'vitest';
import type { LooseInput } from '../../src/api/client.js';
import type { AnyOperation } from '../../src/api/operation.js';
import {
  getChangeRequestContent,
  importChangeRequestContent,
  listChangeRequests,
  mergeChangeRequest,
} from '../../src/api/resources/change-requests.js';
import { deleteTeamMember, linkMemberSso, updateMember } from '../../src/api/resources/members.js';
import { pingOrg } from '../../src/api/resources/orgs.js';
import { deleteSpace, moveSpace, restoreSpace } from '../../src/api/resources/spaces.js';
import { deleteTeam } from '../../src/api/resources/teams.js';
import { settle } from '../../src/jobs/look.js';
import { type Resource, readsOf } from '../../src/jobs/request.js';
import type { State } from '../../src/jobs/state.js';
import { ruleOf } from '../../src/jobs/undo-rules.js';
import { seedId } from '../sandbox/client.js';
import { eachTest } from '../sandbox/each-test.js';
import { idsOf, openJobWorld } from './job-world.js';

/** What a read shows of a change whose answer was lost; of creations see creations.world.test.ts. */

const world = eachTest(openJobWorld);

const inOrg = { organizationId: seedId('org acme') };
const bruno = { ...inOrg, userId: seedId('user bruno') };
const welcome = { spaceId: seedId('space welcome') };

/** Looks the request up before and after it is done. */
async function lookUp(op: AnyOperation, input: LooseInput): Promise<[string, string]> {
  const rule = ruleOf(op);
  const reads = readsOf(world.client);
  const before: State | undefined = rule.before ? await rule.read?.(reads, input) : undefined;
  const { is: first } = await settle(rule, reads, input, before);
  const { results } = await world.run(op, [input]);
  expect(results[0]?.status).toBe('ok');
  const { is: then } = await settle(rule, reads, input, before);
  return [first, then];
}

it.each<[string, AnyOperation, LooseInput]>([
  ['a role', updateMember, { path: bruno, body: { role: 'read' } }],
  ['a deletion', deleteTeam, { path: { ...inOrg, teamId: seedId('team writers') } }],
  ['a deleted space', deleteSpace, { path: welcome }],
  [
    'a membership',
    deleteTeamMember,
    { path: { ...inOrg, teamId: seedId('team writers'), userId: seedId('user deniz') } },
  ],
  ['SSO', linkMemberSso, { path: bruno }],
  [
    'a move to the top level',
    moveSpace,
    { path: { spaceId: seedId('space guide') }, body: { parent: null } },
  ],
])('%s: not done, then done', async (_, op, input) => {
  expect(await lookUp(op, input)).toEqual(['not-done', 'done']);
});

it('a restored space: not done, then done', async () => {
  await world.client.call(deleteSpace, { path: welcome });
  expect(await lookUp(restoreSpace, { path: welcome })).toEqual(['not-done', 'done']);
});

it('a merge: not done, then done', async () => {
  const [changeRequestId = ''] = await idsOf(world, listChangeRequests, welcome);
  const path = { ...welcome, changeRequestId };
  expect(await lookUp(mergeChangeRequest, { path })).toEqual(['not-done', 'done']);
});

it('a ping: may be sent at any time', async () => {
  expect(await lookUp(pingOrg, { path: inOrg })).toEqual(['not-done', 'not-done']);
});

it('a role that somebody else has changed meanwhile: unknown', async () => {
  const rule = ruleOf(updateMember);
  const reads = readsOf(world.client);
  await world.client.call(updateMember, { path: bruno, body: { role: 'comment' } });
  const input = { path: bruno, body: { role: 'read' } };
  expect(await settle(rule, reads, input, { role: 'edit' })).toEqual({
    is: 'unknown',
    why: 'the current state is neither the one before nor the requested one',
  });
});

it.each<[string, string, string, string[]]>([
  ['not-done', 'draft', 'first', []],
  ['done', 'draft', 'second', ['first']],
  ['unknown', 'open', 'second', ['first']],
  ['unknown', 'draft', 'third', ['second']],
  ['unknown', 'draft', 'second', ['first', 'main']],
])(
  'an import into a change request: %s where it is %s at %s after %j',
  async (is, status, revision, parents) => {
    const one = async (op: AnyOperation): Promise<Resource> =>
      op === getChangeRequestContent ? { id: revision, parents } : { status, revision };
    const input = { path: { ...welcome, changeRequestId: 'x' } };
    const rule = ruleOf(importChangeRequestContent);
    expect(await settle(rule, { one, all: async () => null }, input, { revision: 'first' })).toMatchObject({
      is,
    });
  },
);
