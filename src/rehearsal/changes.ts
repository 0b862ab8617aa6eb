import type { LooseInput } from '../api/client.js';
import type { AnyOperation, Method } from '../api/operation.js';
import { operationAt } from '../api/resources/index.js';
import { type Static, Type } from '../api/type.js';
import { asText, defined, isObject } from '../base/values.js';
import type { CopyRequest } from '../copy/copy.js';
import { parentOf, pathWith, type Shown, shownBy, showsAt } from '../copy/watch.js';
import { ruleOf } from '../jobs/undo-rules.js';
import { closed, maybe, oneOf, text } from '../output/printed-shapes.js';

/**
 * What requests changed on a copy: each resource as it was before the first of them and after the last. Several
 * requests that change one resource are one change; what was made and deleted again is none.
 */

export const ChangedResource = closed({
  action: oneOf('create', 'update', 'delete', 'other'),
  /** Pages and files that a merge or an import changed. */
  kind: Type.Optional(oneOf('page', 'file')),
  operation: Type.Optional(
    Type.String({ description: 'Of the request that made it, else of the last that changed it' }),
  ),
  /** Its last id in the path, or its own. */
  id: text,
  title: maybe,
  in: Type.Optional(Type.String({ description: 'Title of the team, space or site that it is in' })),
  method: text,
  path: text,
  fields: Type.Optional(
    Type.Record(
      text,
      closed({ before: Type.Optional(Type.Unknown()), after: Type.Optional(Type.Unknown()) }),
      { description: 'Differences; absent if the platform shows no resource for it' },
    ),
  ),
});
export type ChangedResource = Static<typeof ChangedResource>;

/** A GET of a path in the copy. */
export type ReadPath = (path: string) => Promise<unknown>;

/** The requests that change something, as the platform would get them. */
export function changing(requests: readonly CopyRequest[]): CopyRequest[] {
  return requests.filter(({ method }) => method !== 'GET' && method !== 'HEAD');
}

/** Whether a request changes nothing that anybody looks at: a ping. */
export function isHarmless({ method, path }: Pick<CopyRequest, 'method' | 'path'>): boolean {
  const operated = operationAt({ method: method as Method, path });
  return operated !== undefined && ruleOf(operated.op).harmless === true;
}

export function isRefused({ status }: Pick<CopyRequest, 'status'>): boolean {
  return status < 200 || status >= 300;
}

/** Of so many resources the titles of what they are in are looked up. */
const mostLooks = 50;

/** The resources that changed, in the order of their first change. */
export async function changesOf(
  requests: readonly CopyRequest[],
  look: ReadPath,
): Promise<ChangedResource[]> {
  const found = new Map<string, TouchedResource>();
  const looked = once(look);
  for (const request of changing(requests).filter((one) => !isRefused(one)))
    for (const one of await foundIn(request, looked)) add(found, one);
  const nameOf = limited(looked, mostLooks);
  const changes: ChangedResource[] = [];
  for (const one of found.values()) {
    const change = changed(one);
    const place = change && (await placeOf(one, nameOf));
    if (change !== undefined) changes.push(defined({ ...change, in: place }));
  }
  return changes;
}

/** A resource that a request changed. */
interface TouchedResource {
  /** Its path, whether or not a GET shows it there. */
  path: string;
  /** The same with the names of its parameters. */
  template: string;
  request: CopyRequest;
  operation: AnyOperation | undefined;
  kind?: 'page' | 'file' | undefined;
  id: string;
  before: Item | undefined;
  after: Item | undefined;
  makes: boolean;
}

async function foundIn(request: CopyRequest, look: ReadPath): Promise<TouchedResource[]> {
  if (isHarmless(request)) return [];
  const { method, path } = request;
  const operated = operationAt({ method: method as Method, path });
  const pathname = path.replace(/\?.*$/, '');
  if (operated === undefined) {
    const rest = { operation: undefined, id: '', makes: false };
    return [{ ...rest, path: pathname, template: pathname, request, before: undefined, after: undefined }];
  }
  const { op, input } = operated;
  const shown = shownBy(op);
  const here = foundAt(request, op, input, shown);
  const of = { request, operation: op, makes: false };
  if (shown.content !== undefined) return [...here, ...(await contentIn(request, of, shown.content, look))];
  const several = [request.before, request.after].some(Array.isArray);
  if (several) return itemsIn(of, { path: pathname, template: op.path }, [request.before, request.after]);
  const { beside } = request;
  if (shown.list === undefined || beside === undefined) return here;
  const at = { path: beside.path, template: shown.list };
  return itemsIn(of, at, [beside.before, await look(beside.path)], valuesOf(input)[shown.item ?? '']);
}

