import { afterAll, beforeAll, describe, it } from 'vitest';
import type { LooseInput } from '../../src/api/client.js';
import type { AnyOperation } from '../../src/api/operation.js';
import { listChangeRequests, updateChangeRequest } from '../../src/api/resources/change-requests.js';
import { createCollection, updateCollection } from '../../src/api/resources/collections.js';
import { createComment } from '../../src/api/resources/comments.js';
import { createCustomField, updateCustomField } from '../../src/api/resources/custom-fields.js';
import { updateInvite } from '../../src/api/resources/invites.js';
import { updateMember } from '../../src/api/resources/members.js';
import { updateOrg } from '../../src/api/resources/orgs.js';
import { createSamlProvider, updateSamlProvider } from '../../src/api/resources/saml.js';
import { setSpaceFields } from '../../src/api/resources/space-fields.js';
import { deleteSpace, updateSpace } from '../../src/api/resources/spaces.js';
import { deleteTeamMember, setTeamMember, updateTeamMembers } from '../../src/api/resources/team-members.js';
import { createTeam, updateTeam } from '../../src/api/resources/teams.js';
import { createTranslation } from '../../src/api/resources/translations.js';
import { seedId } from '../sandbox/client.js';
import { expectUndone, idsOf, type JobWorld, openJobWorld } from './job-world.js';

/** Changes and their undo, against the sandbox. */

let world: JobWorld;
beforeAll(async () => {
  world = await openJobWorld();
});
afterAll(() => world.close());

const organizationId = seedId('org acme');
const inOrg = { organizationId };
const inTeam = { ...inOrg, teamId: seedId('team writers') };
const _docs = { ...inOrg, siteId: seedId('site docs') };
const welcome = { spaceId: seedId('space welcome') };

const ids = (op: AnyOperation, path: Record<string, string>) => idsOf(world, op, path);

async function openRequest(): Promise<string> {
  return (await ids(listChangeRequests, welcome))[0] ?? '';
}

type Inputs = () => LooseInput[] | Promise<LooseInput[]>;

const cases: [string, AnyOperation, Inputs][] = [
  [
    'settings of an organization',
    updateOrg,
    () => [
      { path: inOrg, body: { title: 'Acme 2', ai: false, emailDomains: ['x.example'], defaultRole: null } },
    ],
  ],
  [
    'the role of an invite',
    updateInvite,
    () => [{ path: { ...inOrg, inviteId: seedId('invite readers') }, body: { role: 'comment' } }],
  ],
  [
    'roles of members, of a guest too',
    updateMember,
    () =>
      ['bruno', 'chiara', 'goran'].map((name) => ({
        path: { ...inOrg, userId: seedId(`user ${name}`) },
        body: { role: 'read' },
      })),
  ],
  [
    'a role to none',
    updateMember,
    () => [{ path: { ...inOrg, userId: seedId('user bruno') }, body: { role: null } }],
  ],
  [
    'one member twice',
    updateMember,
    () =>
      ['edit', 'review'].map((role) => ({
        path: { ...inOrg, userId: seedId('user farah') },
        body: { role },
      })),
  ],
  [
    'a new team',
    createTeam,
    () => [{ path: inOrg, body: { title: 'New', members: [seedId('user bruno')] } }],
  ],
  ['the title of a team', updateTeam, () => [{ path: inTeam, body: { title: 'Authors' } }]],
  [
    'a member into a team, another role in it',
    setTeamMember,
    () =>
      ['bruno', 'deniz'].map((name) => ({
        path: { ...inTeam, userId: seedId(`user ${name}`) },
        body: { role: 'owner' },
      })),
  ],
  [
    'members out of a team',
    deleteTeamMember,
    () => ['chiara', 'deniz'].map((name) => ({ path: { ...inTeam, userId: seedId(`user ${name}`) } })),
  ],
  [
    'many members of a team at once',
    updateTeamMembers,
    () => [
      {
        path: inTeam,
        body: {
          add: [seedId('user emil'), 'goran@acme.example'],
          remove: [seedId('user chiara')],
          memberships: { [seedId('user deniz')]: { role: 'owner' } },
        },
      },
    ],
  ],
  ['a new SAML provider', createSamlProvider, () => [{ path: inOrg, body: { label: 'New' } }]],
  [
    'a SAML provider',
    updateSamlProvider,
    () => [
      {
        path: { ...inOrg, samlProviderId: seedId('saml staff') },
        body: { label: 'Other', defaultRole: 'admin' },
      },
    ],
  ],
  ['new translation settings', createTranslation, () => [{ path: inOrg, body: { title: 'New' } }]],
  ['a new custom field', createCustomField, () => [{ path: inOrg, body: { name: 'new', type: 'text' } }]],
  [
    'the title of a custom field',
    updateCustomField,
    () => [{ path: { ...inOrg, fieldName: 'owner-team' }, body: { title: 'Who' } }],
  ],
  [
    'a text and a list of custom fields that had no value',
    setSpaceFields,
    () => [
      {
        path: { spaceId: seedId('space welcome') },
        body: { values: { 'owner-team': { value: 'Docs' }, topics: { value: ['api'] } } },
      },
    ],
  ],
  ['a new collection', createCollection, () => [{ path: inOrg, body: { title: 'New' } }]],
  [
    'a collection',
    updateCollection,
    () => [
      {
        path: { collectionId: seedId('collection product') },
        body: { title: 'Other', defaultLevel: 'comment' },
      },
    ],
  ],
  [
    'a space: title, edit mode, level',
    updateSpace,
    () => [{ path: welcome, body: { title: 'Hello', editMode: 'locked', defaultLevel: 'read' } }],
  ],
  ['the emoji of a space', updateSpace, () => [{ path: welcome, body: { emoji: '🦊' } }]],
  [
    'an emoji to an icon',
    updateSpace,
    () => [{ path: welcome, body: { icon: 'https://icons.example/x.png' } }],
  ],
  [
    'deleted spaces',
    deleteSpace,
    () => ['welcome', 'guide', 'api'].map((name) => ({ path: { spaceId: seedId(`space ${name}`) } })),
  ],
  [
    'an archived change request',
    updateChangeRequest,
    async () => [
      {
        path: { ...welcome, changeRequestId: await openRequest() },
        body: { status: 'archived', subject: 'Other' },
      },
    ],
  ],
  ['a new comment', createComment, () => [{ path: welcome, body: { body: { markdown: 'New' } } }]],
];

describe('undo restores exactly', () => {
  it.each(cases)('%s', async (_, op, inputs) => {
    await expectUndone(world, op, await inputs());
  });
});
