import { searchOrg } from '../../api/resources/orgs.js';
import { searchSpace } from '../../api/resources/spaces.js';
import { spaceRank } from '../access.js';
import { matchesOf, searchPages, toSearchPage } from '../content/search.js';
import { handle } from '../handle.js';
import type { SpaceRow } from '../records/space.js';
import { fold } from '../text.js';

export const handlers = [
  handle(searchSpace, ({ db, space, query, page }) => {
    const matches = matchesOf(db, query.query);
    return page.of({
      entries: searchPages(db, space, matches),
      key: ({ key }) => key,
      item: ({ placed }) => toSearchPage(db, space, placed, matches),
    });
  }),

  /** The spaces visible to the caller that contain a match, or whose title contains the text. */
  handle(searchOrg, ({ db, org, caller, query, page }) => {
    const [rank, ...values] = spaceRank(caller);
    const spaces = db.all<SpaceRow>(
      `SELECT s.* FROM space_caps caps JOIN spaces s ON s.id = caps.space_id
       WHERE caps.org_id = ? AND ${rank} > 0 ORDER BY s.id`,
      ...[org.id, ...values],
    );
    const matches = matchesOf(db, query.query);
    const found = spaces.map((space) => ({ space, hits: searchPages(db, space, matches) }));
    return page.of({
      entries: found.filter(({ space, hits }) => hits.length > 0 || holds(space.title, query.query)),
      key: ({ space }) => space.id,
      item: ({ space, hits }) => ({
        id: space.id,
        title: space.title,
        pages: hits.map(({ placed }) => toSearchPage(db, space, placed, matches)),
      }),
    });
  }),
];

function holds(title: string, text: string): boolean {
  return text.trim() !== '' && fold(title).includes(fold(text.trim()));
}
