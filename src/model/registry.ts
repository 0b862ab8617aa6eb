import { pluralOf } from '../base/name.js';

/**
 * The registry of resources: one declaration for each kind of thing that the platform has. Titles, choosers,
 * completion, addresses, plans, impact, search, backups and the organization's files take its words and its
 * operations from here. Plain data, for completion reads it at every key and loads no schemas: the build writes what this
 * module exports as JSON, so no run evaluates the declarations.
 */

/** The parents that a list may need, by path parameter. */
export type Parent = 'organizationId' | 'spaceId' | 'siteId' | 'commentId' | 'teamId';

/** Ids of operations by what they do: `list`, `get`, `create`, `update`, `delete`, `move`, …; the narrowest first. */
type Operations = Readonly<Record<string, readonly string[]>>;

/** Words under which a resource appears, where that is not its name (decision 059). */
interface Printed {
  /** In placeholders, in `kind:id` and in policies: `<user>`. */
  argument: string;
  /** In `object` and `type` of the platform's answers: `site-section`. */
  object: string;
  /** The kind of the organization's files that has it, and of their plans: `people`; none where files cannot. */
  files?: string;
  /** As `docs impact` takes it. */
  impact: string;
  /** As the manifests of backups call its file, or the list of which it is a line: `members`. */
  backup: string;
  /** In the hits of `docs backup search`. */
  search: string;
}

export interface Resource {
  /** Its one name: `saml-provider`. */
  name: string;
  /** In a sentence: `SAML provider`. */
  noun: string;
  plural: string;
  operations: Operations;
  printed: Printed;
  /** The path parameter that holds its id. */
  parameter: string;
  /** Further fields that hold its id. */
  fields: readonly string[];
  /** Fields that hold its id in bodies of requests only: `defaultTeam`. */
  inBodies: readonly string[];
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
  /** Fields by which an update renames it: those that people or addresses call it by. */
  renames: readonly RenameField[];
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
  /**
   * Where a backup has it: a file at the top (`members.json`), or one in a folder of its own or of its parent
   * (`teams/<title>/team.json`). `printed.backup` is the kind of that file; where it is not the name, the file lists all.
   */
  stored?: string;
  /** What its list needs to be asked for to be whole. */
  listQuery?: Readonly<Record<string, boolean>>;
  /** Under which word `docs backup search` finds it, and the dotted paths of what is searched beside the title. */
  searched?: readonly [area: SearchArea, ...texts: string[]];
  /** The word of `docs backup restore --only` that brings it back. */
  restored?: RestorePart;
  /**
   * That the organization's files list it in a file of its own, with the fields of its update, and what of it they
   * leave out, and why. Kinds of which there is more to say are declared in organization/kinds.
   */
  filed?: { leftOut?: Readonly<Record<string, string>> };
}

/** What a search of a backup can be limited to. */
export const searchAreas = [
  ...(['titles', 'pages', 'files', 'comments', 'change-requests', 'spaces', 'people', 'sites'] as const),
  ...(['specs', 'fields', 'settings'] as const),
] as const;
export type SearchArea = (typeof searchAreas)[number];

/** What a restore of a backup can be limited to. */
export const restoreParts = [
  ...(['structure', 'fields', 'members', 'teams', 'sites', 'specs', 'translations', 'saml'] as const),
  ...(['settings', 'pages'] as const),
] as const;
export type RestorePart = (typeof restoreParts)[number];

/** Fields of updates that rename, in the order of the flags of `docs impact rename`. */
export const renameFields = ['title', 'label', 'path', 'basename', 'proxy', 'hostname'] as const;
export type RenameField = (typeof renameFields)[number];

/**
 * What an entry says; `resourceOf` adds the rest. `group` names the commands and operations that list and read it:
 * `teams` stands for `docs teams list`, and with `verbs` for `teams.list` and `teams.get`.
 */
type Entry = Partial<Omit<Resource, 'name' | 'command' | 'lists' | 'gets' | 'printed'>> & {
  group?: string;
  verbs?: readonly string[];
  command?: Partial<Resource['command']>;
  printed?: Partial<Printed>;
};

const crud = ['list', 'get', 'create', 'update', 'delete'] as const;
const inOrganization = ['organizationId'] as const;
const inSpace = ['spaceId'] as const;
const inSite = ['organizationId', 'siteId'] as const;

