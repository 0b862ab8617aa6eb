import { describe, expectTypeOf, it } from 'vitest';
import type { AnyOperation, Input, PathParameters, Result } from '../../src/api/operation.js';
import type { getChangeRequestPage, mergeChangeRequest } from '../../src/api/resources/change-requests.js';
import type { moveCollection } from '../../src/api/resources/collections.js';
import type { createComment, listComments } from '../../src/api/resources/comments.js';
import type { ContentPage, getPage, listPageLinks } from '../../src/api/resources/content.js';
import type {
  deleteMember,
  getMember,
  listMembers,
  setTeamMember,
  updateMember,
} from '../../src/api/resources/members.js';
import type { createOpenApiSpec } from '../../src/api/resources/openapi.js';
import type { getOrg, listOrgs, searchOrg, updateOrg } from '../../src/api/resources/orgs.js';
import type { moveSectionGroup } from '../../src/api/resources/sections.js';
import type { createSite } from '../../src/api/resources/sites.js';
import type { createTeam } from '../../src/api/resources/teams.js';

/**
 * What the compiler accepts and refuses. These tests fail in the type check, not at run time: an
 * unused `@ts-expect-error` is an error itself.
 */
function accept<Op>(_: Input<Op>): void {}

const org = { organizationId: 'org1' };
const member = { organizationId: 'org1', userId: 'user1' };
const space = { spaceId: 'space1' };
const changeRequest = { spaceId: 'space1', changeRequestId: '7' };

describe('path parameters', () => {
  it('are inferred from the path, derived paths included', () => {
    expectTypeOf<PathParameters<'/v1/orgs'>>().toEqualTypeOf<never>();
    expectTypeOf<PathParameters<'/v1/orgs/{organizationId}/members/{userId}/teams'>>().toEqualTypeOf<
      'organizationId' | 'userId'
    >();
    expectTypeOf<Input<typeof getChangeRequestPage>['path']>().toEqualTypeOf<{
      spaceId: string;
      changeRequestId: string;
      pageId: string;
    }>();
    expectTypeOf<Input<typeof getPage>['path']>().toEqualTypeOf<{ spaceId: string; pageId: string }>();
  });

  it('are all required, and no others are accepted', () => {
    accept<typeof getMember>({ path: member });
    // @ts-expect-error the path is missing
    accept<typeof getMember>({});
    // @ts-expect-error userId is missing
    accept<typeof getMember>({ path: { organizationId: 'org1' } });
    // @ts-expect-error misspelt
    accept<typeof getMember>({ path: { organizationId: 'org1', userID: 'user1' } });
    // @ts-expect-error one too many
    accept<typeof getMember>({ path: { ...member, teamId: 'team1' } });
    // @ts-expect-error not a string
    accept<typeof getMember>({ path: { organizationId: 'org1', userId: 1 } });
    // @ts-expect-error the path has no parameters
    accept<typeof listOrgs>({ path: org });
  });
});

describe('query parameters', () => {
  it('are the declared ones', () => {
    accept<typeof listMembers>({ path: org });
    accept<typeof listMembers>({ path: org, query: { search: 'ann', role: 'guest', order: 'asc' } });
    // @ts-expect-error unknown parameter
    accept<typeof listMembers>({ path: org, query: { serch: 'ann' } });
    // @ts-expect-error unknown parameter of an operation that has none
    accept<typeof getOrg>({ path: org, query: { search: 'ann' } });
    // @ts-expect-error wrong type
    accept<typeof listMembers>({ path: org, query: { search: 1 } });
    accept<typeof listComments>({ path: space, query: { authors: ['user1'], status: 'open' } });
    // @ts-expect-error a list is wanted
    accept<typeof listComments>({ path: space, query: { authors: 'user1' } });
  });

  it('are required if the declaration says so', () => {
    accept<typeof searchOrg>({ path: org, query: { query: 'sso' } });
    // @ts-expect-error query is missing
    accept<typeof searchOrg>({ path: org });
    // @ts-expect-error the text is missing
    accept<typeof searchOrg>({ path: org, query: { limit: 10 } });
  });

  it('include page and limit only for lists', () => {
    accept<typeof listOrgs>({ query: { limit: 100, page: 'cursor' } });
    accept<typeof searchOrg>({ path: org, query: { query: 'sso', limit: 100 } });
    // @ts-expect-error a number is wanted
    accept<typeof listOrgs>({ query: { limit: '100' } });
    // @ts-expect-error no list
    accept<typeof getOrg>({ path: org, query: { limit: 100 } });
    // @ts-expect-error no list, though it has a query
    accept<typeof getPage>({ path: { ...space, pageId: 'page1' }, query: { metadata: false, limit: 100 } });
  });
});

