/**
 * The kinds of resources that a command line names: one entry each, read by titles, choosers, completion,
 * `docs open`, addresses and suggestions. Plain data, for completion loads no schemas.
 */

/** The parents that a list may need, by path parameter. */
export type Parent = 'organizationId' | 'spaceId' | 'siteId' | 'commentId' | 'teamId';

export interface Kind {
  /** As placeholders write it: `<space>`. */
  name: string;
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
  /** Read in a way of its own instead of by `lists` (list-resources.ts). */
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
  /** The word under which `docs open` opens it. */
  opens?: string;
}

/**
 * What an entry says; `kindOf` adds the rest. `group` names the commands and operations that list and read
 * it: `teams` stands for `teams.list`, `teams.get` and `docs teams list`.
 */
type Entry = Partial<Omit<Kind, 'name' | 'command'>> & {
  group?: string;
  command?: Partial<Kind['command']>;
};

const inSpace = ['spaceId'] as const;
const inSite = ['organizationId', 'siteId'] as const;

const entries = {
  org: {
    noun: 'organization',
    parameter: 'organizationId',
    group: 'orgs',
    parents: [],
    app: ['/o/{organizationId}'],
    opens: 'org',
  },
  user: {
    noun: 'member',
    titles: ['user.displayName', 'user.email'],
    also: 'user.email',
    group: 'members',
    search: 'search',
  },
  team: { group: 'teams', search: 'title' },
  // The members of one team: who can be taken out of it.
  'team-member': {
    parameter: 'userId',
    id: 'organization.id',
    titles: ['organization.user.displayName', 'organization.user.email'],
    also: 'organization.user.email',
    lists: ['team-members.list'],
    parents: ['organizationId', 'teamId'],
    command: { words: 'members list', id: 'id', title: 'user.displayName' },
  },
  provider: { noun: 'SAML provider', parameter: 'samlProviderId', titles: ['label'], group: 'saml' },
  translation: { parameter: 'translationSettingsId', group: 'translations' },
  'custom-field': { parameter: 'fieldName', id: 'name', group: 'custom-fields', selfNamed: true },
  slug: {
    noun: 'OpenAPI spec',
    parameter: 'specSlug',
    id: 'slug',
    titles: ['slug'],
    also: 'processingState',
    group: 'openapi',
    command: { title: 'processingState' },
    app: ['/o/{organizationId}/openapi/{specSlug}'],
    selfNamed: true,
    opens: 'openapi',
  },
  collection: {
    group: 'collections',
    app: ['/o/{organizationId}/c/{collectionId}', '/c/{collectionId}'],
    opens: 'collection',
  },
  space: {
    also: 'visibility',
    group: 'spaces',
    lists: [],
    walk: 'spaces',
    app: ['/o/{organizationId}/s/{spaceId}', '/s/{spaceId}'],
    opens: 'space',
  },
  site: {
    also: 'visibility',
    group: 'sites',
    app: ['/o/{organizationId}/sites/{siteId}', '/sites/{siteId}'],
    published: 'urls.published',
    opens: 'site',
  },
  section: {
    parameter: 'siteSectionId',
    fields: ['sectionId'],
    group: 'sections',
    gets: [],
    parents: inSite,
  },
  group: {
    noun: 'section group',
    parameter: 'siteSectionGroupId',
    group: 'section-groups',
    gets: [],
    parents: inSite,
  },
  'site-space': { parameter: 'siteSpaceId', group: 'site-spaces', gets: [], parents: inSite },
  'change-request': {
    parameter: 'changeRequestId',
    titles: ['subject'],
    also: 'status',
    group: 'change-requests',
    walk: 'pending-change-requests',
    parents: inSpace,
    command: { id: 'number' },
    app: [
      '/o/{organizationId}/s/{spaceId}/~/changes/{changeRequestId}',
      '/s/{spaceId}/~/changes/{changeRequestId}',
    ],
    opens: 'change-request',
  },
  page: {
    also: 'path',
    lists: ['change-request-content.pages', 'content.pages'],
    gets: ['change-request-content.page', 'content.page'],
    walk: 'page-tree',
    parents: inSpace,
    command: { words: 'content pages list' },
  },
  file: {
    titles: ['name'],
    also: 'contentType',
    otherPlaceholder: true,
    lists: ['change-request-content.files', 'content.files'],
    gets: ['change-request-content.file', 'content.file'],
    parents: inSpace,
    command: { words: 'content files list' },
  },
  comment: {
    titles: ['body.markdown'],
    also: 'postedBy.displayName',
    lists: ['change-request-comments.list', 'comments.list'],
    gets: ['change-request-comments.get', 'comments.get'],
    parents: inSpace,
    command: { words: 'comments list' },
  },
  reply: {
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

function kindOf(name: string, { group, command, ...entry }: Entry): Kind {
  const { noun = name.replaceAll('-', ' '), id = 'id', titles = ['title'] } = entry;
  return {
    name,
    noun,
    plural: `${noun}s`,
    parameter: `${name}Id`,
    fields: [],
    lists: group === undefined ? [] : [`${group}.list`],
    gets: group === undefined ? [] : [`${group}.get`],
    parents: ['organizationId'],
    app: [],
    ...entry,
    id,
    titles,
    command: { words: `${group} list`, id, title: titles[0], ...command },
  };
}

/** The kind whose id a field holds; undefined where it holds anything else. */
export function kindOfField(field: string | undefined): KindName | undefined {
  const found = kinds.find(({ parameter, fields }) => field === parameter || fields.includes(field ?? ''));
  return found?.name as KindName | undefined;
}

/** Whether `docs open` can open what an operation reads. */
export function opensAnswerOf(operationId: string): boolean {
  return kinds.some(({ opens, gets }) => opens !== undefined && gets.includes(operationId));
}

/** The kind that a placeholder names: `<space>`. */
export function kindOfPlaceholder(placeholder: string | undefined): KindName | undefined {
  const word = placeholder?.replace(/^<|>$/g, '');
  const found = kinds.find(({ name, otherPlaceholder }) => name === word && !otherPlaceholder);
  return found?.name as KindName | undefined;
}