const entries = {
  organization: {
    parameter: 'organizationId',
    group: 'orgs',
    verbs: ['list', 'get', 'update', 'search', 'find', 'ping'],
    renames: ['title', 'hostname'],
    inBodies: ['organization'],
    parents: [],
    app: ['/o/{organizationId}'],
    opens: 'org',
    stored: 'org.json',
    searched: ['settings'],
    restored: 'settings',
    printed: { argument: 'org', files: 'organization', impact: 'org' },
  },
  member: {
    parameter: 'userId',
    titles: ['user.displayName', 'user.email'],
    also: 'user.email',
    group: 'members',
    verbs: ['list', 'get', 'update', 'delete', 'link-sso', 'spaces', 'teams'],
    inBodies: ['add', 'remove', 'members', 'memberships'],
    search: 'search',
    stored: 'members.json',
    searched: ['people', 'user.email'],
    restored: 'members',
    printed: { argument: 'user', files: 'people', backup: 'members' },
  },
  team: {
    group: 'teams',
    verbs: crud,
    inBodies: ['defaultTeam'],
    renames: ['title'],
    search: 'title',
    stored: 'teams/<title>/team.json',
    searched: ['people', 'description'],
    restored: 'teams',
    filed: { leftOut: { members: 'people.yaml lists the teams of each person' } },
    printed: { files: 'teams' },
  },
  // The members of one team: who can be taken out of it.
  'team-member': {
    parameter: 'userId',
    id: 'organization.id',
    titles: ['organization.user.displayName', 'organization.user.email'],
    also: 'organization.user.email',
    operations: {
      ...of(['team-members'], ['list', 'delete']),
      create: ['team-members.set'],
      update: ['team-members.set', 'team-members.update'],
    },
    parents: ['organizationId', 'teamId'],
    command: { words: 'members list', id: 'id', title: 'user.displayName' },
    stored: 'teams/<title>/members.json',
    restored: 'teams',
    printed: { files: 'memberships', backup: 'team-members' },
  },
  'openapi-spec': {
    noun: 'OpenAPI spec',
    parameter: 'specSlug',
    id: 'slug',
    titles: ['slug'],
    also: 'processingState',
    group: 'openapi',
    verbs: ['list', 'get', 'create', 'delete'],
    operations: { update: ['openapi.set'] },
    command: { title: 'processingState' },
    app: ['/o/{organizationId}/openapi/{specSlug}'],
    selfNamed: true,
    opens: 'openapi',
    stored: 'openapi/<title>/spec.json',
    searched: ['specs', 'sourceURL'],
    restored: 'specs',
    printed: { argument: 'slug', files: 'openapi', impact: 'openapi', search: 'spec' },
  },
  collection: {
    group: 'collections',
    verbs: [...crud, 'move', 'transfer', 'spaces'],
    inBodies: ['collection', 'parent'],
    renames: ['title'],
    app: ['/o/{organizationId}/c/{collectionId}', '/c/{collectionId}'],
    opens: 'collection',
    stored: 'collections.json',
    listQuery: { nested: true },
    searched: ['spaces', 'description'],
    restored: 'structure',
    printed: { files: 'collections', backup: 'collections' },
  },
  'custom-field': {
    parameter: 'fieldName',
    id: 'name',
    group: 'custom-fields',
    verbs: crud,
    renames: ['title'],
    selfNamed: true,
    stored: 'custom-fields.json',
    searched: ['fields', 'name', 'description', 'options'],
    restored: 'fields',
    printed: { files: 'fields', backup: 'custom-fields' },
  },
  translation: {
    parameter: 'translationSettingsId',
    group: 'translations',
    verbs: crud,
    renames: ['title'],
    stored: 'translations.json',
    searched: ['settings', 'languages'],
    restored: 'translations',
    filed: { leftOut: { languages: 'the API cannot change the languages of translation settings' } },
    printed: { object: 'translation-settings', files: 'translations', backup: 'translations' },
  },
  'saml-provider': {
    noun: 'SAML provider',
    parameter: 'samlProviderId',
    titles: ['label'],
    group: 'saml',
    verbs: crud,
    renames: ['label'],
    stored: 'saml.json',
    searched: ['settings', 'entityID', 'ssoURL'],
    restored: 'saml',
    printed: { argument: 'provider', files: 'saml', impact: 'saml', backup: 'saml' },
  },
  // No operation lists all spaces, or creates one by itself.
  space: {
    also: 'visibility',
    group: 'spaces',
    verbs: [
      ...(['get', 'update', 'delete', 'move', 'transfer'] as const),
      ...(['duplicate', 'restore', 'search', 'links'] as const),
    ],
    inBodies: ['space', 'spaces'],
    renames: ['title'],
    walk: 'spaces',
    app: ['/o/{organizationId}/s/{spaceId}', '/s/{spaceId}'],
    opens: 'space',
    stored: 'spaces/<title>/space.json',
    searched: ['spaces', 'description'],
    restored: 'structure',
    printed: { files: 'spaces' },
  },
  site: {
    also: 'visibility',
    group: 'sites',
    verbs: [...crud, 'published'],
    inBodies: ['site'],
    renames: ['title', 'basename', 'proxy'],
    app: ['/o/{organizationId}/sites/{siteId}', '/sites/{siteId}'],
    published: 'urls.published',
    opens: 'site',
    stored: 'sites/<title>/site.json',
    searched: ['sites', 'description', 'hostname', 'urls.published'],
    restored: 'sites',
    printed: { files: 'sites' },
  },
  section: {
    parameter: 'siteSectionId',
    fields: ['sectionId'],
    inBodies: ['sections', 'siteSection', 'defaultSiteSection'],
    group: 'sections',
    verbs: ['list', 'create', 'update', 'delete', 'move'],
    renames: ['title', 'path'],
    parents: inSite,
    stored: 'sites/<title>/sections.json',
    searched: ['sites', 'description', 'path'],
    restored: 'sites',
    printed: { object: 'site-section', files: 'sections', backup: 'sections' },
  },
  'section-group': {
    parameter: 'siteSectionGroupId',
    group: 'section-groups',
    verbs: ['list', 'create', 'update', 'delete', 'move', 'add', 'remove'],
    renames: ['title'],
    parents: inSite,
    stored: 'sites/<title>/section-groups.json',
    searched: ['sites', 'description'],
    restored: 'sites',
    printed: {
      argument: 'group',
      object: 'site-section-group',
      files: 'groups',
      backup: 'section-groups',
    },
  },
  'site-space': {
    parameter: 'siteSpaceId',
    group: 'site-spaces',
    verbs: ['list', 'create', 'update', 'delete', 'move'],
    inBodies: ['siteSpace', 'defaultSiteSpace'],
    renames: ['path'],
    parents: inSite,
    stored: 'sites/<title>/site-spaces.json',
    searched: ['sites', 'path'],
    restored: 'sites',
    printed: { files: 'site-spaces', backup: 'site-spaces' },
  },
  'change-request': {
    titles: ['subject'],
    also: 'status',
    group: 'change-requests',
    verbs: ['list', 'get', 'create', 'update', 'merge', 'pull', 'pdf'],
    walk: 'pending-change-requests',
    parents: inSpace,
    command: { id: 'number' },
    app: [
      '/o/{organizationId}/s/{spaceId}/~/changes/{changeRequestId}',
      '/s/{spaceId}/~/changes/{changeRequestId}',
    ],
    opens: 'change-request',
    searched: ['change-requests', 'description', 'createdBy.displayName'],
  },
  page: {
    also: 'path',
    operations: inContent({ list: 'pages', get: 'page', links: 'page-links' }),
    walk: 'page-tree',
    parents: inSpace,
    command: { words: 'content pages list' },
  },
  file: {
    titles: ['name'],
    also: 'contentType',
    otherPlaceholder: true,
    operations: inContent({ list: 'files', get: 'file', backlinks: 'file-backlinks' }),
    parents: inSpace,
    command: { words: 'content files list' },
  },
  comment: {
    titles: ['body.markdown'],
    also: 'postedBy.displayName',
    group: 'comments',
    operations: of(['change-request-comments', 'comments'], crud),
    parents: inSpace,
    printed: { backup: 'comments' },
  },
  reply: {
    parameter: 'commentReplyId',
    titles: ['body.markdown'],
    also: 'postedBy.displayName',
    operations: {
      ...of(['change-request-comment-replies', 'comment-replies'], ['list', 'get', 'create']),
      update: ['comment-replies.update'],
    },
    parents: ['spaceId', 'commentId'],
    command: { words: 'comments replies list', within: 1 },
    printed: { object: 'comment-reply' },
  },
} as const satisfies Record<string, Entry>;