function valuesOf({ path }: LooseInput): Record<string, string> {
  return (path ?? {}) as Record<string, string>;
}

/** The one resource that a request changes; none where a list or a content shows it. */
function foundAt(
  request: CopyRequest,
  operation: AnyOperation,
  input: LooseInput,
  shown: Shown,
): TouchedResource[] {
  const { one, made, list, content } = shown;
  if (one === undefined && (list ?? content) !== undefined) return [];
  const [before, after] = [resource(request.before), resource(request.after)];
  const values = valuesOf(input);
  const { key = 'id' } = ruleOf(operation).makes ?? {};
  const id = made === undefined ? Object.values(values).at(-1) : asText(after?.[key]);
  const template = made?.path ?? one ?? operation.path;
  const path = pathWith(template, made === undefined ? values : { ...values, [made.parameter]: id ?? '' });
  const own = idOf(after ?? before) ?? id ?? '';
  const makes = made !== undefined || (before === undefined && after !== undefined);
  return [{ path, template, request, operation, id: own, before, after, makes }];
}

type Of = Pick<TouchedResource, 'request' | 'operation' | 'makes'>;

/** The items of a list that a request changed: the one that its path names, or all that differ. */
function itemsIn(
  of: Of,
  at: Pick<TouchedResource, 'path' | 'template'>,
  [before, after]: [unknown, unknown],
  named?: string,
): TouchedResource[] {
  const [was, is] = [itemsShown(before), itemsShown(after)];
  const ids = named === undefined ? [...new Set([...was.keys(), ...is.keys()])] : [named];
  const items = ids.map((id) => ({ id, before: was.get(id), after: is.get(id) }));
  const shown = named === undefined ? items.filter(differs) : items;
  return shown.map((item) => ({
    ...{ ...of, ...item, path: `${at.path}/${encodeURIComponent(item.id)}`, template: `${at.template}/{}` },
    makes: item.before === undefined && item.after !== undefined,
  }));
}

function differs({ before = {}, after = {} }: Pick<TouchedResource, 'before' | 'after'>): boolean {
  return Object.keys(differences(before, after)).length > 0;
}

/** The pages and files that a merge or an import changed, those that went first. */
async function contentIn(
  { beside }: CopyRequest,
  of: Of,
  content: string,
  look: ReadPath,
): Promise<TouchedResource[]> {
  const [before, after] = [beside?.before, beside && (await look(beside.path))];
  if (beside === undefined || !isObject(before) || !isObject(after)) return [];
  const parts = [
    ...changedParts('page', pagesIn(before.pages), pagesIn(after.pages)),
    ...changedParts('file', filesIn(before.files), filesIn(after.files)),
  ];
  return parts.map((part) => ({
    ...{ ...of, ...part, makes: part.before === undefined },
    ...{ path: `${beside.path}/${part.kind}/${part.id}`, template: `${content}/${part.kind}/{id}` },
  }));
}

/** Lists and contents are compared as a whole: what is there already is as it was before the first change. */
function add(found: Map<string, TouchedResource>, one: TouchedResource): void {
  const known = found.get(one.path);
  if (known === undefined) return void found.set(one.path, one);
  const by = known.makes ? known : one;
  found.set(one.path, { ...known, ...by, before: known.before, after: one.after, makes: known.makes });
}

function changed(found: TouchedResource): ChangedResource | undefined {
  const { request, operation, kind, id, before, after, makes } = found;
  const { method, path } = request;
  if (makes && before === undefined && after === undefined) return undefined;
  const shown = after ?? before;
  return defined({
    action: actionOf(found),
    kind,
    operation: operation?.id,
    id,
    title: titleOf(shown),
    method,
    path,
    fields: shown === undefined ? undefined : differences(before ?? {}, after ?? {}),
  });
}

function actionOf({ request, before, after }: TouchedResource): ChangedResource['action'] {
  const { method } = request;
  if (before === undefined && after === undefined)
    return method === 'DELETE' ? 'delete' : method === 'POST' ? 'other' : 'update';
  if (before === undefined) return method === 'PATCH' ? 'update' : 'create';
  return after === undefined ? 'delete' : 'update';
}

