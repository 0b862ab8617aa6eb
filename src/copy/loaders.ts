import { pagesIn } from '../access/links/read-links.js';
import { type Client, callOne, listOf as itemsOf } from '../api/client.js';
import { getAdaptiveSchema } from '../api/resources/adaptive-schemas.js';
import { getChangeRequest, listChangeRequests } from '../api/resources/change-requests.js';
import { getCollection, listCollectionSpaces, listCollections } from '../api/resources/collections.js';
import * as comments from '../api/resources/comments.js';
import { getContent, getPage } from '../api/resources/content.js';
import { listSpaceFields } from '../api/resources/custom-fields.js';
import {
  getMember,
  listMemberSpaces,
  listMembers,
  listMemberTeams,
  listTeamMembers,
} from '../api/resources/members.js';
import { getOpenApiSpec, listOpenApiVersions } from '../api/resources/openapi.js';
import { getOrg } from '../api/resources/orgs.js';
import { listSites } from '../api/resources/sites.js';
import { getSpace, type Space } from '../api/resources/spaces.js';
import { getTeam } from '../api/resources/teams.js';
import type { Role } from '../api/shapes.js';
import { operationIn, operationsOf } from '../model/operations.js';
import { allResources } from '../model/resources.js';
import { type PageText, putContent } from '../sandbox/copy/content.js';
import { putChangeRequest, putComments } from '../sandbox/copy/discussions.js';
import {
  putAccess,
  putFieldValues,
  putMember,
  putOrganization,
  putSpec,
  putSpecVersions,
  putTeam,
  putTeamMember,
} from '../sandbox/copy/organization.js';
import {
  putAdaptiveSchema,
  putCollection,
  putOrder,
  putSite,
  putSiteTree,
  putSpace,
} from '../sandbox/copy/spaces.js';
import type { Database } from '../sandbox/store/database.js';
import { organization } from '../snapshot/organization.js';
import { allItems } from '../snapshot/unread.js';
import { isHidden, orHidden, stranger, toldRole } from './platform.js';
import { writerOf } from './writers.js';

/** Reads all of a resource of the organization, or some; each is written as it comes. */
function listOf(
  name: string,
  query: Readonly<Record<string, string>> = {},
  most = Number.POSITIVE_INFINITY,
): Loader {
  const { op, write } = heldBy(name, 'lists');
  return async (loading, organizationId) => {
    await loading.need(['organization', organizationId]);
    const input = { path: { organizationId }, query };
    for await (const item of itemsOf(loading.client, op, input, { most }))
      loading.put((db) => write(db, organizationId, item));
  };
}

/** Reads one of a resource of the organization, and writes it. */
function oneOf(name: string): Loader {
  const { op, write, parameter } = heldBy(name, 'gets');
  return async (loading, organizationId, id = '') => {
    await loading.need(['organization', organizationId]);
    const path = { organizationId, [parameter]: id };
    const item = await callOne(loading.client, { op, input: { path } });
    loading.put((db) => write(db, organizationId, item));
  };
}

/** What reads a resource, and what writes it. @throws Error for what no copy holds by itself */
function heldBy(name: string, by: 'lists' | 'gets') {
  const resource = allResources.find((one) => one.name === name);
  const [op] = operationsOf(resource?.[by] ?? []);
  const write = writerOf(name);
  if (resource === undefined || op === undefined || write === undefined)
    throw new Error(`A copy does not hold ${name}.`);
  return { op, write, parameter: resource.parameter };
}