/** What no title names, for it belongs to something else, or no operation lists it. */
const furtherEntries = {
  invite: { group: 'invites', verbs: ['get', 'update', 'delete'] },
  'sso-login': {
    noun: 'SSO login',
    group: 'sso',
    verbs: ['list'],
    titles: ['label'],
    stored: 'sso.json',
    printed: { backup: 'sso' },
  },
  'openapi-version': {
    noun: 'version of an OpenAPI spec',
    plural: 'versions of OpenAPI specs',
    group: 'openapi-versions',
    verbs: ['list', 'get', 'get-latest', 'content', 'content-latest'],
    stored: 'openapi/<title>/versions.json',
    printed: { backup: 'openapi-versions' },
  },
  'field-value': {
    noun: 'value of a custom field',
    plural: 'values of custom fields',
    group: 'space-fields',
    verbs: ['list', 'set'],
    stored: 'spaces/<title>/fields.json',
    printed: { files: 'spaces', backup: 'fields' },
  },
  content: { operations: inContent({ get: 'get', import: 'import' }) },
  'adaptive-schema': {
    group: 'adaptive-schemas',
    verbs: ['get', 'set'],
    stored: 'sites/<title>/adaptive-schema.json',
    printed: { files: 'sites' },
  },
} as const satisfies Record<string, Entry>;

