import { defined } from '../../base/values.js';
import { type AddressBook, decoded } from './addresses.js';
import type { LinkTarget, LinkVia } from './link-target.js';
import { anchorOf, idsOf, type Link } from './reference.js';

/** What a link leads to, and how that is known. */
export interface FoundTarget {
  to: LinkTarget;
  /** Undefined for an address that is none of the platform, or none that is known. */
  via: LinkVia | undefined;
}

/**
 * The target of a link: by the ids of its reference, else by the address as it is written.
 * @param from the space that the link is in, whose pages and files a reference may name without it
 */
export function targetOf(
  link: Pick<Link, 'status' | 'targetReference'>,
  from: string,
  book: AddressBook,
): FoundTarget {
  const ids = idsOf(link.targetReference);
  const { url, page, file, space = from, kind } = ids;
  const anchor = anchorOf(link.targetReference);
  if (page !== undefined) return reference(inPage(defined({ space, page, anchor, url })));
  if (file !== undefined) return reference(defined({ kind: 'file' as const, space, file, url }));
  const isSpace = kind === 'space' || (kind === undefined && ids.space !== undefined);
  if (url === undefined) return reference(isSpace ? { kind: 'space', space } : { kind: 'address' });
  const found = writtenTarget(url, from) ?? book.find(url, link.status);
  if (found !== undefined) return found;
  // A path that is broken was looked up by the platform.
  const isPath = !/^[a-z][a-z0-9+.-]*:|^\/\//i.test(url);
  return { to: { kind: 'address', url }, via: isPath ? 'reference' : undefined };
}

/**
 * What a path stands for that names its target by id: `/spaces/<id>`, `/spaces/<id>/pages/<id>`, `/files/<id>`.
 * The platform gives it in place of a reference where there is no target, or none that the token can see.
 */
function writtenTarget(url: string, from: string): FoundTarget | undefined {
  const found = /^(?:\/spaces\/([\w-]+))?(?:\/(pages|files)\/([\w-]+))?\/?(?:\?[^#]*)?(?:#(.*))?$/.exec(url);
  const [, space = from, kind, id, hash] = found ?? [];
  if (found === null || (found[1] === undefined && id === undefined)) return undefined;
  if (kind === undefined || id === undefined) return reference({ kind: 'space', space, url });
  if (kind === 'files') return reference({ kind: 'file', space, file: id, url });
  return reference(inPage(defined({ space, page: id, anchor: hash ? decoded(hash) : undefined, url })));
}

function inPage(of: Omit<LinkTarget, 'kind'>): LinkTarget {
  return { kind: of.anchor === undefined ? 'page' : 'anchor', ...of };
}

function reference(to: LinkTarget): FoundTarget {
  return { to, via: 'reference' };
}
