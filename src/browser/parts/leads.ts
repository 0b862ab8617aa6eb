import { targetIn } from '../../sandbox/content/links.js';
import type { PlacedPage, Snapshot } from '../../sandbox/content/snapshot.js';
import type { SpaceRow } from '../../sandbox/records/space.js';
import type { Database } from '../../sandbox/store/database.js';
import { spacePath } from './address.js';
import type { Leads } from './markdown.js';

/** Where the links of a text lead, by the rules of the platform's own lists of links. */

/** Addresses of texts that are on no page: only what is elsewhere is a link. */
export const leadsElsewhere: Leads = { inside: () => undefined, picture: () => undefined };

interface PageAt {
  db: Database;
  space: SpaceRow;
  snapshot: Snapshot;
  placed: PlacedPage;
}

export function leadsFrom({ placed, ...content }: PageAt): Leads {
  const { space, snapshot } = content;
  const found = (url: string) => {
    const { target, status } = targetIn(content, placed, url) ?? {};
    return status === 'ok' ? target : undefined;
  };
  return {
    inside(url) {
      const target = found(url);
      if (target === undefined || target.kind === 'url') return undefined;
      const at = (id: string, ...rest: string[]) => spacePath(space.org_id, id, ...rest);
      if (target.kind === 'page') return at(space.id, 'pages', target.page) + fragmentOf(url);
      if (target.kind === 'file') return at(space.id, 'files', target.file);
      if (target.page !== undefined) return at(target.space, 'pages', target.page);
      return target.file === undefined ? at(target.space) : at(target.space, 'files', target.file);
    },
    picture(url) {
      const target = found(url);
      if (target?.kind !== 'file') return undefined;
      const isPicture = snapshot.fileById.get(target.file)?.content_type.startsWith('image/');
      return isPicture ? spacePath(space.org_id, space.id, 'files', target.file) : undefined;
    },
  };
}

/** The fragment of an address, as headings of rendered pages have it. */
function fragmentOf(url: string): string {
  const at = url.indexOf('#');
  return at < 0 ? '' : `#at-${url.slice(at + 1)}`;
}
