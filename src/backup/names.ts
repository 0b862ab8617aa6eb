import type { ContentPage } from '../api/resources/content.js';
import { distinctFileName, fileNameKey, safeFileName } from '../base/write-file.js';

/**
 * Names of files and folders from titles: safe on every file system, and the same in every run as long
 * as titles and ids are the same. If several would have one name, the lowest id gets it, and the others
 * carry a part of their id.
 */

/** Longest name of a folder made from a title, in bytes; some systems allow 260 for a whole path. */
const mostBytes = 60;
/** Longest name of a file that the platform gave, in bytes. */
const mostFileBytes = 100;
/** Longest path of a page below the folder of its content, in bytes; deeper ones are kept side by side. */
const mostPathBytes = 160;
const idBytes = 8;
/** Folder of pages whose path would be too long. No title becomes this name. */
const deepFolder = '_deep';

export interface Named {
  id: string;
  title: string;
}

export function namesOf(items: readonly Named[]): Map<string, string> {
  const marked = (name: string, mark: string) => `${safeFileName(name, mostBytes - idBytes - 1)}~${mark}`;
  return distinctNames(items, plainName, marked);
}

/** The name of a file for each, by id: what the platform calls it, with its ending. */
export function fileNamesOf(items: readonly Named[]): Map<string, string> {
  const plain = ({ title }: Named) => safeFileName(title.replaceAll(/[/\\]/g, '-'), mostFileBytes);
  return distinctNames(items, plain, (name, mark) => {
    const dot = name.lastIndexOf('.');
    return dot <= 0 ? `${name}~${mark}` : `${name.slice(0, dot)}~${mark}${name.slice(dot)}`;
  });
}

function distinctNames(
  items: readonly Named[],
  plain: (item: Named) => string,
  marked: (name: string, mark: string) => string,
): Map<string, string> {
  const names = new Map<string, string>();
  const used = new Set<string>();
  const take = (id: string, name: string): boolean => {
    const key = fileNameKey(name);
    if (used.has(key)) return false;
    used.add(key);
    names.set(id, name);
    return true;
  };
  const sorted = [...items].sort((a, b) => (a.id < b.id ? -1 : 1));
  const late = sorted.filter((item) => !take(item.id, plain(item)));
  for (const item of late) {
    const name = marked(plain(item), safeId(item.id).slice(0, idBytes));
    const free = distinctFileName(name, (key) => used.has(key));
    take(item.id, free);
  }
  return names;
}

/** A title as a name, or its id if nothing of it is left. Without dots, so that no folder looks like a file. */
function plainName({ id, title }: Named): string {
  const words = title.replaceAll(/[/\\.]/g, '-').replace(/^[\s_-]+/, '');
  const name = safeFileName(words, mostBytes).replaceAll('.', '-');
  if (fileNameKey(name) === deepFolder) return name.slice(1);
  return words === '' ? safeId(id) : name;
}

function safeId(id: string): string {
  return safeFileName(id.replaceAll(/[/\\.]/g, '-'), mostBytes);
}

export interface PlacedPage {
  page: ContentPage;
  /** `guides/install`, without an ending. */
  path: string;
}

/** Every page of a tree, each before those below it, in folders that follow the tree. */
export function placePages(pages: readonly ContentPage[]): PlacedPage[] {
  const placed: PlacedPage[] = [];
  const deep: ContentPage[] = [];
  const place = (level: readonly ContentPage[], above: string): void => {
    const names = namesOf(level.map(({ id, title, slug }) => ({ id, title: slug || title })));
    for (const page of level) {
      const path = `${above}${names.get(page.id)}`;
      const fits = Buffer.byteLength(path) <= mostPathBytes;
      if (fits) placed.push({ page, path });
      else deep.push(page);
      place(page.pages ?? [], fits ? `${path}/` : `${above}${'x'.repeat(mostPathBytes)}/`);
    }
  };
  place(pages, '');
  const names = namesOf(deep.map(({ id }) => ({ id, title: id })));
  return [...placed, ...deep.map((page) => ({ page, path: `${deepFolder}/${names.get(page.id)}` }))];
}
