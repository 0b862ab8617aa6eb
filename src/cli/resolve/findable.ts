import { callOne, listOf } from '../../api/call-loose.js';
import type { Client } from '../../api/client.js';
import { type AnyOperation, pathParameters } from '../../api/operation.js';
import {
  getChangeRequestCommentReply,
  listChangeRequestCommentReplies,
} from '../../api/resources/change-request-comment-replies.js';
import {
  getChangeRequestComment,
  listChangeRequestComments,
} from '../../api/resources/change-request-comments.js';
import {
  getChangeRequestFile,
  getChangeRequestPage,
  listChangeRequestFiles,
  listChangeRequestPages,
} from '../../api/resources/change-request-content.js';
import { getChangeRequest, listChangeRequests } from '../../api/resources/change-requests.js';
import { getCollection, listCollections } from '../../api/resources/collections.js';
import { getCommentReply, listCommentReplies } from '../../api/resources/comment-replies.js';
import { getComment, listComments } from '../../api/resources/comments.js';
import { getFile, getPage, listFiles, listPages } from '../../api/resources/content.js';
import { getCustomField, listCustomFields } from '../../api/resources/custom-fields.js';
import { getMember, listMembers } from '../../api/resources/members.js';
import { getOpenApiSpec, listOpenApiSpecs } from '../../api/resources/openapi.js';
import { getOrg, listOrgs } from '../../api/resources/orgs.js';
import { getSamlProvider, listSamlProviders } from '../../api/resources/saml.js';
import { listSectionGroups } from '../../api/resources/section-groups.js';
import { listSections } from '../../api/resources/sections.js';
import { listSiteSpaces } from '../../api/resources/site-spaces.js';
import { getSite, listSites } from '../../api/resources/sites.js';
import { getSpace } from '../../api/resources/spaces.js';
import { listTeamMembers } from '../../api/resources/team-members.js';
import { getTeam, listTeams } from '../../api/resources/teams.js';
import { getTranslation, listTranslations } from '../../api/resources/translations.js';
import { organizationSpaces } from './organization-spaces.js';

/** How a resource is found by what people call it: for choosing, titles instead of ids, and confirmations. */

/** Ids of the parents by path parameter: `{ organizationId: 'o1' }`. */
export type Parents = Readonly<Record<string, string>>;

export interface Findable {
  /** What one is called, and several. */
  noun: string;
  plural: string;
  /** The path parameter that holds its id. */
  parameter: string;
  /** Dotted path of the id in an item. */
  id: string;
  /** Dotted paths of what people call it, the usual one first. */
  titles: readonly [string, ...string[]];
  /** Dotted path of what tells two of one title apart. */
  also?: string;
  /** Reads one by its id. Several: the first whose path parameters are all known. */
  get: readonly AnyOperation[];
  /** Paths of the lists, for those that cannot be read alone. */
  lists: readonly string[];
  /** The parents that the list needs, outermost first. */
  parents: readonly string[];
  /** Dotted path of the address that readers know it by, which no id stands in. */
  published?: string;
  /** Whether `items` can be narrowed by a text on the platform. */
  searches?: true;
  /** All of them, as they come. */
  items(client: Client, parents: Parents, search?: string): AsyncIterable<unknown>;
}

type Declaration = Pick<Findable, 'noun' | 'parameter'> &
  Partial<
    Pick<Findable, 'plural' | 'id' | 'titles' | 'also' | 'get' | 'published' | 'searches' | 'items'>
  > & {
    /** Lists them; several as `get`. */
    list: readonly [AnyOperation, ...AnyOperation[]];
    /** The query parameter that narrows the list. */
    search?: string;
  };

