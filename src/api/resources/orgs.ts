import { admits, raises, switches } from '../exposes.js';
import { body, one, operation, page } from '../operation.js';
import {
  id,
  known,
  meant,
  nullable,
  partial,
  permissions,
  Role,
  refersTo,
  shape,
  timestamp,
  uri,
  urls,
} from '../shapes.js';
import { type Static, Type } from '../type.js';

/** Organizations (spec A, "Organization" and "Organizations"). */

export const Organization = shape({
  object: Type.Literal('organization'),
  id,
  title: Type.String({ minLength: 2, maxLength: 255 }),
  createdAt: timestamp,
  emailDomains: Type.Array(Type.String()),
  hostname: Type.Optional(Type.String({ minLength: 3, maxLength: 32 })),
  type: known(['business', 'community']),
  useCase: Type.Optional(
    known([
      'internalDocs',
      'docsSite',
      'audienceControlledSite',
      'productDocs',
      'teamKnowledgeBase',
      'designSystem',
      'openSourceDocs',
      'notes',
      'other',
    ]),
  ),
  communityType: Type.Optional(known(['nonProfit', 'openSource', 'education'])),
  defaultRole: Type.Optional(nullable(Role)),
  defaultContent: Type.Optional(
    shape({ type: known(['site']), site: Type.Optional(refersTo('site', Type.String())) }),
  ),
  sso: Type.Optional(Type.Boolean()),
  ai: Type.Optional(Type.Boolean()),
  inviteLinks: Type.Boolean(),
  plan: known([
    'free_2024',
    'plus_2024',
    'pro_2024',
    'enterprise_2024',
    'community_2024',
    'free',
    'plus',
    'pro',
  ]),
  customHostname: Type.Optional(Type.String()),
  internal_isOnNewTrial: Type.Optional(Type.Boolean()),
  billing: Type.Optional(
    partial({
      interval: known(['monthly', 'yearly']),
      endDate: timestamp,
      hasPaymentFailed: Type.Boolean(),
      isScheduledToCancel: Type.Boolean(),
    }),
  ),
  urls: Type.Optional(urls(['location', 'app', 'logo'])),
  trial: Type.Optional(
    partial({
      status: meant('state', known(['notapplicable'])),
      endDate: timestamp,
      decision: known(['downgrade']),
    }),
  ),
  blocked: Type.Optional(shape({ reason: known(['security']) })),
  internal_billingMigration: Type.Optional(
    partial({ deadline: timestamp, discountPercent: Type.Number(), discountEndDate: timestamp }),
  ),
  permissions: Type.Optional(
    permissions([
      'view',
      'admin',
      'ownTeam',
      'createContent',
      'createOpenAPISpec',
      'viewBilling',
      'listMembers',
      'listTeams',
      'listIntegrations',
    ]),
  ),
});
export type Organization = Static<typeof Organization>;

const org = '/v1/orgs/{organizationId}';

export const listOrgs = operation('orgs.list', 'GET', '/v1/orgs', {
  summary: 'List your organizations',
  returns: page(Organization),
});

export const getOrg = operation('orgs.get', 'GET', org, {
  summary: 'Get an organization',
  returns: one(Organization),
});

const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

export const updateOrg = operation('orgs.update', 'PATCH', org, {
  summary: 'Update the settings of an organization',
  body: body({
    title: Type.Optional(Type.String({ minLength: 2, maxLength: 255, description: 'Name' })),
    emailDomains: Type.Optional(
      Type.Array(Type.String(), { description: 'Email domain whose users may join' }),
    ),
    hostname: Type.Optional(
      Type.String({ minLength: 3, maxLength: 32, description: 'Default hostname of public content' }),
    ),
    defaultRole: Type.Optional(nullable(Role, 'Role of new members; null makes them guests')),
    defaultContent: Type.Optional(
      nullable(
        body({ type: Type.Literal('site'), site: Type.String({ minLength: 1 }) }),
        'Site that members see first',
      ),
    ),
    logo: Type.Optional(nullable(uri(), 'URL of the logo')),
    sso: flag('Enforce SSO across the organization'),
    ai: flag('Enable all AI features'),
    inviteLinks: flag('Enable invite links'),
  }),
  returns: one(Organization),
  exposes: {
    defaultRole: raises(() => 'New members'),
    inviteLinks: switches('sign-up', {
      wide: true,
      says: 'Anyone who has an invite link could join the organization.',
    }),
    sso: switches('sign-up', { wide: false, says: 'Members could sign in without SSO.' }),
    emailDomains: admits,
  },
});

const searchUrls = urls(['app']);

/** A section of a page that matched a search; shared by both searches. */
export const SearchSection = shape({
  id,
  title: Type.String(),
  path: Type.String(),
  body: Type.String(),
  urls: searchUrls,
});

/** A page that matched a search (spec B, "Space search item"). */
export const SearchPage = shape({
  id,
  title: Type.String(),
  path: Type.String(),
  sections: Type.Array(SearchSection),
  urls: searchUrls,
});

export const OrgSearchResult = shape({
  id,
  title: Type.String(),
  pages: Type.Array(SearchPage),
});

/** The text of a search, required. */
export const searchQuery = Type.String({ maxLength: 512, description: 'Text to search for' });

export const searchOrg = operation('orgs.search', 'GET', `${org}/search`, {
  summary: 'Search all content of an organization',
  query: { query: searchQuery },
  returns: page(OrgSearchResult),
});

export const findOrgs = operation('orgs.find', 'GET', '/v1/email-domains/{emailDomain}/orgs', {
  summary: 'Find organizations by email domain',
  returns: one(shape({ organizations: Type.Array(Organization) })),
});

export const pingOrg = operation('orgs.ping', 'POST', `${org}/ping`, {
  summary: 'Update your last-seen time in an organization',
  returns: one(shape({ serviceVisitorClaims: Type.Optional(Type.String()) })),
  needs: 'read',
});
