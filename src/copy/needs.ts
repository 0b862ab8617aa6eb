import { pathParameters } from '../api/operation-facts.js';
import { isObject } from '../base/values.js';
import { operationsOf } from '../model/operations.js';
import { allResources, type Resource } from '../model/resources.js';
import type { Handler } from '../sandbox/handle.js';
import type { Request } from '../sandbox/server/respond.js';
import type { PartKey } from './loaders.js';

/** What says which parts of the organization a request needs. */
export interface Needs {
  handler: Handler;
  request: Request;
  /** A row of what is held of the platform. */
  row<Row>(sql: string, ...values: string[]): Row | undefined;
  /** Tables with rows that the copy changed. */
  changed: ReadonlySet<string>;
}

interface ChangeParts {
  /** What the path names; if it is hidden from the token, so is what is to be changed. */
  first: PartKey[];
  /** What else the change reads or changes, known once `first` is read. */
  next(needs: Needs): PartKey[];
}

type PathIds = Readonly<Record<string, string>>;

/** Resources of which a copy reads one by itself. Of others it reads all that the organization has. */
const readAlone: ReadonlySet<string> = new Set([
  ...['organization', 'invite', 'member', 'team', 'site', 'collection', 'space', 'change-request', 'comment'],
]);
/** What is part of what is above it in the path. A PUT may make the spec that it names. */
const readWithParent: ReadonlySet<string> = new Set([
  ...['site-space', 'section', 'section-group', 'reply', 'openapi-spec', 'page', 'file'],
]);
/** Names in paths that stand for something other than a resource, or come with what is above them. */
const otherNames: readonly string[] = ['versionId', 'emailDomain'];

function resourceAt(parameter: string): Resource | undefined {
  return allResources.find((one) => one.parameter === parameter);
}

/** The part that an id of a path names; none where that is part of what is above it. */
function partsAt(parameter: string, ids: PathIds): PartKey[] {
  const resource = resourceAt(parameter);
  if (resource === undefined || readWithParent.has(resource.name)) return [];
  if (!readAlone.has(resource.name)) return [inOrg(resource.name, ids)];
  const [get] = operationsOf(resource.gets.slice(-1));
  const path = pathParameters(get?.path ?? '').map((name) => ids[name] ?? '');
  return [[resource.name, ...path, ...(resource.name === 'comment' ? onChangeRequest(ids) : [])]];
}

/** The parts that ids in the body of a request name, by the key. */
const byBody: Readonly<Record<string, (id: string, org: string) => PartKey>> = {
  space: (id) => ['space', id],
  spaceId: (id) => ['space', id],
  spaces: (id) => ['space', id],
  collection: (id) => ['collection', id],
  parent: (id) => ['collection', id],
  defaultTeam: (id, org) => ['team', org, id],
  members: (id, org) => ['member', org, id],
  organization: (id) => ['organization', id],
  site: (id, org) => ['site', org, id],
  defaultSite: (id, org) => ['site', org, id],
};

type More = (needs: Needs & { org: string; ids: PathIds }) => PartKey[];