describe('bodies', () => {
  it('take only the declared keys', () => {
    accept<typeof updateOrg>({ path: org, body: { title: 'Acme', sso: true } });
    // @ts-expect-error unknown key
    accept<typeof updateOrg>({ path: org, body: { name: 'Acme' } });
    // @ts-expect-error wrong type
    accept<typeof updateOrg>({ path: org, body: { sso: 'yes' } });
    // @ts-expect-error unknown key inside
    accept<typeof createComment>({ path: space, body: { body: { markdown: 'Hi', html: '<b>' } } });
  });

  it('are required if a field is required', () => {
    accept<typeof createTeam>({ path: org, body: { title: 'Writers' } });
    // @ts-expect-error the body is missing
    accept<typeof createTeam>({ path: org });
    // @ts-expect-error the title is missing
    accept<typeof createTeam>({ path: org, body: { members: ['user1'] } });
    // @ts-expect-error the role is missing
    accept<typeof updateMember>({ path: member, body: {} });
  });

  it('are optional if no field is required, and rejected if there is none', () => {
    accept<typeof setTeamMember>({ path: { ...member, teamId: 'team1' } });
    accept<typeof setTeamMember>({ path: { ...member, teamId: 'team1' }, body: { role: 'owner' } });
    // @ts-expect-error the operation takes no body
    accept<typeof deleteMember>({ path: member, body: {} });
    // @ts-expect-error the operation takes no body
    accept<typeof mergeChangeRequest>({ path: changeRequest, body: { force: true } });
  });

  it('take one of several variants', () => {
    const path = { ...org, siteId: 's1', siteSectionGroupId: 'g1' };
    const after = { type: 'site-section-group', id: 'g2' } as const;
    accept<typeof moveSectionGroup>({ path, body: { position: { after } } });
    // @ts-expect-error the position is missing
    accept<typeof moveSectionGroup>({ path, body: {} });
    const collection = { collectionId: 'c1' };
    accept<typeof moveCollection>({
      path: collection,
      body: { parent: null, position: { before: { type: 'collection', collection: 'c2' } } },
    });
    accept<typeof moveCollection>({
      path: collection,
      // @ts-expect-error a space is named by `space`
      body: { position: { before: { type: 'space', collection: 'c2' } } },
    });
    accept<typeof createSite>({ path: org, body: { spaces: ['space1', 'space2'] } });
    accept<typeof createSite>({ path: org, body: { spaces: 'empty' } });
    // @ts-expect-error neither ids nor a kind
    accept<typeof createSite>({ path: org, body: { spaces: 3 } });
    accept<typeof createOpenApiSpec>({ path: org, body: { slug: 'pets', source: { text: '{}' } } });
    // @ts-expect-error neither a URL nor a text
    accept<typeof createOpenApiSpec>({ path: org, body: { slug: 'pets', source: {} } });
  });
});

describe('results', () => {
  it('are a resource, an item of a page, or nothing', () => {
    expectTypeOf<Result<typeof getMember>['role']>().toEqualTypeOf<
      'admin' | 'create' | 'review' | 'edit' | 'comment' | 'read' | null
    >();
    expectTypeOf<Result<typeof listMembers>['user']['displayName']>().toEqualTypeOf<string>();
    expectTypeOf<Result<typeof deleteMember>>().toEqualTypeOf<undefined>();
    expectTypeOf<Result<typeof listPageLinks>['status']>().toEqualTypeOf<'ok' | 'broken' | 'in-app'>();
    // @ts-expect-error a page is told item by item
    expectTypeOf<Result<typeof listMembers>['items']>();
  });

  it('nest pages to any depth', () => {
    expectTypeOf<Result<typeof getPage>>().toEqualTypeOf<ContentPage>();
    type Below = NonNullable<Result<typeof getPage>['pages']>[number];
    type FurtherBelow = NonNullable<Below['pages']>[number];
    expectTypeOf<FurtherBelow['title']>().toEqualTypeOf<string>();
  });
});

describe('any operation', () => {
  it('covers every declared one and takes loose input', () => {
    expectTypeOf<typeof listMembers>().toExtend<AnyOperation>();
    expectTypeOf<typeof createTeam>().toExtend<AnyOperation>();
    expectTypeOf<typeof listPageLinks>().toExtend<AnyOperation>();
    accept<AnyOperation>({ path: { any: 'id' }, query: { any: 1 }, body: { any: true } });
    accept<AnyOperation>({});
    expectTypeOf<Result<AnyOperation>>().toEqualTypeOf<unknown>();
  });
});