/** Spaces and collections. */
const structure: Loaders = {
  async space(loading, spaceId) {
    const space = await loading.client.call(getSpace, { path: { spaceId } });
    await keep(loading, space);
  },

  /** A collection with those that it is in. */
  async collection(loading, collectionId) {
    const collection = await loading.client.call(getCollection, { path: { collectionId } });
    await loading.need(['organization', collection.organization]);
    const parent = collection.parent && (await above(loading, collection.parent));
    const { parent: _, ...rest } = collection;
    loading.put((db) => putCollection(db, parent ? { ...rest, parent } : rest));
  },

  /** All collections of an organization, in their order. */
  async collections(loading, organizationId) {
    await loading.need(['organization', organizationId]);
    const orders = new Map<string | null, string[]>();
    const input = { path: { organizationId }, query: { nested: true } };
    for await (const { id, parent } of loading.client.call(listCollections, input)) {
      await loading.need(['collection', id]);
      const key = parent ?? null;
      orders.set(key, [...(orders.get(key) ?? []), id]);
    }
    loading.put((db) => {
      for (const [parent, ids] of orders) putOrder(db, parent, ids);
    });
  },

  /** What lies in a collection, in its order. */
  async children(loading, organizationId, collectionId) {
    await loading.need(['collections', organizationId], ['collection', collectionId]);
    const ids: string[] = [];
    for await (const space of loading.client.call(listCollectionSpaces, { path: { collectionId } })) {
      await keep(loading, space);
      ids.push(space.id);
    }
    loading.put((db) => putOrder(db, collectionId, ids));
  },

  /** A collection with all that lies in it, at any depth, and what a transfer takes from its spaces. */
  async tree(loading, organizationId, collectionId) {
    await loading.need(['children', organizationId, collectionId]);
    const sql = 'SELECT json_group_array(id) AS ids FROM spaces WHERE parent_id = ?';
    const spaces: string[] = JSON.parse(loading.row<{ ids: string }>(sql, collectionId)?.ids ?? '[]');
    for (const id of spaces) await loading.need(['sites-of', organizationId, id], ['field-values', id]);
    const inside: string[] = [];
    const input = { path: { organizationId }, query: { nested: true } };
    for await (const { id, parent } of loading.client.call(listCollections, input))
      if (parent === collectionId) inside.push(id);
    for (const id of inside) await loading.need(['tree', organizationId, id]);
  },

  /** The sites that show a space. */
  async 'sites-of'(loading, organizationId, spaceId) {
    const input = { path: { organizationId }, query: { space: spaceId } };
    for await (const { id } of loading.client.call(listSites, input))
      await loading.want(['site', organizationId, id]);
  },
};

/** Writes a space, after what it is in; its permissions, if given, are those of the token. */
async function keep(loading: Loading, space: Space): Promise<void> {
  await loading.need(['organization', space.organization]);
  const parent = space.parent && (await above(loading, space.parent));
  const { parent: _, ...rest } = space;
  loading.put((db) => {
    putSpace(db, parent ? { ...rest, parent } : rest);
    if (space.permissions !== undefined)
      putAccess(db, loading.callerId, space.id, levelOf(space.permissions));
  });
}

/** Puts a space once more, so that its counts are those that were told, with what is held now. */
async function keepAgain(loading: Loading, spaceId: string): Promise<void> {
  await keep(loading, await loading.client.call(getSpace, { path: { spaceId } }));
}

/** The collection above, read; undefined if it is hidden from the token. */
async function above(loading: Loading, id: string): Promise<string | undefined> {
  return orHidden(async () => {
    await loading.need(['collection', id]);
    return id;
  });
}

/** What the token may do in a space, from what the platform says that it may. */
function levelOf(permissions: NonNullable<Space['permissions']>): Role {
  if (permissions.admin) return 'admin';
  if (permissions.review || permissions.merge) return 'review';
  if (permissions.edit) return 'edit';
  return permissions.comment ? 'comment' : 'read';
}

const statuses = ['draft', 'open', 'archived', 'merged'] as const;

/**
 * Content, change requests and comments. Of the content of a space a copy holds the tree of pages and the list of
 * files; texts only where a change request differs, since what the copy does not change the platform tells.
 */
