import { searchOrg } from '../../api/resources/orgs.js';
import { searchSpace } from '../../api/resources/spaces.js';
import { spaceRank } from '../access.js';
import { type Answer, handle } from '../handle.js';
import type { SpaceRow } from '../records/in-path.js';
import type { Database } from '../store/database.js';
import { fold } from '../store/rows.js';
import { plainText, sectionsOf } from './markdown.js';
import { type PlacedPage, snapshotOf } from './revisions.js';
import { markdownOf } from './versions.js';
import { appOf } from './view.js';

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

type FoundPage = Answer<typeof searchSpace>['items'][number];
type FoundSection = FoundPage['sections'][number];

/** Length of the excerpt around the first match, in characters. */
const excerptLength = 300;

/** The words of a query as the index stores them; other characters are dropped, as they are query language. */
function wordsOf(query: string): string[] {
  return simplify(query).match(/[\p{L}\p{N}\p{Co}]+/gu) ?? [];
}

/** A matching page with its sort key. */
interface Hit {
  placed: PlacedPage;
  /** Title matches first, then by path. */
  key: string;
}

/** The page versions, of all spaces and revisions, that match a search. */
interface Matches {
  words: readonly string[];
  all: ReadonlySet<number>;
  /** Versions with every word in the title. */
  titled: ReadonlySet<number>;
}

/**
 * Finds page versions that contain, in title, description or text, words that start with those of the query.
 * A query without words matches nothing.
 */
function matchesOf(db: Database, query: string): Matches {
  const words = wordsOf(query);
  if (words.length === 0) return { words, all: new Set(), titled: new Set() };
  const phrase = `(${words.map((word) => `"${word}"*`).join(' AND ')})`;
  return { words, all: versionsWith(db, phrase), titled: versionsWith(db, `title : ${phrase}`) };
}

function searchPages(db: Database, space: SpaceRow, { all, titled }: Matches): Hit[] {
  if (all.size === 0) return [];
  const { pageById } = snapshotOf(db, space, space.revision_id);
  const hits = Array.from(pageById.values())
    .filter(({ page }) => all.has(page.version))
    .map((placed) => ({ placed, key: `${titled.has(placed.page.version) ? 0 : 1} ${placed.path}` }));
  return hits.sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** A match with the sections that contain one of the words (spec B, "Space search item"). */
function toSearchPage(db: Database, space: SpaceRow, placed: PlacedPage, { words }: Matches): FoundPage {
  const { page, path } = placed;
  const sections = sectionsOf(markdownOf(db, page.version)).flatMap((section): FoundSection[] => {
    const text = plainText(section.markdown).replaceAll(/\s+/g, ' ').trim();
    const at = firstWord(text, words);
    if (at === -1 && firstWord(section.title, words) === -1) return [];
    const place = section.anchor === '' ? path : `${path}#${section.anchor}`;
    const id = section.anchor === '' ? page.page_id : `${page.page_id}-${section.anchor}`;
    const body = excerpt(text, Math.max(at, 0));
    return [
      { id, title: section.title || page.title, path: place, body, urls: { app: appOf({ space }, place) } },
    ];
  });
  return { id: page.page_id, title: page.title, path, sections, urls: { app: appOf({ space }, path) } };
}

function versionsWith(db: Database, match: string): Set<number> {
  const sql = 'SELECT rowid FROM page_search WHERE page_search MATCH ?';
  return new Set(db.all<{ rowid: number }>(sql, match).map(({ rowid }) => rowid));
}

/** Index of the first word of the text that starts with one of the words; -1 if there is none. */
function firstWord(text: string, words: readonly string[]): number {
  const simple = simplify(text);
  return simple.search(new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})`, 'u'));
}

function excerpt(text: string, at: number): string {
  const letters = [...text];
  if (letters.length <= excerptLength) return text;
  const start = Math.max(0, Math.min([...text.slice(0, at)].length - 60, letters.length - excerptLength));
  const end = start + excerptLength;
  return `${start > 0 ? '…' : ''}${letters.slice(start, end).join('')}${end < letters.length ? '…' : ''}`;
}

/** Lower case, without accents: what the tokenizer of the index does (unicode61, remove_diacritics 2). */
function simplify(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
