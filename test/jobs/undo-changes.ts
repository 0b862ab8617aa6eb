import type { LooseInput } from '../../src/api/client.js';
import type { AnyOperation } from '../../src/api/operation.js';
import { listChangeRequests } from '../../src/api/resources/change-requests.js';
import {
  createCommentReply,
  listChangeRequestComments,
  listComments,
} from '../../src/api/resources/comments.js';
import { listSectionGroups, listSections } from '../../src/api/resources/sections.js';
import { listSiteSpaces, updateSiteSpace } from '../../src/api/resources/site-spaces.js';
import { createSite } from '../../src/api/resources/sites.js';
import { deleteSpace } from '../../src/api/resources/spaces.js';
import { listTranslations } from '../../src/api/resources/translations.js';
import { seedId } from '../sandbox/client.js';
import { idsOf, type JobWorld } from './job-world.js';

/** One change for every changing operation, in the seed `tiny`. */

export type Inputs = (world: JobWorld) => LooseInput | Promise<LooseInput>;

const id = seedId;
const org = { organizationId: id('org acme') };
const docs = { ...org, siteId: id('site docs') };
const welcome = { spaceId: id('space welcome') };
const guide = { spaceId: id('space guide') };
const product = { collectionId: id('collection product') };
const team = { ...org, teamId: id('team writers') };
const saml = { ...org, samlProviderId: id('saml staff') };
const spec = { ...org, specSlug: 'public-api' };
const guides = { ...docs, siteSectionId: id('section docs Guides') };
const api = { ...docs, siteSectionId: id('section docs API') };
const home = { ...docs, siteSectionId: id('section docs Home') };
const group = { ...docs, siteSectionGroupId: id('section group docs Developers') };
const shown = { ...docs, siteSpaceId: id('site space docs guide') };
const user = (name: string) => id(`user ${name}`);
const text = { body: { markdown: 'New' } };

const first = async (world: JobWorld, op: AnyOperation, path: Record<string, string>): Promise<string> =>
  (await idsOf(world, op, path))[0] ?? '';
async function translation(world: JobWorld) {
  return { ...org, translationSettingsId: await first(world, listTranslations, org) };
}
async function request(world: JobWorld) {
  return { ...welcome, changeRequestId: await first(world, listChangeRequests, welcome) };
}
async function comment(world: JobWorld) {
  return { ...welcome, commentId: await first(world, listComments, welcome) };
}
async function requestComment(world: JobWorld) {
  for (const changeRequestId of await idsOf(world, listChangeRequests, welcome)) {
    const path = { ...welcome, changeRequestId };
    const commentId = await first(world, listChangeRequestComments, path);
    if (commentId !== '') return { ...path, commentId };
  }
  throw new Error('no change request has comments');
}
/** A site of three spaces, not published. */
async function smallSite({ client }: JobWorld) {
  const spaces = ['welcome', 'guide', 'api'].map((name) => id(`space ${name}`));
  const { id: siteId } = await client.call(createSite, { path: org, body: { title: 'Small', spaces } });
  return { ...org, siteId };
}