/** The title of the nearest resource above one, but for the organization. */
async function placeOf({ path, template }: TouchedResource, look: ReadPath): Promise<string | undefined> {
  let [at, above] = [parentOf(path), parentOf(template)];
  for (; above !== '' && above !== '/v1/orgs/{organizationId}'; at = parentOf(at), above = parentOf(above)) {
    const shows = showsAt(above)?.returns.kind === 'one';
    const title = shows ? titleOf(resource(await look(at))) : undefined;
    if (title !== undefined) return title;
  }
  return undefined;
}

function resource(value: unknown): Item | undefined {
  return isObject(value) ? value : undefined;
}

/** Each path is looked at once: what is compared is the end. */
function once(look: ReadPath): ReadPath {
  const known = new Map<string, Promise<unknown>>();
  return (path) => {
    const found = known.get(path) ?? look(path);
    known.set(path, found);
    return found;
  };
}

function limited(look: ReadPath, most: number): ReadPath {
  const seen = new Set<string>();
  return async (path) => {
    if (seen.size >= most && !seen.has(path)) return undefined;
    seen.add(path);
    return look(path);
  };
}

type ChangedPart = Pick<TouchedResource, 'id' | 'before' | 'after'> & { kind: 'page' | 'file' };

function changedParts(kind: ChangedPart['kind'], before: readonly Item[], after: readonly Item[]) {
  const [was, is] = [before, after].map((items) => new Map(items.map((item) => [idOf(item) ?? '', item])));
  return [...new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])]
    .map((id): ChangedPart => ({ kind, id, before: was?.get(id), after: is?.get(id) }))
    .filter(differs);
}

/** All pages of a tree, without the pages below them; the id of its text is the text, for who compares. */
function pagesIn(pages: unknown): Item[] {
  if (!Array.isArray(pages)) return [];
  return pages.filter(isObject).flatMap(({ pages: below, documentId, git: _, ...page }): Item[] => {
    const own = documentId === undefined ? page : { ...page, text: documentId };
    return [own, ...pagesIn(below)];
  });
}

/** A file has an address of its own in each revision. */
function filesIn(files: unknown): Item[] {
  if (!Array.isArray(files)) return [];
  return files.filter(isObject).map(({ downloadURL: _, ...file }) => file);
}

/** Resources as the platform shows them, for comparison. */

type Item = Readonly<Record<string, unknown>>;

/** The items of a list, as a page or by themselves, by their ids. */
function itemsShown(value: unknown): Map<string, Item> {
  const items = isObject(value) ? value.items : value;
  const objects = Array.isArray(items) ? items.filter(isObject).map(plain) : [];
  return new Map(objects.flatMap((item) => (idOf(item) === undefined ? [] : [[idOf(item) ?? '', item]])));
}

/** A membership as the person with the role in the team; whatever else the person has is not in the team. */
function plain(item: Item): Item {
  const { organization, team } = item;
  if (!isObject(organization) || !isObject(team)) return item;
  return { id: organization.id, user: organization.user, role: team.role };
}

function idOf(value: Item | undefined): string | undefined {
  return asText(value?.id ?? (isObject(value?.customField) ? value.customField.id : undefined));
}

const titles = ['title', 'displayName', 'name', 'label', 'subject', 'email'] as const;

function titleOf(value: Item | undefined): string | undefined {
  if (value === undefined) return undefined;
  for (const key of titles) {
    const text = value[key];
    if (typeof text === 'string' && text !== '') return text;
  }
  const within = [value.user, value.space, value.customField].find(isObject);
  return within && titleOf(within);
}

/** Times and addresses that change by themselves, and the ids of revisions, say nothing about a change. */
const ownChanges = new Set([
  ...['updatedAt', 'createdAt', 'lastSeenAt', 'editedAt', 'urls', 'url', 'object', 'permissions'],
  ...['revision', 'revisionInitial', 'revisionMerged', 'revisionMergedAncestor'],
]);

/** @returns the fields that differ */
function differences(before: Item, after: Item): NonNullable<ChangedResource['fields']> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !ownChanges.has(name),
  );
  return Object.fromEntries(
    names
      .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
      .map((name) => [name, defined({ before: before[name], after: after[name] })]),
  );
}
