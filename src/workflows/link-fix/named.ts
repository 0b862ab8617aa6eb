import { decoded } from '../../backup/pack-links.js';

/** What an address on a page names, whether or not that is there. */
export interface Named {
  /** Id of the space that it names; undefined for the one of the page. */
  space?: string;
  kind?: 'page' | 'file' | 'space';
  id?: string;
  /** Of a path, its last name without ending: `install` of `../guides/install.md`. */
  slug?: string;
  /** Of a path to a file, its name. */
  file?: string;
  /** The path as it is written, without what follows it. */
  path: string;
  /** Query and fragment as they are written. */
  rest: string;
}

const byId = /^(?:\/spaces\/([\w-]+))?(?:\/(pages|files)\/([\w-]+))?\/?$/;
const pageEnding = /\.(?:md|markdown|html?)$/i;

/** @returns undefined for an address with a scheme or a host, and for one within the page */
export function namedBy(address: string): Named | undefined {
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(address)) return undefined;
  const path = address.split(/[?#]/, 1)[0] ?? '';
  const rest = address.slice(path.length);
  const plain = decoded(path);
  if (plain === '' || plain === '/') return undefined;
  const [ids, space, kinds, id] = byId.exec(plain) ?? [];
  if (ids !== undefined) {
    const what = kinds === 'pages' ? ('page' as const) : ('file' as const);
    if (id === undefined) return { kind: 'space', ...(space !== undefined && { id: space }), path, rest };
    return { ...(space !== undefined && { space }), kind: what, id, path, rest };
  }
  const names = stepsOf(plain);
  const last = names.at(-1) ?? '';
  if (/\.[a-z0-9]{1,5}$/i.test(last) && !pageEnding.test(last))
    return { kind: 'file', file: last, path, rest };
  const isFolder = /^(?:readme|index)(?:\.\w+)?$/i.test(last);
  const slug = (isFolder ? (names.at(-2) ?? '') : last).replace(pageEnding, '');
  return { kind: 'page', ...(slug !== '' && { slug }), path, rest };
}

/** The names of a path to a page, as slugs have them: `archive`, `install` of `../archive/install.md`. */
export function namesIn(path: string): string[] {
  const names = stepsOf(decoded(path).toLowerCase());
  const last = names.pop();
  if (last === undefined) return [];
  return /^(?:readme|index)(?:\.\w+)?$/.test(last) ? names : [...names, last.replace(pageEnding, '')];
}

function stepsOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.' && name !== '..');
}

/** Whether a path says that it leads to a file of Markdown or HTML. */
export function hasPageEnding(path: string): boolean {
  return pageEnding.test(path);
}
