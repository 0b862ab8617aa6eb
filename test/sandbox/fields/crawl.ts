import type { AnyOperation } from '../../../src/api/operation.js';
import { pathParameters } from '../../../src/api/operation-facts.js';
import { operations } from '../../../src/api/resources/index.js';
import { paging } from '../../../src/api/validate.js';
import { namedResources } from '../../../src/model/resources.js';
import { valueAt } from '../../../src/output/fields.js';
import type { Platform } from '../in-process.js';
import type { DeclaredFields } from './declared-fields.js';

/** Reads all that a seed holds, by every operation that reads. */

/** Values of path parameters that belong together. */
type Place = Readonly<Record<string, string>>;

/** What lies two levels deep is much alike, so not all of it is needed. */
const mostOfAKind = 10;

/** Each link of a list repeats the whole revision several times. */
const fewLinks = 3;

/** What the registry leaves to code: where further ids are found. */
const further = [
  { parameter: 'spaceId', operation: 'members.spaces', list: 'items', id: 'space.id' },
  { parameter: 'pageId', operation: 'content.pages', list: 'pages', id: 'id' },
  { parameter: 'pageId', operation: 'change-request-content.pages', list: 'pages', id: 'id' },
  { parameter: 'emailDomain', operation: 'orgs.list', list: 'items', id: 'emailDomains.0' },
];

/** Queries under which an operation answers more than by default. */
const queries: Readonly<Record<string, readonly string[]>> = {
  'change-requests.list': ['status=open', 'status=draft', 'status=merged', 'status=archived'],
  'content.page': ['format=markdown', 'format=document'],
  'change-request-content.page': ['format=markdown', 'format=document'],
  'comments.list': ['format=markdown', 'format=document'],
  'spaces.search': ['query=the'],
  'orgs.search': ['query=the'],
};

/** What says which things there are. */
const naming = new Set([
  ...namedResources.flatMap(({ lists }) => lists),
  ...further.map(({ operation }) => operation),
]);

/** A GET whose parents come before it: one list names what the next one reads. */
const reads = operations
  .filter(({ method }) => method === 'GET')
  .sort((a, b) => pathParameters(a.path).length - pathParameters(b.path).length);

/**
 * @param start what no list names
 * @param wanted the operations whose answers count
 */
export async function crawl(
  sandbox: Platform,
  token: string,
  fields: DeclaredFields,
  start: Place,
  wanted: ReadonlySet<string>,
): Promise<void> {
  const places: Place[] = [{}, start];
  const asked = new Set<string>();
  const counts = new Map<string, number>();
  const useful = reads.filter(({ id }) => naming.has(id) || wanted.has(id));
  for (let before = -1; before !== places.length; ) {
    before = places.length;
    for (const op of useful) await readAll(op);
  }

  async function readAll(op: AnyOperation): Promise<void> {
    const parameters = pathParameters(op.path);
    for (const place of [...places]) {
      if (!parameters.every((name) => name in place)) continue;
      const path = op.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(place[name] ?? ''),
      );
      if (asked.has(`${op.id} ${path}`)) continue;
      const count = (counts.get(op.id) ?? 0) + 1;
      if (parameters.length > 1 && count > mostOfAKind) break;
      counts.set(op.id, count);
      asked.add(`${op.id} ${path}`);
      for (const query of queries[op.id] ?? ['']) await read(op, place, `${path}?${query}`);
    }
  }

  async function read(op: AnyOperation, place: Place, url: string): Promise<void> {
    const isPage = op.returns.kind === 'page';
    const limit = isPage ? `&limit=${op.id.endsWith('links') ? fewLinks : paging.limit.maximum}` : '';
    const response = await sandbox.as(token).send('GET', url + limit);
    const text = await response.text();
    if ([403, 404].includes(response.status)) return;
    if (response.status !== 200) throw new Error(`${url}: ${response.status} ${text}`);
    const answer: unknown = JSON.parse(text);
    fields.note(op, answer);
    for (const more of named(op, answer)) places.push({ ...kept(place, op), ...more });
  }
}

/** The parameters that an operation's path uses. */
function kept(place: Place, { path }: AnyOperation): Place {
  return Object.fromEntries(pathParameters(path).map((name) => [name, place[name] ?? '']));
}

/** The ids that an answer names, by path parameter. */
function named(op: AnyOperation, answer: unknown): Place[] {
  const found = namedResources.flatMap(({ parameter, id, lists }) =>
    lists.includes(op.id) ? idsIn(answer, 'items', id).map((value) => ({ [parameter]: value })) : [],
  );
  const others = further.flatMap(({ parameter, operation, list, id }) =>
    operation === op.id ? idsIn(answer, list, id).map((value) => ({ [parameter]: value })) : [],
  );
  return [...found, ...others];
}

function idsIn(answer: unknown, list: string, id: string): string[] {
  const items = (answer as Record<string, unknown>)[list];
  if (!Array.isArray(items)) return [];
  return items.map((item) => String(valueAt(item, id)));
}