/** What a change needs besides what its path and body name, by the operation. */
const more: Readonly<Record<string, More>> = {
  'members.update': (needs) => [...lastAdmin(needs), ...countedSpaces(needs)],
  'members.delete': (needs) => [...lastAdmin(needs), ['member-teams', needs.org, needs.ids.userId ?? '']],
  'team-members.update': ({ org, request }) => [
    ['own-teams', org],
    ...userKeys(request.body).map((key) => userPart(org, key)),
  ],
  'team-members.delete': ({ org, ids }) => teamsOf(org, ids),
  'team-members.set': ({ org, ids }) => teamsOf(org, ids),
  'teams.update': ({ org }) => [['own-teams', org]],
  'teams.delete': ({ org, ids }) => [
    ['own-teams', org],
    ['team-members', org, ids.teamId ?? ''],
    ['saml-provider', org],
  ],
  'custom-fields.create': ({ org }) => [['custom-field', org]],
  'space-fields.set': ({ org, ids }) => [
    ['custom-field', org],
    ['field-values', ids.spaceId ?? ''],
  ],
  'openapi.create': ({ org, request }) => [['openapi-spec', org, textOf(request.body, 'slug')]],
  'openapi.set': ({ org, ids }) => [['openapi-spec', org, ids.specSlug ?? '']],
  'openapi.delete': ({ org, ids }) => [['openapi-spec', org, ids.specSlug ?? '']],
  'collections.create': ({ org }) => [['collections', org]],
  'collections.delete': ({ org, ids }) => [['children', org, ids.collectionId ?? '']],
  'collections.move': (needs) => siblings(needs, 'collections', needs.ids.collectionId ?? ''),
  'collections.transfer': ({ org, ids }) => [['tree', org, ids.collectionId ?? '']],
  'spaces.move': (needs) => siblings(needs, 'spaces', needs.ids.spaceId ?? ''),
  'spaces.delete': ({ org, ids }) => [['sites-of', org, ids.spaceId ?? '']],
  'spaces.transfer': ({ org, ids }) => [
    ['sites-of', org, ids.spaceId ?? ''],
    ['field-values', ids.spaceId ?? ''],
  ],
  'spaces.duplicate': (needs) => [
    ...siblings(needs, 'spaces', needs.ids.spaceId ?? ''),
    ['field-values', needs.ids.spaceId ?? ''],
    ['texts', needs.ids.spaceId ?? ''],
  ],
  'sites.update': ({ org, request }) => (textOf(request.body, 'basename') === '' ? [] : [['sites', org]]),
  'change-requests.create': ({ ids }) => [
    ['last-requests', ids.spaceId ?? ''],
    ['content', ids.spaceId ?? ''],
  ],
  'change-requests.merge': ({ ids }) => contentOf(ids),
  'change-requests.pull': ({ ids }) => contentOf(ids),
  'content.import': ({ ids }) => contentOf(ids),
  'change-request-content.import': ({ ids }) => contentOf(ids),
  'comments.create': commentParts,
  'change-request-comments.create': commentParts,
};

/** The parts of a change, in the order to read them. */
export function partsOfChange({ handler, request }: Needs): ChangeParts {
  const first = Object.keys(request.path).flatMap((name) => partsAt(name, request.path));
  return {
    first,
    next: (needs): PartKey[] => {
      const org = organizationOf(needs);
      const found = { ...needs, org, ids: request.path };
      const named = idsIn(request.body).flatMap(([key, id]): PartKey[] => {
        const part = byBody[key]?.(id, org);
        return part === undefined ? [] : [part];
      });
      return [...named, ...(more[handler.operation.id]?.(found) ?? [])];
    },
  };
}

/** The parts of a read whose answer the platform cannot know since the copy was changed. */
export function partsOfRead({ handler, request, changed }: Needs): PartKey[] {
  const { path: ids } = request;
  const any = (...tables: string[]) => tables.some((table) => changed.has(table));
  if (handler.operation.id === 'members.spaces' && any('members', 'spaces', 'collections'))
    return [inOrg('access', ids, ids.userId)];
  if (handler.operation.id === 'space-fields.list' && any('custom_fields', 'space_field_values'))
    return [['field-values', ids.spaceId ?? '']];
  return [];
}

/** Whether the names of ids in a path say what to read. */
export function knowsPath(names: readonly string[]): boolean {
  return names.every((name) => resourceAt(name) !== undefined || otherNames.includes(name));
}

function inOrg(kind: string, { organizationId = '' }: PathIds, ...ids: (string | undefined)[]): PartKey {
  return [kind, organizationId, ...ids.map((id) => id ?? '')];
}

function onChangeRequest({ changeRequestId }: PathIds): string[] {
  return changeRequestId === undefined ? [] : [changeRequestId];
}

/** The organization of a request: that of its path, or of the space or collection there. */
function organizationOf({ request, row }: Needs): string {
  const { organizationId, spaceId, collectionId } = request.path;
  if (organizationId !== undefined) return organizationId;
  const table = spaceId === undefined ? 'collections' : 'spaces';
  return (
    row<{ org_id: string }>(`SELECT org_id FROM ${table} WHERE id = ?`, spaceId ?? collectionId ?? '')
      ?.org_id ?? ''
  );
}

