import { isDeepStrictEqual } from 'node:util';
import {
  type ContentFile,
  ContentPage,
  type ReusableContent,
  type Revision,
} from '../api/resources/content.js';
import type { Static } from '../api/type.js';
import { textVersionOf, versionOfFile } from '../backup/staleness.js';
import { longestIncreasing } from '../base/longest-increasing.js';
import { defined } from '../base/values.js';
import { type ChangeWord, type ContentChange, changeOf, type Location } from './change.js';

/** What of two contents differs, from their lists alone: what moved, and which texts have to be read. */

export interface Difference {
  /** All but the text. */
  change: ContentChange;
  /** Which texts tell the rest. */
  reads: 'none' | 'before' | 'after' | 'both';
}

/** Properties of a page that are not settings: its place, its text, and what other properties decide. */
const notSettings = new Set([
  ...['id', 'type', 'title', 'slug', 'path', 'pages', 'urls', 'createdAt', 'updatedAt'],
  ...['markdown', 'document', 'documentId', 'git', 'computedSeed'],
]);
const settings = Object.keys(ContentPage.properties).filter((name) => !notSettings.has(name));

/**
 * The differences in the order of the pages as they will be; then what is removed, files, and reusable content.
 * Pages whose lists do not show that their texts are the same are among them, to be read.
 */
export function compareContent(before: Revision, after: Revision): Difference[] {
  return [
    ...comparePages(placedPages(before.pages), placedPages(after.pages)),
    ...compareFiles(before.files, after.files),
    ...compareReusable(before.reusableContents ?? [], after.reusableContents ?? []),
  ];
}

type Pages = ReadonlyMap<string, PlacedPage>;

function comparePages(before: Pages, after: Pages): Difference[] {
  const moved = movedPages(before, after);
  const found: Difference[] = [];
  for (const [id, page] of after) {
    const old = before.get(id);
    if (old === undefined) found.push({ change: pageChange(page, ['added']), reads: 'after' });
    else {
      const difference = comparePage(old, page, moved.has(id));
      if (difference !== undefined) found.push(difference);
    }
  }
  for (const [id, page] of before)
    if (!after.has(id)) found.push({ change: pageChange(page, ['removed']), reads: 'before' });
  return found;
}

function comparePage(old: PlacedPage, now: PlacedPage, isMoved: boolean): Difference | undefined {
  const changes: ChangeWord[] = [];
  if (isMoved) changes.push('moved');
  if (old.page.title !== now.page.title || slugOf(old.page) !== slugOf(now.page)) changes.push('renamed');
  const fields = differingFields(old.page, now.page);
  if (fields.length > 0) changes.push('settings');
  const version = textVersionOf(now.page);
  const reads = version !== undefined && version === textVersionOf(old.page) ? 'none' : 'both';
  if (changes.length === 0 && reads === 'none') return undefined;
  const change = pageChange(now, changes);
  if (fields.length > 0) change.fields = fields;
  if (isMoved || changes.includes('renamed')) {
    change.from = placeOf(old);
    change.to = placeOf(now);
  }
  return { change, reads };
}

/** The last part of a page's path, which the page itself determines. */
function slugOf({ slug, path }: ContentPage): string | undefined {
  return slug ?? path?.split('/').at(-1);
}

function differingFields(old: ContentPage, now: ContentPage): NonNullable<ContentChange['fields']> {
  const [was, is]: Record<string, unknown>[] = [old, now];
  return settings.flatMap((field) => {
    const [from, to] = [was?.[field], is?.[field]];
    // What is off need not be mentioned by the platform.
    if (isDeepStrictEqual(from ?? false, to ?? false)) return [];
    return [{ field, ...defined({ from, to }) }];
  });
}

function pageChange({ page }: PlacedPage, changes: ChangeWord[]): ContentChange {
  const { id, title, path } = page;
  return { kind: 'page', id, title, ...defined({ path }), change: changeOf(changes), changes };
}

function placeOf({ page: { title, path }, parent, position }: PlacedPage): Location {
  return { title, ...defined({ path, parent }), position };
}

/** Pages with another page above them, and the fewest of the others that explain the order. */
function movedPages(before: Pages, after: Pages): Set<string> {
  const moved = new Set<string>();
  const [was, is] = [new Map<string, string[]>(), new Map<string, string[]>()];
  for (const [id, { parent = '' }] of after) {
    const old = before.get(id);
    if (old === undefined) continue;
    if ((old.parent ?? '') !== parent) moved.add(id);
    else listIn(is, parent).push(id);
  }
  for (const [id, { parent = '' }] of before)
    if (after.has(id) && !moved.has(id)) listIn(was, parent).push(id);
  for (const [parent, ids] of is) for (const id of movedIds(listIn(was, parent), ids)) moved.add(id);
  return moved;
}

