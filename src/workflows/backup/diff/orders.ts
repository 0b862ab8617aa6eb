import { defined } from '../../../base/values.js';
import type { FileEntry } from '../folder/manifest.js';
import type { Named } from '../folder/names.js';
import { isOrder, isOrders } from '../read/orders.js';
import type { Difference, FieldChange } from '../report.js';
import { wordsOf } from './fields.js';
import { linesIn } from './lists.js';
import type { Files } from './side.js';

interface Side {
  folder: Files;
  files: readonly FileEntry[];
  spaces: readonly Named[];
}

interface Collection {
  id: string;
  title: string;
  parent?: string;
}

/** Ids of siblings by what they are in. */
type Orders = ReadonlyMap<string, readonly string[]>;

/**
 * Other orders of the spaces in a collection, and of collections in another or at the top. Only what both sides have
 * counts. @param top the organization, which collections at the top are told to be in
 * @throws DocsError configuration `bad_list`
 */
export async function* diffOrders(a: Side, b: Side, top: Named): AsyncGenerator<Difference> {
  const collections = [await collectionsIn(a), await collectionsIn(b)] as const;
  const named = [top, ...collections.flat(), ...a.spaces, ...b.spaces];
  const titles = new Map(named.map(({ id, title }) => [id, title]));
  if (differs(a, b, isOrders)) yield* diffLists(await ordersIn(a), await ordersIn(b), titles);
  if (differs(a, b, isCollections))
    yield* diffLists(siblingsIn(collections[0], top.id), siblingsIn(collections[1], top.id), titles);
}

function isCollections({ kind }: FileEntry): boolean {
  return kind === 'collections';
}

/** Whether both have such a list, and not the same. */
function differs(a: Side, b: Side, chosen: (entry: FileEntry) => boolean): boolean {
  const [before, after] = [a, b].map(({ files }) => files.find(chosen));
  return before !== undefined && after !== undefined && before.sha256 !== after.sha256;
}

async function collectionsIn({ folder, files }: Side): Promise<Collection[]> {
  const found: Collection[] = [];
  for await (const line of linesIn(folder, files.find(isCollections)?.path)) found.push(line as Collection);
  return found;
}

async function ordersIn({ folder, files }: Side): Promise<Orders> {
  const found = new Map<string, readonly string[]>();
  for await (const line of linesIn(folder, files.find(isOrders)?.path))
    if (isOrder(line)) found.set(line.collection, line.items);
  return found;
}

/** The list of collections has siblings in their order. */
function siblingsIn(collections: readonly Collection[], top: string): Orders {
  const found = new Map<string, string[]>();
  for (const { id, parent = top } of collections) found.set(parent, [...(found.get(parent) ?? []), id]);
  return found;
}

function* diffLists(
  before: Orders,
  after: Orders,
  titles: ReadonlyMap<string, string>,
): Generator<Difference> {
  for (const [id, items] of after) {
    const [old, now] = [new Set(before.get(id)), new Set(items)];
    const [was, is] = [[...old].filter((one) => now.has(one)), [...now].filter((one) => old.has(one))];
    if (was.join() === is.join()) continue;
    const called = (ids: readonly string[]) => ids.map((one) => titles.get(one) ?? one);
    const fields: FieldChange[] = [{ field: 'order', before: called(was), after: called(is) }];
    const title = titles.get(id);
    yield defined({ change: 'changed' as const, kind: 'order', id, title, detail: wordsOf(fields), fields });
  }
}