/** By the name of the kind, as placeholders write it (resource-kinds.ts). */
export const findables: Readonly<Record<string, Findable>> = {
  org: findable({
    ...{ noun: 'organization', parameter: 'organizationId', list: [listOrgs], get: [getOrg] },
  }),
  user: findable({
    ...{ noun: 'member', parameter: 'userId', list: [listMembers], get: [getMember], search: 'search' },
    titles: ['user.displayName', 'user.email'],
    also: 'user.email',
  }),
  team: findable({
    ...{ noun: 'team', parameter: 'teamId', list: [listTeams], get: [getTeam], search: 'title' },
  }),
  provider: findable({
    ...{ noun: 'SAML provider', parameter: 'samlProviderId', list: [listSamlProviders] },
    ...{ get: [getSamlProvider], titles: ['label'] },
  }),
  /** Those of one team: who can be taken out of it. */
  'team-member': findable({
    ...{ noun: 'team member', parameter: 'userId', list: [listTeamMembers], id: 'organization.id' },
    titles: ['organization.user.displayName', 'organization.user.email'],
    also: 'organization.user.email',
  }),
  translation: findable({
    ...{ noun: 'translation', parameter: 'translationSettingsId' },
    ...{ list: [listTranslations], get: [getTranslation] },
  }),
  'custom-field': findable({
    ...{ noun: 'custom field', parameter: 'fieldName', list: [listCustomFields], get: [getCustomField] },
    id: 'name',
  }),
  slug: findable({
    ...{ noun: 'OpenAPI spec', parameter: 'specSlug', list: [listOpenApiSpecs], get: [getOpenApiSpec] },
    ...{ id: 'slug', titles: ['slug'], also: 'processingState' },
  }),
  collection: findable({
    ...{ noun: 'collection', parameter: 'collectionId', list: [listCollections], get: [getCollection] },
  }),
  space: {
    ...{ noun: 'space', plural: 'spaces', parameter: 'spaceId', id: 'id', titles: ['title'] },
    ...{ get: [getSpace], lists: [], parents: ['organizationId'], also: 'visibility' },
    items: (client, { organizationId = '' }) => organizationSpaces(client, organizationId),
  },
  site: findable({
    ...{ noun: 'site', parameter: 'siteId', list: [listSites], get: [getSite], also: 'visibility' },
    published: 'urls.published',
  }),
  section: findable({ noun: 'section', parameter: 'siteSectionId', list: [listSections] }),
  group: findable({ noun: 'section group', parameter: 'siteSectionGroupId', list: [listSectionGroups] }),
  'site-space': findable({ noun: 'site space', parameter: 'siteSpaceId', list: [listSiteSpaces] }),
  'change-request': findable({
    ...{ noun: 'change request', parameter: 'changeRequestId', get: [getChangeRequest] },
    ...{ list: [listChangeRequests], titles: ['subject'], also: 'status', items: pendingChangeRequests },
  }),
  page: findable({
    ...{ noun: 'page', parameter: 'pageId', get: [getChangeRequestPage, getPage], also: 'path' },
    ...{ list: [listChangeRequestPages, listPages], items: pagesOfTree },
  }),
  file: findable({
    ...{ noun: 'file', parameter: 'fileId', get: [getChangeRequestFile, getFile] },
    ...{ list: [listChangeRequestFiles, listFiles], titles: ['name'], also: 'contentType' },
  }),
  comment: findable({
    ...{ noun: 'comment', parameter: 'commentId', get: [getChangeRequestComment, getComment] },
    ...{ list: [listChangeRequestComments, listComments], titles: ['body.markdown'] },
    also: 'postedBy.displayName',
  }),
  reply: findable({
    ...{ noun: 'reply', plural: 'replies', parameter: 'commentReplyId', titles: ['body.markdown'] },
    ...{ list: [listChangeRequestCommentReplies, listCommentReplies], also: 'postedBy.displayName' },
    get: [getChangeRequestCommentReply, getCommentReply],
  }),
};

function findable({ list, search, ...rest }: Declaration): Findable {
  return {
    ...{ plural: `${rest.noun}s`, id: 'id', titles: ['title'], get: [] },
    ...rest,
    lists: list.map(({ path }) => path),
    parents: pathParameters((list.at(-1) ?? list[0]).path),
    ...(search !== undefined && { searches: true }),
    items:
      rest.items ??
      ((client, path, text) => {
        const query = search === undefined || text === undefined ? {} : { [search]: text };
        return listOf(client, firstKnown(list, path), { path, query });
      }),
  };
}

/** The first operation whose path parameters are all known. */
export function firstKnown(operations: readonly AnyOperation[], path: Parents): AnyOperation {
  const known = operations.find((op) => pathParameters(op.path).every((name) => name in path));
  return known ?? (operations.at(-1) as AnyOperation);
}

/** What can still be merged: open ones, then drafts. Others are named by number or id. */
async function* pendingChangeRequests(client: Client, path: Parents): AsyncGenerator<unknown> {
  for (const status of ['open', 'draft'])
    yield* listOf(client, listChangeRequests, { path, query: { status } });
}

/** The pages of a tree, depth first. A stack, for no depth is too much. */
async function* pagesOfTree(client: Client, { ...path }: Parents): AsyncGenerator<unknown> {
  const op = path.changeRequestId === undefined ? listPages : listChangeRequestPages;
  const { pages } = (await callOne(client, { op, input: { path } })) as { pages?: readonly unknown[] };
  const waiting = Array.isArray(pages) ? pages.toReversed() : [];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    yield next;
    const { pages: below } = next as { pages?: unknown };
    if (Array.isArray(below)) waiting.push(...below.toReversed());
  }
}
