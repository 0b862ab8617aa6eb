import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LooseInput } from '../../src/api/client.js';
import type { AnyOperation } from '../../src/api/operation.js';
import { setAdaptiveSchema } from '../../src/api/resources/adaptive-schemas.js';
import { listChangeRequests, updateChangeRequest } from '../../src/api/resources/change-requests.js';
import { createCollection, updateCollection } from '../../src/api/resources/collections.js';
import { createComment } from '../../src/api/resources/comments.js';
import { createCustomField, updateCustomField } from '../../src/api/resources/custom-fields.js';
import { updateInvite } from '../../src/api/resources/invites.js';
import { updateMember } from '../../src/api/resources/members.js';
import { updateOrg } from '../../src/api/resources/orgs.js';
import { createSamlProvider, updateSamlProvider } from '../../src/api/resources/saml.js';
import {
  listSectionGroups,
  moveSectionGroup,
  updateSectionGroup,
} from '../../src/api/resources/section-groups.js';
import { listSections, moveSection, updateSection } from '../../src/api/resources/sections.js';
import { listSiteSpaces, moveSiteSpace, updateSiteSpace } from '../../src/api/resources/site-spaces.js';
import { createSite, updateSite } from '../../src/api/resources/sites.js';
import { deleteSpace, updateSpace } from '../../src/api/resources/spaces.js';
import { deleteTeamMember, setTeamMember, updateTeamMembers } from '../../src/api/resources/team-members.js';
import { createTeam, updateTeam } from '../../src/api/resources/teams.js';
import { createTranslation } from '../../src/api/resources/translations.js';
import { seedId } from '../sandbox/client.js';
import { type JobWorld, openJobWorld } from './job-world.js';

/** Against the sandbox: a change, its undo, and the state is what it was. */

let world: JobWorld;
beforeAll(async () => {
  world = await openJobWorld();
});
afterAll(() => world.close());

const organizationId = seedId('org acme');
const inOrg = { organizationId };
const inTeam = { ...inOrg, teamId: seedId('team writers') };
const docs = { ...inOrg, siteId: seedId('site docs') };
const welcome = { spaceId: seedId('space welcome') };

async function ids(op: AnyOperation, path: Record<string, string>): Promise<string[]> {
  const listed = world.client.call(op, { path }) as unknown as AsyncIterable<{ id: string }>;
  const found: string[] = [];
  for await (const { id } of listed) found.push(id);
  return found;
}

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
  [
    'a site: title, visibility, basename',
    updateSite,
    () => [
      {
        path: docs,
        body: {
          title: 'Other',
          visibility: 'unlisted',
          basename: 'other',
          adaptiveContent: { enabled: true },
        },
      },
    ],
  ],
  ['a new site', createSite, () => [{ path: inOrg, body: { title: 'New' } }]],
  [
    'what a site knows of visitors',
    setAdaptiveSchema,
    () => [
      { path: docs, body: { jsonSchema: { type: 'object', properties: {}, additionalProperties: false } } },
    ],
  ],
  [
    'a section',
    updateSection,
    async () =>
      (await ids(listSections, docs)).slice(1, 2).map((siteSectionId) => ({
        path: { ...docs, siteSectionId },
        body: { title: 'Other', path: 'other', description: 'Other' },
      })),
  ],
  [
    'the order of sections in a group',
    moveSection,
    async () => {
      const [, guides = '', api = ''] = await ids(listSections, docs);
      return [
        {
          path: { ...docs, siteSectionId: api },
          body: { position: { before: { type: 'site-section', siteSection: guides } } },
        },
      ];
    },
  ],
  [
    'a section group',
    updateSectionGroup,
    async () =>
      (await ids(listSectionGroups, docs)).map((siteSectionGroupId) => ({
        path: { ...docs, siteSectionGroupId },
        body: { title: 'Other', icon: null },
      })),
  ],
  [
    'the order of a group',
    moveSectionGroup,
    async () => {
      const [home = ''] = await ids(listSections, docs);
      const [group = ''] = await ids(listSectionGroups, docs);
      return [
        {
          path: { ...docs, siteSectionGroupId: group },
          body: { position: { before: { type: 'site-section', id: home } } },
        },
      ];
    },
  ],
  [
    'a space of a site',
    updateSiteSpace,
    async () =>
      (await ids(listSiteSpaces, docs)).slice(0, 1).map((siteSpaceId) => ({
        path: { ...docs, siteSpaceId },
        body: { path: 'other', condition: 'visitor.claims.beta' },
      })),
  ],
];

describe('undo brings back exactly', () => {
  it.each(cases)('%s', async (_, op, inputs) => {
    const before = world.state();
    const { job, results } = await world.run(op, await inputs());
    expect(results.map(({ status, failure }) => failure?.message ?? status)).toEqual(results.map(() => 'ok'));
    expect(world.state()).not.toEqual(before);
    const undone = await world.undo(job);
    expect(undone.items.map(({ undo }) => undo)).toEqual(undone.items.map(() => 'exact'));
    expect(undone.results.map(({ status, failure }) => failure?.message ?? status)).toEqual(
      undone.results.map(() => 'ok'),
    );
    expect(world.state()).toEqual(before);
  });

  it('many moves of one list, from the last to the first', async () => {
    const spaces = ['welcome', 'guide', 'api', 'handbook'].map((name) => seedId(`space ${name}`));
    const { id: siteId } = await world.client.call(createSite, { path: inOrg, body: { spaces } });
    const help = { ...inOrg, siteId };
    const order = await ids(listSiteSpaces, help);
    expect(order).toHaveLength(4);
    const [first = '', second = '', third = '', last = ''] = order;
    const move = (siteSpaceId: string, position: object) => ({
      path: { ...help, siteSpaceId },
      body: { position },
    });
    const beside = (siteSpace: string) => ({ type: 'site-space', siteSpace });
    const { job } = await world.run(moveSiteSpace, [
      move(last, { before: beside(first) }),
      move(first, { after: beside(third) }),
      move(second, { after: beside(first) }),
      move(last, { after: beside(second) }),
    ]);
    expect(await ids(listSiteSpaces, help)).not.toEqual(order);
    const { results } = await world.undo(job);
    expect(results.map(({ status, failure }) => failure?.message ?? status)).toEqual([
      'ok',
      'ok',
      'ok',
      'ok',
    ]);
    expect(await ids(listSiteSpaces, help)).toEqual(order);
  });
});
