/**
 * The kinds of resources that a command line names: one entry each, read by titles, choosers, completion,
 * `docs open`, addresses and suggestions. Plain data, for completion loads no schemas.
 */

/** The parents that a list may need, by path parameter. */
export type Parent = 'organizationId' | 'spaceId' | 'siteId' | 'commentId' | 'teamId';

export interface Kind {
  /** As placeholders write it: `<space>`. */
  name: string;
  /** What one is called, and several. */
  noun: string;
  plural: string;
  /** The path parameter that holds its id. */
  parameter: string;
  /** Further fields that hold its id. */
  fields: readonly string[];
  /** Dotted path of the id in an item of its list. */
  id: string;
  /** Dotted paths of what people call it, the usual one first. */
  titles: readonly [string, ...string[]];
  /** Dotted path of what tells two with the same title apart. */
  also?: string;
  /** Operations that list it, by id; the first whose path parameters are all known is used. */
  lists: readonly string[];
  /** Operations that read one, chosen in the same way; none where only the list tells. */
  gets: readonly string[];
  /** The query parameter that narrows the list. */
  search?: string;
  /** Read in a way of its own instead of by `lists` (listing.ts). */
  walk?: 'spaces' | 'pending-change-requests' | 'page-tree';
  /** The parents that the list needs, outermost first. */
  parents: readonly Parent[];
  /** The command that lists it, and where its items differ: what is typed, and what is shown for it. */
  command: { words: string; id: string; title: string; within?: number };
  /** Where the app shows it. */
  app: readonly string[];
  /** Dotted path of the address that readers know it by, which contains no id. */
  published?: string;
  /** Whether people choose the id themselves: any text that can be an id is one. */
  selfNamed?: true;
  /** Whether a placeholder of its name means something else: `<file>` is a path of this machine. */
  otherPlaceholder?: true;
  /** Whether `docs open` opens it, and under which word. */
  opens?: string;
}

type Entry = Partial<Omit<Kind, 'command'>> &
  Pick<Kind, 'noun' | 'parameter' | 'lists' | 'parents'> & {
    command: string | (Partial<Kind['command']> & { words: string });
  };

const inOrg = ['organizationId'] as const;
const inSpace = ['spaceId'] as const;
const inSite = ['organizationId', 'siteId'] as const;