const content: Loaders = {
  async content(loading, spaceId) {
    await loading.need(['space', spaceId]);
    const revision = await loading.client.call(getContent, { path: { spaceId } });
    loading.put((db) => putContent(db, spaceId, { revision, texts: new Map(), bytes: new Map() }));
  },

  /** The content of a space with the texts of all pages. */
  async texts(loading, spaceId) {
    await loading.need(['space', spaceId]);
    const revision = await loading.client.call(getContent, { path: { spaceId } });
    const texts = new Map<string, PageText>();
    for (const { id } of pagesIn(revision.pages)) texts.set(id, await textOf(loading, { spaceId }, id));
    loading.put((db) => putContent(db, spaceId, { revision, texts, bytes: new Map() }));
  },

  async 'change-request'(loading, spaceId, changeRequestId) {
    await loading.need(['space', spaceId]);
    const request = await loading.client.call(getChangeRequest, { path: { spaceId, changeRequestId } });
    loading.put((db) => putChangeRequest(db, spaceId, request));
    await keepAgain(loading, spaceId);
  },

  /** A change request with its content, and the texts that differ from those of the space. */
  async 'change-request-content'(loading, spaceId, changeRequestId) {
    await loading.need(['content', spaceId], ['change-request', spaceId, changeRequestId]);
    const path = { spaceId, changeRequestId };
    const request = await loading.client.call(getChangeRequest, { path });
    const main = await loading.client.call(getContent, { path: { spaceId } });
    const revision = await loading.client.call(operationIn(getContent, path), { path });
    const known = new Map([...pagesIn(main.pages)].map((page) => [page.id, page]));
    const differing = [...pagesIn(revision.pages)].filter(
      ({ id, documentId }) => known.get(id)?.documentId !== documentId,
    );
    const [mainTexts, texts] = [new Map<string, PageText>(), new Map<string, PageText>()];
    for (const { id } of differing) {
      if (known.has(id)) mainTexts.set(id, await textOf(loading, { spaceId }, id));
      texts.set(id, await textOf(loading, path, id));
    }
    loading.put((db) => {
      putContent(db, spaceId, { revision: main, texts: mainTexts, bytes: new Map() });
      putChangeRequest(db, spaceId, request, { revision, texts, bytes: new Map() });
    });
  },

  /** The change requests that a merge makes outdated. */
  async 'open-requests'(loading, spaceId) {
    await loading.need(['space', spaceId]);
    for (const status of ['draft', 'open'] as const) {
      const input = { path: { spaceId }, query: { status } };
      for await (const request of loading.client.call(listChangeRequests, input))
        loading.put((db) => putChangeRequest(db, spaceId, request));
    }
    await keepAgain(loading, spaceId);
  },

  /** The last change request of each status, of which one has the last number. */
  async 'last-requests'(loading, spaceId) {
    await loading.need(['space', spaceId]);
    for (const status of statuses) {
      const input = { path: { spaceId }, query: { status } };
      for await (const request of loading.client.call(listChangeRequests, input, { most: 1 }))
        loading.put((db) => putChangeRequest(db, spaceId, request));
    }
    await keepAgain(loading, spaceId);
  },

  /** A comment with its replies; of a change request if a third id names one. */
  async comment(loading, spaceId, commentId, changeRequestId) {
    const { client } = loading;
    const isInSpace = changeRequestId === undefined;
    await loading.need(isInSpace ? ['space', spaceId] : ['change-request', spaceId, changeRequestId]);
    const where = { spaceId, changeRequestId };
    const input = { path: { ...where, commentId }, query: { format: 'markdown' } } as const;
    const comment = await client.call(operationIn(comments.getComment, where), input);
    const replies = await allItems(client.call(operationIn(comments.listCommentReplies, where), input));
    loading.put((db) => putComments(db, where, [{ comment, replies }]));
    if (isInSpace) await keepAgain(loading, spaceId);
  },
};

async function textOf(
  loading: Loading,
  path: { spaceId: string; changeRequestId?: string },
  pageId: string,
): Promise<PageText> {
  const op = operationIn(getPage, path);
  const read = (format: 'markdown' | 'document') =>
    loading.client.call(op, { path: { ...path, pageId }, query: { format } });
  const [{ markdown = '' }, { document }] = await Promise.all([read('markdown'), read('document')]);
  return { markdown, document };
}