type Entries = typeof entries & typeof furtherEntries;

export type ResourceName = keyof typeof entries;
export type FurtherName = keyof typeof furtherEntries;

/** As it is printed in one place: the word for that place, else its name. */
type PrintedIn<Place extends keyof Printed> = {
  [Name in keyof Entries]: Entries[Name] extends { printed: Record<Place, infer Word extends string> }
    ? Word
    : Name;
}[keyof Entries];

/** The kinds of the organization's files. */
export type FilesName = {
  [Name in keyof Entries]: Entries[Name] extends { printed: { files: infer Word extends string } }
    ? Word
    : never;
}[keyof Entries];

/** What the platform calls a resource in its answers. */
export type ObjectName = PrintedIn<'object'>;

/** By name. */
export const resources = resourcesOf(entries);
export const furtherResources = resourcesOf(furtherEntries);

function resourcesOf<Name extends string>(
  all: Readonly<Record<Name, Entry>>,
): Readonly<Record<Name, Resource>> {
  const known = Object.entries<Entry>(all).map(([name, entry]) => [name, resourceOf(name, entry)]);
  return Object.fromEntries(known) as Record<Name, Resource>;
}

function resourceOf(name: string, { group, verbs = [], command, printed, ...entry }: Entry): Resource {
  const { noun = name.replaceAll('-', ' '), id = 'id', titles = ['title'] } = entry;
  const operations: Operations = { ...(group !== undefined && of([group], verbs)), ...entry.operations };
  return {
    plural: pluralOf(noun),
    parameter: `${name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Id`,
    fields: [],
    inBodies: [],
    renames: [],
    parents: inOrganization,
    app: [],
    ...entry,
    name,
    noun,
    id,
    titles,
    operations,
    lists: operations.list ?? [],
    gets: operations.get ?? [],
    command: { words: `${group} list`, id, title: titles[0], ...command },
    printed: { argument: name, object: name, impact: name, backup: name, search: name, ...printed },
  };
}

/** Operations of groups by verb: `{ list: ['teams.list'] }`. */
function of(groups: readonly string[], verbs: readonly string[]): Operations {
  return Object.fromEntries(verbs.map((verb) => [verb, groups.map((group) => `${group}.${verb}`)]));
}

/** Operations on the content of a change request, and of a space, by verb. */
function inContent(verbs: Readonly<Record<string, string>>): Operations {
  return Object.fromEntries(
    Object.entries(verbs).map(([verb, id]) => [verb, [`change-request-content.${id}`, `content.${id}`]]),
  );
}