const entries = {
  org: {
    noun: 'organization',
    parameter: 'organizationId',
    lists: ['orgs.list'],
    gets: ['orgs.get'],
    parents: [],
    command: 'orgs list',
    app: ['/o/{organizationId}'],
    opens: 'org',
  },
  user: {
    noun: 'member',
    parameter: 'userId',
    titles: ['user.displayName', 'user.email'],
    also: 'user.email',
    lists: ['members.list'],
    gets: ['members.get'],
    search: 'search',
    parents: inOrg,
    command: 'members list',
  },
  team: {
    noun: 'team',
    parameter: 'teamId',
    lists: ['teams.list'],
    gets: ['teams.get'],
    search: 'title',
    parents: inOrg,
    command: 'teams list',
  },
  // The members of one team: who can be taken out of it.
  'team-member': {
    noun: 'team member',
    parameter: 'userId',
    id: 'organization.id',
    titles: ['organization.user.displayName', 'organization.user.email'],
    also: 'organization.user.email',
    lists: ['team-members.list'],
    parents: ['organizationId', 'teamId'],
    command: { words: 'members list', id: 'id', title: 'user.displayName' },
  },
  provider: {
    noun: 'SAML provider',
    parameter: 'samlProviderId',
    titles: ['label'],
    lists: ['saml.list'],
    gets: ['saml.get'],
    parents: inOrg,
    command: 'saml list',
  },
  translation: {
    noun: 'translation',
    parameter: 'translationSettingsId',
    lists: ['translations.list'],
    gets: ['translations.get'],
    parents: inOrg,
    command: 'translations list',
  },
  'custom-field': {
    noun: 'custom field',
    parameter: 'fieldName',
    id: 'name',
    lists: ['custom-fields.list'],
    gets: ['custom-fields.get'],
    parents: inOrg,
    command: 'custom-fields list',
    selfNamed: true,
  },
  slug: {
    noun: 'OpenAPI spec',
    parameter: 'specSlug',
    id: 'slug',
    titles: ['slug'],
    also: 'processingState',
    lists: ['openapi.list'],
    gets: ['openapi.get'],
    parents: inOrg,
    command: { words: 'openapi list', title: 'processingState' },
    app: ['/o/{organizationId}/openapi/{specSlug}'],
    selfNamed: true,
    opens: 'openapi',
  },
  collection: {
    noun: 'collection',
    parameter: 'collectionId',
    lists: ['collections.list'],
    gets: ['collections.get'],
    parents: inOrg,
    command: 'collections list',
    app: ['/o/{organizationId}/c/{collectionId}', '/c/{collectionId}'],
    opens: 'collection',
  },
  space: {
    noun: 'space',
    parameter: 'spaceId',
    also: 'visibility',
    lists: [],
    gets: ['spaces.get'],
    walk: 'spaces',
    parents: inOrg,
    command: 'spaces list',
    app: ['/o/{organizationId}/s/{spaceId}', '/s/{spaceId}'],
    opens: 'space',
  },
  site: {
    noun: 'site',
    parameter: 'siteId',
    also: 'visibility',
    lists: ['sites.list'],
    gets: ['sites.get'],
    parents: inOrg,
    command: 'sites list',
    app: ['/o/{organizationId}/sites/{siteId}', '/sites/{siteId}'],
    published: 'urls.published',
    opens: 'site',
  },
  section: {
    noun: 'section',
    parameter: 'siteSectionId',
    fields: ['sectionId'],
    lists: ['sections.list'],
    parents: inSite,
    command: 'sections list',
  },
  group: {
    noun: 'section group',
    parameter: 'siteSectionGroupId',
    lists: ['section-groups.list'],
    parents: inSite,
    command: 'section-groups list',
  },
  'site-space': {
    noun: 'site space',
    parameter: 'siteSpaceId',
    lists: ['site-spaces.list'],
    parents: inSite,
    command: 'site-spaces list',
  },
  'change-request': {
    noun: 'change request',
    parameter: 'changeRequestId',
    titles: ['subject'],
    also: 'status',
    lists: ['change-requests.list'],
    gets: ['change-requests.get'],
    walk: 'pending-change-requests',
    parents: inSpace,
    command: { words: 'change-requests list', id: 'number' },
    app: [
      '/o/{organizationId}/s/{spaceId}/~/changes/{changeRequestId}',
      '/s/{spaceId}/~/changes/{changeRequestId}',
    ],
    opens: 'change-request',
  },
  page: {
    noun: 'page',
    parameter: 'pageId',
    also: 'path',
    lists: ['change-request-content.pages', 'content.pages'],
    gets: ['change-request-content.page', 'content.page'],
    walk: 'page-tree',
    parents: inSpace,
    command: 'content pages list',
  },
  file: {
    noun: 'file',
    parameter: 'fileId',
    titles: ['name'],
    also: 'contentType',
    otherPlaceholder: true,
    lists: ['change-request-content.files', 'content.files'],
    gets: ['change-request-content.file', 'content.file'],
    parents: inSpace,
    command: 'content files list',
  },
  comment: {
    noun: 'comment',
    parameter: 'commentId',
    titles: ['body.markdown'],
    also: 'postedBy.displayName',
    lists: ['change-request-comments.list', 'comments.list'],
    gets: ['change-request-comments.get', 'comments.get'],
    parents: inSpace,
    command: 'comments list',
  },
  reply: {
    noun: 'reply',
    plural: 'replies',
    parameter: 'commentReplyId',
    titles: ['body.markdown'],
    also: 'postedBy.displayName',
    lists: ['change-request-comment-replies.list', 'comment-replies.list'],
    gets: ['change-request-comment-replies.get', 'comment-replies.get'],
    parents: ['spaceId', 'commentId'],
    command: { words: 'comments replies list', within: 1 },
  },
} as const satisfies Record<string, Entry>;

export type KindName = keyof typeof entries;

/** By name. */
export const catalogue: Readonly<Record<KindName, Kind>> = Object.fromEntries(
  Object.entries<Entry>(entries).map(([name, entry]) => [name, kindOf(name, entry)]),
) as Record<KindName, Kind>;

export const kinds: readonly Kind[] = Object.values(catalogue);

function kindOf(name: string, { command, ...entry }: Entry): Kind {
  const { id = 'id', titles = ['title'] } = entry;
  const listed = typeof command === 'string' ? { words: command } : command;
  return {
    name,
    plural: `${entry.noun}s`,
    fields: [],
    gets: [],
    app: [],
    ...entry,
    id,
    titles,
    command: { id, title: titles[0], ...listed },
  };
}

/** The kind whose id a field holds; undefined where it holds anything else. */
export function kindOfField(field: string | undefined): KindName | undefined {
  const found = kinds.find(({ parameter, fields }) => field === parameter || fields.includes(field ?? ''));
  return found?.name as KindName | undefined;
}

/** The kind that a placeholder names: `<space>`. */
export function kindOfPlaceholder(placeholder: string | undefined): KindName | undefined {
  const word = placeholder?.replace(/^<|>$/g, '');
  const found = kinds.find(({ name, otherPlaceholder }) => name === word && !otherPlaceholder);
  return found?.name as KindName | undefined;
}