/** People and teams. */
const people: Loaders = {
  async organization(loading, organizationId) {
    const org = await loading.client.call(getOrg, { path: { organizationId } });
    loading.put((db) => putOrganization(db, org));
    const caller = { organizationId, userId: loading.callerId };
    const member = await orHidden(() => loading.client.call(getMember, { path: caller }));
    const known = member ?? stranger(loading.callerId, toldRole(org), org.createdAt);
    loading.put((db) => putMember(db, organizationId, known));
  },

  /** A member by their email, as the list of members finds them. */
  async 'member-by-email'(loading, organizationId, search) {
    await loading.need(['organization', organizationId]);
    const input = { path: { organizationId }, query: { search } };
    for await (const member of loading.client.call(listMembers, input)) {
      if (member.user.email === search) loading.put((db) => putMember(db, organizationId, member));
    }
  },

  /** Two administrators: enough to know whether someone is the last one. */
  admins: listOf('member', { role: 'admin' }, 2),

  /** The teams that a member is in. */
  async 'member-teams'(loading, organizationId, userId) {
    await loading.need(['member', organizationId, userId]);
    for await (const { team, member } of loading.client.call(listMemberTeams, {
      path: { organizationId, userId },
    }))
      loading.put((db) => {
        putTeam(db, organizationId, team);
        putTeamMember(db, organizationId, team.id, { user: { id: userId }, team: member });
        putTeam(db, organizationId, team);
      });
    const member = await loading.client.call(getMember, { path: { organizationId, userId } });
    loading.put((db) => putMember(db, organizationId, member));
  },

  /** What a member can do in which spaces. */
  async access(loading, organizationId, userId) {
    await loading.need(['member', organizationId, userId]);
    const input = { path: { organizationId, userId } };
    for await (const { permission, space } of loading.client.call(listMemberSpaces, input)) {
      const { permissions: _, ...shown } = space;
      if (loading.row('SELECT 1 FROM spaces WHERE id = ?', space.id) === undefined)
        await keep(loading, shown);
      loading.put((db) => putAccess(db, userId, space.id, permission));
    }
    const member = await loading.client.call(getMember, input);
    loading.put((db) => putMember(db, organizationId, member));
  },

  /** The teams that the token's owner is in: owners of a team may change it without being administrators. */
  async 'own-teams'(loading, organizationId) {
    const sql = 'SELECT role FROM members WHERE org_id = ? AND user_id = ?';
    const { role } = loading.row<{ role: string | null }>(sql, organizationId, loading.callerId) ?? {};
    if (role !== 'admin') await loading.need(['member-teams', organizationId, loading.callerId]);
  },

  /** The spaces that the token sees: an administrator sees all of them. */
  async seen(loading, organizationId) {
    await loading.need(['access', organizationId, loading.callerId]);
  },

  async 'team-members'(loading, organizationId, teamId) {
    await loading.need(['team', organizationId, teamId]);
    for await (const { organization: member, team } of loading.client.call(listTeamMembers, {
      path: { organizationId, teamId },
    }))
      loading.put((db) => {
        putMember(db, organizationId, member);
        putTeamMember(db, organizationId, teamId, { user: { id: member.id }, team });
        // Once more: its counts are those that were told, with what is held now.
        putMember(db, organizationId, member);
      });
    await again(loading, organizationId, teamId);
  },
};

/** Puts a team once more, so that its counts are those that were told with what is held now. */
async function again({ client, put }: Loading, organizationId: string, teamId: string): Promise<void> {
  const team = await client.call(getTeam, { path: { organizationId, teamId } });
  put((db) => putTeam(db, organizationId, team));
}

