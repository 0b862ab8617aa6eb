import { pagesAtPaths } from '../access/links/read-links.js';
import type { ContentFile, ContentPage } from '../api/resources/content.js';
import { decodePercent } from '../base/values.js';

/** Links in Markdown, replaced where they stand; the rest of the text stays as it is. */

/** Each with the target in its group, in angle brackets or not. */
const linkForms = [
  /\]\([ \t\n]{0,9}(<[^<>\n]{0,2000}>|[^\s()<>]{0,2000}(?:\([^\s()<>]{0,500}\)[^\s()<>]{0,500})?)(?:[ \t\n]{1,9}(?:"[^"\n]{0,500}"|'[^'\n]{0,500}'))?[ \t\n]{0,9}\)/dg,
  /^ {0,3}\[[^[\]\n]{1,200}\]:[ \t]{1,9}(<[^<>\n]{1,2000}>|[^\s<>]{1,2000})/dgm,
  /<(?:a|img|source|video|iframe|embed)\s[^<>]{0,500}?(?:href|src|url)\s{0,9}=\s{0,9}["']([^"'<>\n]{1,2000})["']/dgi,
  /\{%\s[^%\n]{0,500}?(?:url|src|href)="([^"\n]{1,2000})"/dg,
];

interface LinkTarget {
  start: number;
  end: number;
  target: string;
}

/** @param replaced the new target of a link, percent-encoded; undefined leaves it. Code is not read. */
export function rewriteLinks(markdown: string, replaced: (target: string) => string | undefined): string {
  let text = '';
  let at = 0;
  for (const { start, end, target } of linksIn(markdown)) {
    const other = start < at ? undefined : replaced(target);
    if (other === undefined) continue;
    text += markdown.slice(at, start) + other;
    at = end;
  }
  return text + markdown.slice(at);
}

function linksIn(markdown: string): LinkTarget[] {
  const prose = withoutCode(markdown);
  const found = linkForms.flatMap((form) =>
    Array.from(prose.matchAll(form), ({ indices }): LinkTarget => {
      const [start, end] = indices?.[1] ?? [0, 0];
      const bare = prose[start] === '<' ? { start: start + 1, end: end - 1 } : { start, end };
      return { ...bare, target: prose.slice(bare.start, bare.end) };
    }),
  );
  return found.sort((a, b) => a.start - b.start);
}

/** The text with spaces in place of code, so that all else is where it was. */
function withoutCode(markdown: string): string {
  let open: string | undefined;
  const lines = markdown.split('\n').map((line) => {
    const marks = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    const isCode = open !== undefined || marks !== undefined;
    if (open === undefined) open = marks;
    else if (marks?.startsWith(open) && line.trim() === marks) open = undefined;
    return isCode ? ' '.repeat(line.length) : line;
  });
  return lines.join('\n').replaceAll(/`+[^`\n]*`+/g, (code) => ' '.repeat(code.length));
}

/** Path from the folder of one file to another file, percent-encoded. */
export function relativePath(from: string, to: string): string {
  const there = to.split('/');
  const here = from.split('/').slice(0, -1);
  let shared = 0;
  while (shared < here.length && shared < there.length - 1 && here[shared] === there[shared]) shared += 1;
  return [...here.slice(shared).map(() => '..'), ...there.slice(shared).map(encoded)].join('/');
}

/** Path from the top, which links of a few pages need. */
export function absolutePath(to: string): string {
  return `/${to.split('/').map(encoded).join('/')}`;
}

function encoded(name: string): string {
  return encodeURIComponent(name).replaceAll(/[()'*!]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}

/** `base` and a path from there, without `.` and `..`. */
export function joined(base: readonly string[], path: string): string {
  const parts = [...base];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** What a link of a page leads to. */
interface Target {
  kind: 'page' | 'file';
  id: string;
  /** The path as it is written, without what follows it. */
  path: string;
  /** Query and fragment, as they are written. */
  rest: string;
}

/** The pages and files of a space that links may lead to. */
export interface LinkSource {
  space: { id: string };
  pages: readonly ContentPage[];
  files: readonly Pick<ContentFile, 'id' | 'name' | 'git'>[];
  /** The id of the file at a path below the folder of the space in the backup. */
  fileAt(path: string): string | undefined;
}

/**
 * Reads links as the platform does: `/pages/<id>` and `/files/<id>`; paths of pages and files, from the page or
 * from beside it; and as a backup has them, from its file to the file of what was an address for a download.
 * @returns a function of the id of a page, where its text is, and a target; undefined is what leads elsewhere
 */
export function linkReader(
  source: LinkSource,
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
    const found = path === '' ? undefined : find(pageId, from, decodePercent(path));
    return found && { ...found, path, rest: written.slice(path.length) };
  };
}

interface PackedPath {
  path: string;
  isParent: boolean;
}

function pathsOf(pages: readonly ContentPage[]): Map<string, PackedPath> {
  const places = new Map<string, PackedPath>();
  for (const { page, path } of pagesAtPaths(pages))
    places.set(page.id, { path, isParent: (page.pages ?? []).length > 0 });
  return places;
}

/** A page with others below it counts as the README of their folder, another one as a file beside its siblings. */
function candidates(place: PackedPath | undefined, path: string): string[] {
  const within = place?.path.split('/') ?? [];
  const beside = within.slice(0, -1);
  if (path.startsWith('/')) return [joined([], path)];
  if (place?.isParent) return [joined(within, path), joined(beside, path)];
  return path.startsWith('..') ? [joined(beside, path)] : [joined(beside, path), joined(within, path)];
}

function pagePath(path: string): string {
  return path.replace(/\.(?:md|markdown|html?)$/i, '').replace(/(?:^|\/)(?:readme|index)$/i, '');
}