/** Every text in a body, with the key that it is under. */
function idsIn(value: unknown, key = ''): [string, string][] {
  if (typeof value === 'string') return [[key, value]];
  if (Array.isArray(value)) return value.flatMap((item) => idsIn(item, key));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => idsIn(member, name));
}

function textOf(body: unknown, key: string): string {
  const value = isObject(body) ? body[key] : undefined;
  return typeof value === 'string' ? value : '';
}

function lastAdmin({ org, ids, request, row }: Parameters<More>[0]): PartKey[] {
  const sql = 'SELECT role FROM members WHERE org_id = ? AND user_id = ?';
  const role = row<{ role: string | null }>(sql, org, ids.userId ?? '')?.role;
  return role === 'admin' && textOf(request.body, 'role') !== 'admin' ? [['admins', org]] : [];
}

/** How many spaces a member sees depends on the role only of guests and administrators. */
function countedSpaces({ org, ids, request, row }: Parameters<More>[0]): PartKey[] {
  const sql = 'SELECT role FROM members WHERE org_id = ? AND user_id = ?';
  const { role } = row<{ role: string | null }>(sql, org, ids.userId ?? '') ?? { role: null };
  const wanted = textOf(request.body, 'role');
  const isGuest = role === null || role === '';
  const special = isGuest || wanted === '' || role === 'admin' || wanted === 'admin';
  if (!special) return [];
  const own: PartKey = ['access', org, ids.userId ?? ''];
  // What the member does not see yet is counted among all spaces.
  return wanted === 'admin' || (isGuest && wanted !== '') ? [own, ['seen', org]] : [own];
}

/** The teams of a member, and those that the token's owner may change. */
function teamsOf(org: string, { userId = '' }: PathIds): PartKey[] {
  return [
    ['own-teams', org],
    ['member-teams', org, userId],
  ];
}

function userKeys(body: unknown): string[] {
  if (!isObject(body)) return [];
  const { add = [], remove = [], memberships = {} } = body;
  return [add, remove, Object.keys(memberships as object)].flat().filter((key) => typeof key === 'string');
}

function userPart(org: string, key: string): PartKey {
  return key.includes('@') ? ['member-by-email', org, key] : ['member-teams', org, key];
}

/** The places that a space or collection leaves and comes to, with what is there. */
function siblings({ org, request, row }: Parameters<More>[0], table: string, id: string): PartKey[] {
  const sql = `SELECT parent_id FROM ${table} WHERE id = ?`;
  const parent = row<{ parent_id: string | null }>(sql, id)?.parent_id;
  const named = idsIn(request.body).flatMap(([key, value]) => (key === 'parent' ? [value] : []));
  const neighbours = idsIn(request.body).flatMap(([key, value]) => {
    if (key !== 'space' && key !== 'collection') return [];
    return (
      row<{ parent_id: string | null }>(`SELECT parent_id FROM ${key}s WHERE id = ?`, value)?.parent_id ?? []
    );
  });
  const places = new Set([parent, ...named, ...neighbours]);
  const inside = [...places].flatMap((place): PartKey[] => (place ? [['children', org, place]] : []));
  return [['collections', org], ...inside];
}

/** What is merged, and what becomes outdated by it. */
function contentOf(ids: PathIds): PartKey[] {
  const { spaceId = '', changeRequestId } = ids;
  const parts: PartKey[] = [
    ['content', spaceId],
    ['open-requests', spaceId],
  ];
  return changeRequestId === undefined
    ? parts
    : [...parts, ['change-request-content', spaceId, changeRequestId]];
}

/** A comment on a page is held against the content. */
function commentParts({ ids, request }: Parameters<More>[0]): PartKey[] {
  if (textOf(request.body, 'page') === '') return [];
  const { spaceId = '', changeRequestId } = ids;
  if (changeRequestId === undefined) return [['content', spaceId]];
  return [['change-request-content', spaceId, changeRequestId]];
}