/** Fields, sign-in, translations, specs and sites. */
const settings: Loaders = {
  async 'field-values'(loading, spaceId) {
    await loading.need(['space', spaceId]);
    const sql = 'SELECT org_id FROM spaces WHERE id = ?';
    const org = loading.row<{ org_id: string }>(sql, spaceId)?.org_id ?? '';
    await loading.want(['custom-field', org]);
    const values = await loading.client.call(listSpaceFields, { path: { spaceId } });
    loading.put((db) => putFieldValues(db, spaceId, values));
  },

  /** A spec with the names of its versions; their content stays at the platform. */
  async 'openapi-spec'(loading, organizationId, specSlug) {
    await loading.need(['organization', organizationId]);
    const path = { organizationId, specSlug };
    const spec = await loading.client.call(getOpenApiSpec, { path });
    const versions = await allItems(loading.client.call(listOpenApiVersions, { path }));
    loading.put((db) => {
      putSpec(db, organizationId, spec);
      putSpecVersions(db, spec.id, versions);
      putSpec(db, organizationId, spec);
    });
  },

  /** All sites, without what they are made of. */
  sites: listOf('site'),

  /** A site with all that it is made of. */
  async site(loading, organizationId, siteId) {
    await loading.need(['organization', organizationId]);
    const { client } = loading;
    const own = organization({ client, organizationId }).site(siteId);
    const site = await own.settings();
    const siteSpaces = await allItems(own.siteSpaces());
    const groups = await allItems(own.groups());
    const sections = await allItems(own.sections());
    const input = { path: { organizationId, siteId } };
    const schema = await orHidden(async () => client.call(getAdaptiveSchema, input));
    for (const { space } of siteSpaces) if (space !== undefined) await keep(loading, space);
    loading.put((db) => {
      putSite(db, organizationId, site);
      const left = putSiteTree(db, siteId, { groups, sections, siteSpaces });
      if (left.length > 0)
        loading.gap(
          `On site ${site.title}, the copy lacks spaces that the token cannot see: ${left.length}.`,
        );
      if (schema !== undefined) putAdaptiveSchema(db, siteId, schema);
      putSite(db, organizationId, site);
    });
    // Once more: their addresses are now those of this site.
    for (const { space } of siteSpaces) if (space !== undefined) await keep(loading, space);
  },
};

/** Parts that are read in a way of their own. */
const loaders: Loaders = { ...people, ...structure, ...settings, ...content };

/** What reads a part: all of a resource where only the organization is named, else one. */
function loaderFor([kind, ...ids]: PartKey): Loader {
  return loaders[kind] ?? (ids.length === 1 ? listOf(kind) : oneOf(kind));
}

/** Reads parts of the platform, each once; whoever needs one that is being read waits for it. */
export class Parts {
  readonly #loading: Omit<Loading, 'need' | 'want'>;
  readonly #made: (id: string) => boolean;
  readonly #read = new Map<string, Promise<void>>();

  /** @param made whether a thing was made in the copy: nothing of it is read */
  constructor(loading: Omit<Loading, 'need' | 'want'>, made: (id: string) => boolean) {
    this.#loading = loading;
    this.#made = made;
  }

  /** @throws DocsError what the platform refuses, and why it could not be read */
  async need(...parts: readonly PartKey[]): Promise<void> {
    for (const part of parts) await this.#one(part);
  }

  /** As `need`; goes on where something is hidden from the token. */
  async want(...parts: readonly PartKey[]): Promise<void> {
    for (const part of parts) {
      await this.#one(part).catch((error: unknown) => {
        if (!isHidden(error)) throw error;
      });
    }
  }

  #one(part: PartKey): Promise<void> {
    const [, ...ids] = part;
    const key = part.join(' ');
    const read = this.#read.get(key);
    if (read !== undefined) return read;
    if (ids.some((id) => this.#made(id))) return Promise.resolve();
    const need: Loading['need'] = (...others) => this.need(...others);
    const want: Loading['want'] = (...others) => this.want(...others);
    const reading = loaderFor(part)({ ...this.#loading, need, want }, ...ids);
    this.#read.set(key, reading);
    // What failed is asked for again by whoever needs it next.
    reading.catch(() => this.#read.delete(key));
    return reading;
  }
}

/** What is read as one: its kind, and the ids that say which. */
export type PartKey = readonly [kind: string, ...ids: string[]];

/** What the reading of a part works with. */
interface Loading {
  /** Only reads. */
  client: Client;
  /** Acts in the copy. */
  callerId: string;
  /** Writes what the platform told. */
  put(work: (db: Database) => void): void;
  /** Reads other parts first, each once. @throws DocsError what the platform refuses */
  need(...parts: readonly PartKey[]): Promise<void>;
  /** As `need`, without what is hidden from the token. */
  want(...parts: readonly PartKey[]): Promise<void>;
  /** A row of what is held of the platform. */
  row<Row>(sql: string, ...values: string[]): Row | undefined;
  /** Notes what the copy cannot take over, as a sentence; each once. */
  gap(sentence: string): void;
}

/** Reads a part and writes it. @throws DocsError as the client */
type Loader = (loading: Loading, ...ids: string[]) => Promise<void>;
type Loaders = Readonly<Record<string, Loader>>;
