import { decoded, joined } from '../../backup/pack-links.js';
import type { Finding } from '../link-check/finding.js';
import type { SpaceContent } from './contents.js';
import { namedBy } from './named.js';
import type { WrittenLink } from './written-link.js';

/** Which links of a text a finding is about: the platform names the target, and not its places in the text. */

/** A finding, with the links of the text that lead to its target. */
export interface Matched {
  finding: Finding;
  links: readonly WrittenLink[];
}

/**
 * Finds the links of each finding. Those whose address the platform does not tell are the broken ones that nothing
 * else names, if there are as many.
 */
export function matched(
  findings: readonly Finding[],
  links: readonly WrittenLink[],
  content: SpaceContent,
  pageId: string,
): Matched[] {
  const keyed = links.flatMap((link) => {
    const key = keyOf(link.address, content, pageId);
    return key === undefined ? [] : [{ link, key }];
  });
  const wanted = findings.map(({ target }) => keyOfTarget(target, content, pageId));
  const free = [...new Set(keyed.map(({ key }) => key))].filter((key) => !wanted.includes(key));
  const untold = wanted.filter((key) => key === undefined).length;
  const rest = free.filter((key) => isLost(key));
  return findings.map((finding, index) => {
    const key = wanted[index] ?? (rest.length === untold ? rest.shift() : undefined);
    return { finding, links: keyed.filter((one) => one.key === key).map(({ link }) => link) };
  });
}

/** The same for all addresses that lead to the same target, whether it is there or not. */
function keyOf(address: string, content: SpaceContent, pageId: string): string | undefined {
  const named = namedBy(address);
  if (named === undefined) return undefined;
  const { space = content.space.id, kind, id, path } = named;
  if (kind === 'space') return `space ${id}`;
  if (id !== undefined)
    return space === content.space.id && isThere(content, kind, id)
      ? `there ${id}`
      : `${kind} ${space} ${id}`;
  const found = content.read(pageId, '', address);
  if (found !== undefined) return `there ${found.id}`;
  const place = content.byId.get(pageId);
  const within = place?.path.split('/') ?? [];
  const isParent = (place?.page.pages ?? []).length > 0;
  const base = path.startsWith('/') ? [] : isParent ? within : within.slice(0, -1);
  return `path ${pagePath(joined(base, decoded(path)))}`;
}

function isThere({ byId, files }: SpaceContent, kind: string | undefined, id: string): boolean {
  return kind === 'page' ? byId.has(id) : files.some((file) => file.id === id);
}

/** Whether a key is of a path or an id of the space that leads nowhere. */
function isLost(key: string): boolean {
  return key.startsWith('path ') || key.startsWith('page ') || key.startsWith('file ');
}

/** The same for a target as the platform tells it; undefined where it does not. */
export function keyOfTarget(
  { url, page, file, space }: Finding['target'],
  content: SpaceContent,
  pageId: string,
): string | undefined {
  if (url !== undefined) return keyOf(url, content, pageId) ?? `url ${url}`;
  const where = space ?? content.space.id;
  if (page !== undefined) return `page ${where} ${page}`;
  if (file !== undefined) return `file ${where} ${file}`;
  return space === undefined ? undefined : `space ${space}`;
}

/** As the platform looks up pages: without the ending, and without the name of the page of a folder. */
function pagePath(path: string): string {
  return path.replace(/\.(?:md|markdown|html?)$/i, '').replace(/(?:^|\/)(?:readme|index)$/i, '');
}

/**
 * The target with a new path, and its query and fragment as they stand.
 * @returns undefined where escapes make it uncertain what follows the path
 */
export function rewritten({ raw, address }: WrittenLink, path: string): string | undefined {
  const named = namedBy(address);
  if (named === undefined) return undefined;
  const { rest } = named;
  if (raw === address) return path + rest;
  // What was escaped is written anew, so it must need no escape.
  return /^[\w\-.~!$',;:@/?#%=+]*$/.test(rest) ? path + rest : undefined;
}