function listIn(lists: Map<string, string[]>, key: string): string[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

/** Files on both sides whose bytes may differ though name and size are the same: no hash of them is known. */
export function filesWithoutHash(before: Revision, after: Revision): number {
  const was = byId(before.files);
  return after.files.filter((file) => {
    const old = was.get(file.id);
    return old !== undefined && !bothHashed(old, file) && sameVersion(old, file);
  }).length;
}

function bothHashed(one: ContentFile, other: ContentFile): boolean {
  return one.git?.oid !== undefined && other.git?.oid !== undefined;
}

/** A hash that only one side has tells nothing. */
function sameVersion(one: ContentFile, other: ContentFile): boolean {
  if (bothHashed(one, other)) return versionOfFile(one) === versionOfFile(other);
  const [{ git: _, ...old }, { git: __, ...now }] = [one, other];
  return versionOfFile(old) === versionOfFile(now);
}

/** A file that was taken away and one of its name that came instead are one that was replaced. */
function compareFiles(before: readonly ContentFile[], after: readonly ContentFile[]): Difference[] {
  const [was, is] = [byId(before), byId(after)];
  const gone = new Map([...was.values()].flatMap((file) => (is.has(file.id) ? [] : [[file.name, file]])));
  const found: ContentChange[] = [];
  for (const file of is.values()) {
    const old = was.get(file.id) ?? gone.get(file.name);
    if (old === undefined) found.push(fileChange(file, ['added']));
    else if (!sameVersion({ ...old, id: file.id }, file) || old.id !== file.id) {
      gone.delete(old.name);
      const renamed = old.name !== file.name;
      const other = !sameVersion({ ...old, id: file.id, name: file.name }, file);
      const changes: ChangeWord[] = [];
      if (renamed) changes.push('renamed');
      if (other || old.id !== file.id) changes.push('replaced');
      const names = { from: { title: old.name }, to: { title: file.name } };
      found.push({ ...fileChange(file, changes), ...(renamed && names), ...sizes(old, file) });
    }
  }
  found.push(...[...gone.values()].map((file) => fileChange(file, ['removed'])));
  return found.map((change) => ({ change, reads: 'none' }));
}

function sizes(old: ContentFile, now: ContentFile): Pick<ContentChange, 'fields'> {
  return old.size === now.size ? {} : { fields: [{ field: 'size', from: old.size, to: now.size }] };
}

function fileChange({ id, name }: ContentFile, changes: ChangeWord[]): ContentChange {
  return { kind: 'file', id, title: name, change: changeOf(changes), changes };
}

type Reusable = Static<typeof ReusableContent>;

/** The platform gives no text of these: only which document each has. */
function compareReusable(before: readonly Reusable[], after: readonly Reusable[]): Difference[] {
  const [was, is] = [byId(before), byId(after)];
  const found: ContentChange[] = [];
  const change = ({ id, title }: Reusable, changes: ChangeWord[]): ContentChange => ({
    kind: 'reusable-content',
    ...{ id, title, change: changeOf(changes), changes },
  });
  for (const one of is.values()) {
    const old = was.get(one.id);
    const changes: ChangeWord[] = [];
    if (old === undefined) changes.push('added');
    else if (old.title !== one.title) changes.push('renamed');
    if (old !== undefined && (old.document !== one.document || old.git?.oid !== one.git?.oid))
      changes.push('edited');
    const names = { from: { title: old?.title ?? '' }, to: { title: one.title } };
    if (changes.length > 0)
      found.push({ ...change(one, changes), ...(changes.includes('renamed') && names) });
  }
  for (const one of was.values()) if (!is.has(one.id)) found.push(change(one, ['removed']));
  return found.map((one) => ({ change: one, reads: 'none' }));
}

function byId<T extends { id: string }>(items: readonly T[]): Map<string, T> {
  return new Map(items.map((item) => [item.id, item]));
}

/**
 * The fewest ids that must move for one order to become the other: all but those of a longest run that keeps its
 * order.
 * @param before the same ids as `after`, each once
 */
export function movedIds(before: readonly string[], after: readonly string[]): Set<string> {
  const place = new Map(before.map((id, index) => [id, index]));
  const kept = longestIncreasing(after.map((id) => place.get(id)));
  return new Set(after.filter((_, index) => !kept.has(index)));
}

/** A page with its place in the tree. */
interface PlacedPage {
  page: ContentPage;
  /** Id of the page above it; undefined at the top. */
  parent: string | undefined;
  /** Among the pages beside it, from 1. */
  position: number;
}

/** All pages by id, each before those below it. A tree may be deeper than the call stack; of two with one id, the first counts. */
export function placedPages(pages: readonly ContentPage[]): Map<string, PlacedPage> {
  const placed = new Map<string, PlacedPage>();
  const waiting: PlacedPage[] = [];
  const add = (below: readonly ContentPage[], parent: string | undefined) => {
    for (let index = below.length - 1; index >= 0; index -= 1) {
      const page = below[index];
      if (page !== undefined) waiting.push({ page, parent, position: index + 1 });
    }
  };
  add(pages, undefined);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { id, pages: below = [] } = next.page;
    if (placed.has(id)) continue;
    placed.set(id, next);
    add(below, id);
  }
  return placed;
}
