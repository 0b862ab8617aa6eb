import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createChangeRequest,
  getChangeRequest,
  mergeChangeRequest,
  pullChangeRequest,
  updateChangeRequest,
} from '../../src/api/resources/change-requests.js';
import { createComment, getComment, updateComment } from '../../src/api/resources/comments.js';
import { createSite, updateSite } from '../../src/api/resources/sites.js';
import {
  deleteSpace,
  duplicateSpace,
  getSpace,
  restoreSpace,
  updateSpace,
} from '../../src/api/resources/spaces.js';
import {
  deleteTeamMember,
  listTeamMembers,
  setTeamMember,
  updateTeamMembers,
} from '../../src/api/resources/team-members.js';
import { createTeam } from '../../src/api/resources/teams.js';
import { type Client, openSandbox, seedId, type TestSandbox } from './client.js';

/** The state tables of the specification (A, B, C: "States and transitions"), row by row, over HTTP. */

let sandbox: TestSandbox;
let admin: Client;
const organizationId = seedId('org acme');
beforeAll(async () => {
  sandbox = await openSandbox();
  admin = sandbox.as('admin');
});
afterAll(() => sandbox.close());

const dayMs = 24 * 60 * 60 * 1000;

describe('A: team membership', () => {
  const userId = seedId('user farah');

  async function newTeam(): Promise<{ organizationId: string; teamId: string }> {
    const { id } = await admin.ok(createTeam, { path: { organizationId }, body: { title: 'Table' } });
    return { organizationId, teamId: id };
  }
  async function roleIn(path: { organizationId: string; teamId: string }): Promise<string> {
    const items = await admin.all(listTeamMembers, { path });
    return items.find(({ organization }) => organization.id === userId)?.team.role ?? 'not a member';
  }

  test.each(['owner', 'member'] as const)(
    'not a member → PUT with role %s → member with that role',
    async (role) => {
      const path = await newTeam();
      await admin.ok(setTeamMember, { path: { ...path, userId }, body: { role } });
      expect(await roleIn(path)).toBe(role);
    },
  );

  test('not a member → PUT members with the user in add → member', async () => {
    const path = await newTeam();
    await admin.ok(updateTeamMembers, { path, body: { add: [userId] } });
    expect(await roleIn(path)).toBe('member');
  });

  test('member → the same PUT with another role → member with the new role', async () => {
    const path = await newTeam();
    await admin.ok(setTeamMember, { path: { ...path, userId }, body: { role: 'member' } });
    await admin.ok(setTeamMember, { path: { ...path, userId }, body: { role: 'owner' } });
    expect(await roleIn(path)).toBe('owner');
  });

  test('member → DELETE → not a member', async () => {
    const path = await newTeam();
    await admin.ok(updateTeamMembers, { path, body: { add: [userId] } });
    await admin.ok(deleteTeamMember, { path: { ...path, userId } });
    expect(await roleIn(path)).toBe('not a member');
  });

  test('member → PUT members with the user in remove → not a member', async () => {
    const path = await newTeam();
    await admin.ok(updateTeamMembers, { path, body: { add: [userId] } });
    await admin.ok(updateTeamMembers, { path, body: { remove: [userId] } });
    expect(await roleIn(path)).toBe('not a member');
  });

  test.each([false, true])('any (member: %s) → in both add and remove → not a member', async (before) => {
    const path = await newTeam();
    if (before) await admin.ok(updateTeamMembers, { path, body: { add: [userId] } });
    await admin.ok(updateTeamMembers, { path, body: { add: [userId], remove: [userId] } });
    expect(await roleIn(path)).toBe('not a member');
  });
});

describe('B: space', () => {
  let spaceId: string;
  const status = async () => (await admin.send('GET', `/v1/spaces/${spaceId}`)).status;

  beforeAll(async () => {
    const { space = '' } = sandbox.defaults;
    spaceId = (await admin.ok(duplicateSpace, { path: { spaceId: space } })).id;
  });

  test.each(['locked', 'live'] as const)('editMode any → PATCH with %s → that', async (editMode) => {
    await admin.ok(updateSpace, { path: { spaceId }, body: { editMode } });
    expect((await admin.ok(getSpace, { path: { spaceId } })).editMode).toBe(editMode);
  });

  test('active → DELETE → deleted → restore within 7 days → active, and the space is answered', async () => {
    await admin.ok(deleteSpace, { path: { spaceId } });
    expect(await status()).toBe(404);
    sandbox.outside.ms += 7 * dayMs - 60_000;
    expect((await admin.ok(restoreSpace, { path: { spaceId } })).id).toBe(spaceId);
    expect(await status()).toBe(200);
  });

  test('deleted → 7 days elapse → permanently removed', async () => {
    await admin.ok(deleteSpace, { path: { spaceId } });
    sandbox.outside.ms += 7 * dayMs + 60_000;
    await admin.refuses(404, restoreSpace, { path: { spaceId } });
    expect(await status()).toBe(404);
  });
});

describe('B: change request', () => {
  let path: { spaceId: string; changeRequestId: string };
  beforeAll(async () => {
    const { space: spaceId = '' } = sandbox.defaults;
    const { id } = await admin.ok(createChangeRequest, { path: { spaceId }, body: { subject: 'Table' } });
    path = { spaceId, changeRequestId: id };
  });
  const read = () => admin.ok(getChangeRequest, { path });

  test.each(['open', 'draft', 'archived', 'open'])('any → PATCH with status %s → that', async (status) => {
    await admin.ok(updateChangeRequest, { path, body: { status } });
    expect((await read()).status).toBe(status);
  });

  test('→ POST update → same state, main content pulled in, a new revision', async () => {
    const before = await read();
    const { result, revision } = await admin.ok(pullChangeRequest, { path });
    const after = await read();
    expect({ result, status: after.status, revision: after.revision }).toEqual({
      result: 'update',
      status: before.status,
      revision,
    });
  });

  test('→ POST merge → merged, and the resulting revision is answered', async () => {
    const { result, revision } = await admin.ok(mergeChangeRequest, { path });
    expect({ result, ...(await read()) }).toMatchObject({
      result: 'merge',
      status: 'merged',
      revisionMerged: revision,
    });
  });
});

test('B: comment → PUT with resolved true → status resolved', async () => {
  const { space: spaceId = '' } = sandbox.defaults;
  const { id } = await admin.ok(createComment, { path: { spaceId }, body: { body: { markdown: 'Table' } } });
  const path = { spaceId, commentId: id };
  expect((await admin.ok(getComment, { path })).status).toBe('open');
  await admin.ok(updateComment, { path, body: { resolved: true } });
  expect((await admin.ok(getComment, { path })).status).toBe('resolved');
});

describe('C: site', () => {
  test('created without type → basic', async () => {
    expect((await admin.ok(createSite, { path: { organizationId }, body: { title: 'Table' } })).type).toBe(
      'basic',
    );
  });

  test.each(['unlisted', 'share-link', 'visitor-auth', 'public'] as const)(
    'PATCH → visibility %s',
    async (visibility) => {
      const { id } = await admin.ok(createSite, { path: { organizationId }, body: { title: 'Table' } });
      const path = { organizationId, siteId: id };
      expect((await admin.ok(updateSite, { path, body: { visibility } })).visibility).toBe(visibility);
    },
  );
});