/** By operation: what is done. */
export const changes: Readonly<Record<string, Inputs>> = {
  'orgs.update': () => ({
    path: org,
    body: { title: 'Acme 2', ai: false, emailDomains: ['x.example'], defaultRole: null },
  }),
  'orgs.ping': () => ({ path: org }),
  'invites.update': () => ({ path: { ...org, inviteId: id('invite readers') }, body: { role: 'comment' } }),
  'invites.delete': () => ({ path: { ...org, inviteId: id('invite readers') } }),
  'members.update': () => ({ path: { ...org, userId: user('bruno') }, body: { role: 'read' } }),
  'members.delete': () => ({ path: { ...org, userId: user('bruno') } }),
  'members.link-sso': () => ({ path: { ...org, userId: user('bruno') } }),
  'teams.create': () => ({ path: org, body: { title: 'New', members: [user('bruno')] } }),
  'teams.update': () => ({ path: team, body: { title: 'Authors' } }),
  'teams.delete': () => ({ path: team }),
  'team-members.update': () => ({
    path: team,
    body: {
      add: [user('emil'), 'goran@acme.example'],
      remove: [user('chiara')],
      memberships: { [user('deniz')]: { role: 'owner' } },
    },
  }),
  'team-members.set': () => ({ path: { ...team, userId: user('bruno') }, body: { role: 'owner' } }),
  'team-members.delete': () => ({ path: { ...team, userId: user('chiara') } }),
  'saml.create': () => ({ path: org, body: { label: 'New' } }),
  'saml.update': () => ({ path: saml, body: { label: 'Other', defaultRole: 'admin' } }),
  'saml.delete': () => ({ path: saml }),
  'translations.create': () => ({ path: org, body: { title: 'New' } }),
  'translations.update': async (world) => ({ path: await translation(world), body: { title: 'Other' } }),
  'translations.delete': async (world) => ({ path: await translation(world) }),
  'custom-fields.create': () => ({ path: org, body: { name: 'new', type: 'text' } }),
  'custom-fields.update': () => ({ path: { ...org, fieldName: 'topics' }, body: { options: ['billing'] } }),
  'custom-fields.delete': () => ({ path: { ...org, fieldName: 'topics' } }),
  'openapi.create': () => ({
    path: org,
    body: { slug: 'new', source: { url: 'https://x.example/new.json' } },
  }),
  'openapi.set': () => ({ path: spec, body: { source: { url: 'https://x.example/other.json' } } }),
  'openapi.delete': () => ({ path: spec }),
  'collections.create': () => ({ path: org, body: { title: 'New' } }),
  'collections.update': () => ({ path: product, body: { title: 'Other', defaultLevel: 'comment' } }),
  'collections.delete': () => ({ path: product }),
  'collections.move': () => ({ path: product, body: { parent: id('collection internal') } }),
  'collections.transfer': () => ({ path: product, body: { organization: id('org labs') } }),
  'spaces.update': () => ({
    path: welcome,
    body: { title: 'Hello', editMode: 'locked', defaultLevel: 'read' },
  }),
  'spaces.delete': () => ({ path: guide }),
  'spaces.duplicate': () => ({ path: welcome }),
  'spaces.restore': async ({ client }) => {
    await client.call(deleteSpace, { path: welcome });
    return { path: welcome };
  },
  'spaces.move': () => ({ path: guide, body: { parent: null } }),
  'spaces.transfer': () => ({ path: guide, body: { organization: id('org labs') } }),
  'space-fields.set': () => ({ path: guide, body: { values: { audience: { value: 'staff' } } } }),
  'content.import': () => ({ path: welcome, body: { url: 'https://x.example/', source: 'website' } }),
  'comments.create': () => ({ path: welcome, body: text }),
  'comments.update': async (world) => ({ path: await comment(world), body: { resolved: true } }),
  'comments.delete': async (world) => ({ path: await comment(world) }),
  'comment-replies.create': async (world) => ({ path: await comment(world), body: text }),
  'comment-replies.update': async (world) => {
    const path = await comment(world);
    // only the author may change the text
    const { id: commentReplyId } = await world.client.call(createCommentReply, { path, body: text });
    return { path: { ...path, commentReplyId }, body: { body: { markdown: 'Other' } } };
  },
  'change-requests.create': () => ({ path: welcome, body: { subject: 'New' } }),
  'change-requests.update': async (world) => ({
    path: await request(world),
    body: { status: 'archived', subject: 'Other' },
  }),
  'change-requests.merge': async (world) => ({ path: await request(world) }),
  'change-requests.pull': async (world) => ({ path: await request(world) }),
  'change-request-content.import': async (world) => ({
    path: await request(world),
    body: { url: 'https://x.example/', source: 'website' },
  }),
  'change-request-comments.create': async (world) => ({ path: await request(world), body: text }),
  'change-request-comments.update': async (world) => ({
    path: await requestComment(world),
    body: { resolved: true },
  }),
  'change-request-comments.delete': async (world) => ({ path: await requestComment(world) }),
  'change-request-comment-replies.create': async (world) => ({
    path: await requestComment(world),
    body: text,
  }),
  'sites.create': () => ({ path: org, body: { title: 'New' } }),
  'sites.update': () => ({
    path: docs,
    body: {
      title: 'Other',
      visibility: 'unlisted',
      basename: 'other',
      adaptiveContent: { enabled: true },
      proxy: 'www.acme.example/docs',
      defaultSiteSection: guides.siteSectionId,
      defaultSiteSpace: shown.siteSpaceId,
    },
  }),
  'sites.delete': () => ({ path: docs }),
  'adaptive-schemas.set': () => ({
    path: docs,
    body: { jsonSchema: { type: 'object', properties: {}, additionalProperties: false } },
  }),
  'sections.create': () => ({ path: docs, body: { spaceId: id('space handbook'), title: 'New' } }),
  'sections.update': () => ({ path: guides, body: { title: 'Other', path: 'other', description: 'Other' } }),
  'sections.delete': () => ({ path: guides }),
  'sections.move': () => ({
    path: api,
    body: { position: { before: { type: 'site-section', siteSection: guides.siteSectionId } } },
  }),
  'section-groups.create': () => ({ path: docs, body: { title: 'New', sections: [home.siteSectionId] } }),
  'section-groups.update': () => ({ path: group, body: { title: 'Other', icon: null } }),
  'section-groups.delete': () => ({ path: group }),
  'section-groups.add': () => ({ path: group, body: { sectionId: home.siteSectionId } }),
  'section-groups.remove': () => ({ path: { ...group, siteSectionId: guides.siteSectionId } }),
  'section-groups.move': () => ({
    path: group,
    body: { position: { before: { type: 'site-section', id: home.siteSectionId } } },
  }),
  'site-spaces.create': () => ({ path: docs, body: { spaceId: id('space handbook') } }),
  'site-spaces.update': () => ({ path: shown, body: { path: 'other', condition: 'visitor.claims.beta' } }),
  'site-spaces.delete': async (world) => {
    const site = await smallSite(world);
    const [siteSpaceId = ''] = await idsOf(world, listSiteSpaces, site);
    const path = { ...site, siteSpaceId };
    await world.client.call(updateSiteSpace, {
      path,
      body: { path: 'own', condition: 'visitor.claims.beta' },
    });
    return { path };
  },
  'site-spaces.move': async (world) => {
    const site = await smallSite(world);
    const [first = '', second = ''] = await idsOf(world, listSiteSpaces, site);
    const body = { position: { after: { type: 'site-space', siteSpace: second } } };
    return { path: { ...site, siteSpaceId: first }, body };
  },
};

/** The lists whose order a change may have touched. */
export const orders = [
  [listSections, docs],
  [listSectionGroups, docs],
  [listSiteSpaces, docs],
] as const;
