import { isObject } from '../base/values.js';
import { differences, type Item, idOf } from './items.js';

/** A page or a file that differs between two contents. */
export interface ChangedPart {
  kind: 'page' | 'file';
  id: string;
  before: Item | undefined;
  after: Item | undefined;
}

/** The pages and files that differ, those that went first. @param before as the platform shows a content */
export function changedContent(before: unknown, after: unknown): ChangedPart[] {
  if (!isObject(before) || !isObject(after)) return [];
  return [
    ...changedParts('page', pagesIn(before.pages), pagesIn(after.pages)),
    ...changedParts('file', filesIn(before.files), filesIn(after.files)),
  ];
}

function changedParts(kind: ChangedPart['kind'], before: readonly Item[], after: readonly Item[]) {
  const [was, is] = [byId(before), byId(after)];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((id): ChangedPart[] => {
    const part = { kind, id, before: was.get(id), after: is.get(id) };
    const isSame = Object.keys(differences(part.before ?? {}, part.after ?? {})).length === 0;
    return isSame ? [] : [part];
  });
}

function byId(items: readonly Item[]): Map<string, Item> {
  return new Map(items.map((item) => [idOf(item) ?? '', item]));
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
