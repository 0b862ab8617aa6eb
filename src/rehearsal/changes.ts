import type { Method } from '../api/operation.js';
import { operationAt } from '../api/operation-at.js';
import type { CopyRequest } from '../copy/copy.js';
import { defined } from '../defined.js';
import { isObject } from '../is-object.js';

/** What requests changed on a copy: each resource as it was before the first of them and after the last. */

export interface ChangedResource {
  action: 'create' | 'update' | 'delete' | 'other';
  /** Of the last request that changed it, such as `members.update`; absent where none has its path. */
  operation?: string;
  /** Its last id in the path, or its own. */
  id: string;
  title?: string;
  method: string;
  path: string;
  /** What differs; absent where the platform shows no resource at the path. */
  fields?: Record<string, { before?: unknown; after?: unknown }>;
}

/** The requests that change something, as the platform would get them. */
export function changing(requests: readonly CopyRequest[]): CopyRequest[] {
  return requests.filter(({ method }) => method !== 'GET' && method !== 'HEAD');
}

export function isRefused({ status }: Pick<CopyRequest, 'status'>): boolean {
  return status < 200 || status >= 300;
}

/** The resources that changed, in the order of their first change. */
export function changesOf(requests: readonly CopyRequest[]): ChangedResource[] {
  const found = new Map<string, Merged>();
  for (const request of changing(requests).filter((one) => !isRefused(one))) {
    const pathname = request.path.replace(/\?.*$/, '');
    // What is created has no path of its own yet: each creation is one.
    const key = request.method === 'POST' ? `${found.size} ${pathname}` : pathname;
    const known = found.get(key);
    found.set(key, {
      request,
      before: known === undefined ? request.before : known.before,
      after: request.after,
    });
  }
  return [...found.values()].flatMap(changed);
}

function operationOf({ method, path }: Pick<CopyRequest, 'method' | 'path'>) {
  return operationAt({ method: method as Method, path });
}

interface Merged {
  request: CopyRequest;
  before: unknown;
  after: unknown;
}

function changed({ request, before, after }: Merged): ChangedResource[] {
  const lists = [itemsOf(before), itemsOf(after)];
  if (lists.some((items) => items !== undefined))
    return changedItems(request, lists[0] ?? [], lists[1] ?? []);
  const { method, path } = request;
  const operated = operationOf({ method, path });
  const [was, is] = [resource(before), resource(after)];
  const shown = is ?? was;
  const action = actionOf(method, was, is);
  return [
    defined({
      action,
      operation: operated?.op.id,
      id: idOf(shown) ?? operated?.id ?? '',
      title: titleOf(shown),
      method,
      path,
      fields: was === undefined && is === undefined ? undefined : differences(was ?? {}, is ?? {}),
    }),
  ];
}

function actionOf(
  method: string,
  was: object | undefined,
  is: object | undefined,
): ChangedResource['action'] {
  if (was === undefined && is === undefined)
    return method === 'DELETE' ? 'delete' : method === 'POST' ? 'other' : 'update';
  if (was === undefined) return 'create';
  return is === undefined ? 'delete' : 'update';
}

/** Where the path is that of a list: the items that came, went, or differ. */
function changedItems(
  { method, path }: CopyRequest,
  before: readonly Item[],
  after: readonly Item[],
): ChangedResource[] {
  const operation = operationOf({ method, path })?.op.id;
  const was = new Map(before.map((item) => [idOf(item), item]));
  const is = new Map(after.map((item) => [idOf(item), item]));
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((id) => {
    const [one, other] = [was.get(id), is.get(id)];
    const fields = differences(one ?? {}, other ?? {});
    if (id === undefined || Object.keys(fields).length === 0) return [];
    const action = one === undefined ? 'create' : other === undefined ? 'delete' : 'update';
    return [defined({ action, operation, id, title: titleOf(other ?? one), method, path, fields } as const)];
  });
}

type Item = Readonly<Record<string, unknown>>;

function itemsOf(value: unknown): Item[] | undefined {
  const items = isObject(value) ? value.items : value;
  return Array.isArray(items) ? items.filter(isObject) : undefined;
}

function resource(value: unknown): Item | undefined {
  return isObject(value) ? value : undefined;
}

function idOf(value: Item | undefined): string | undefined {
  return typeof value?.id === 'string' ? value.id : undefined;
}

const titles = ['title', 'displayName', 'name', 'label', 'subject', 'email'] as const;

function titleOf(value: Item | undefined): string | undefined {
  if (value === undefined) return undefined;
  for (const key of titles) {
    const text = value[key];
    if (typeof text === 'string' && text !== '') return text;
  }
  return isObject(value.user) ? titleOf(value.user) : undefined;
}

/** Times and addresses that change by themselves say nothing about a change. */
const ownChanges = new Set([
  'updatedAt',
  'createdAt',
  'lastSeenAt',
  'editedAt',
  'urls',
  'url',
  'revision',
  'object',
]);

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
