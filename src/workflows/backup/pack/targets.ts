import type { ContentPage } from '../../../api/resources/content.js';
import { decoded, joined } from './links.js';
import type { PackSource } from './source.js';

/** What a link of a page leads to. */
export interface Target {
  kind: 'page' | 'file';
  id: string;
  /** The path as it is written, without what follows it. */
  path: string;
  /** Query and fragment, as they are written. */
  rest: string;
}

/**
 * Reads links as the platform does: `/pages/<id>` and `/files/<id>`; paths of pages and files, from the page or
 * from beside it; and as a backup has them, from its file to the file of what was an address for a download.
 * @returns a function of the id of a page, where its text is, and a target; undefined is what leads elsewhere
 */
export function linkReader(
  source: Pick<PackSource, 'pages' | 'fileAt'> & {
    space: { id: string };
    files: readonly Pick<PackSource['files'][number], 'id' | 'name' | 'git'>[];
  },
): (pageId: string, from: string, written: string) => Target | undefined {
  const places = pathsOf(source.pages);
  const pageAt = new Map([...places].map(([id, { path }]) => [path, id]));
  const fileAt = new Map(source.files.map(({ id, name, git }) => [git?.path ?? name, id]));
  const fileIds = new Set(source.files.map(({ id }) => id));
  const things = /^(?:\/spaces\/([\w-]+))?\/(pages|files)\/([\w-]+)\/?$/;
  const find = (pageId: string, from: string, path: string): Pick<Target, 'kind' | 'id'> | undefined => {
    const [, space = source.space.id, kinds, id = ''] = things.exec(path) ?? [];
    if (space !== source.space.id) return undefined;
    if (kinds !== undefined) {
      const kind = kinds === 'pages' ? 'page' : 'file';
      return (kind === 'page' ? places : fileIds).has(id) ? { kind, id } : undefined;
    }
    const kept = path.startsWith('/') ? undefined : source.fileAt(joined(from.split('/').slice(0, -1), path));
    if (kept !== undefined) return { kind: 'file', id: kept };
    for (const candidate of candidates(places.get(pageId), path)) {
      const page = pageAt.get(pagePath(candidate));
      if (page !== undefined) return { kind: 'page', id: page };
      const file = fileAt.get(candidate);
      if (file !== undefined) return { kind: 'file', id: file };
    }
    return undefined;
  };
  return (pageId, from, written) => {
    if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(written)) return undefined;
    const path = written.split(/[?#]/, 1)[0] ?? '';
    const found = path === '' ? undefined : find(pageId, from, decoded(path));
    return found && { ...found, path, rest: written.slice(path.length) };
  };
}

interface Place {
  path: string;
  isParent: boolean;
}

function pathsOf(pages: readonly ContentPage[]): Map<string, Place> {
  const places = new Map<string, Place>();
  const add = (level: readonly ContentPage[], above: string): void => {
    for (const { id, slug, title, path, pages: below = [] } of level) {
      const own = path ?? above + (slug || title);
      places.set(id, { path: own, isParent: below.length > 0 });
      add(below, `${own}/`);
    }
  };
  add(pages, '');
  return places;
}

/** A page with others below it counts as the README of their folder, another one as a file beside its siblings. */
function candidates(place: Place | undefined, path: string): string[] {
  const within = place?.path.split('/') ?? [];
  const beside = within.slice(0, -1);
  if (path.startsWith('/')) return [joined([], path)];
  if (place?.isParent) return [joined(within, path), joined(beside, path)];
  return path.startsWith('..') ? [joined(beside, path)] : [joined(beside, path), joined(within, path)];
}

function pagePath(path: string): string {
  return path.replace(/\.(?:md|markdown|html?)$/i, '').replace(/(?:^|\/)(?:readme|index)$/i, '');
}
