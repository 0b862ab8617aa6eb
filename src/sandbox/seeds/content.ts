import {
  addRevision,
  type PageNode,
  type PlacedPage,
  type Revision,
  revisionOf,
  snapshotOf,
} from '../content/revisions.js';
import {
  sampleFiles,
  samplePages,
  type Writing,
  type WrittenFile,
  type WrittenPage,
  writeFiles,
  writePage,
  writePages,
} from '../content/sample-pages.js';
import { markdownOf, putReusable } from '../content/versions.js';
import { appUrl } from '../records/fields.js';
import { type SpaceRow, spaceById } from '../records/in-path.js';
import { found } from '../refusal.js';
import type { Database } from '../store/database.js';
import { insert, slugOf } from '../store/rows.js';
import type { Random, Seeding } from './seeding.js';
import words from './words.json' with { type: 'json' };

/** Total pages of Acme in `acme`; a merged change request adds the last one. */
const acmePages = 3000 - 1;
/** Change requests of Acme in `acme`, all its spaces together. */
const acmeChangeRequests = 120;

/**
 * Adds the first pages of spaces by permanent name; the sample pages and files to `welcome`.
 * @returns the number of Acme's pages
 */
export function addContents(
  seeding: Seeding,
  pages: Readonly<Record<string, readonly WrittenPage[]>>,
): number {
  const all = { welcome: samplePages, ...seeding.named(pages) };
  for (const [key, written] of Object.entries(all))
    addContent(seeding, seeding.id(`space ${key}`), written, key === 'welcome' ? sampleFiles() : []);
  const { globex: _, ...acme } = all as Readonly<Record<string, readonly WrittenPage[]>>;
  return Object.values(acme).reduce((sum, written) => sum + countPages(written), 0);
}

/** Adds pages to the spaces of Acme that have none: 3,000 in all. @param count of the pages that there are */
export function addFurtherContents(seeding: Seeding, count: number): void {
  const { db, id, random } = seeding;
  const left = acmePages - count;
  const spaces = db.all<{ id: string; title: string }>(
    `SELECT id, title FROM spaces s WHERE org_id = ?
       AND NOT EXISTS (SELECT 1 FROM revisions r WHERE r.space_id = s.id) ORDER BY created_at, id`,
    id('org acme'),
  );
  const upTo = (index: number) => Math.floor((left * index) / spaces.length);
  for (const [index, space] of spaces.entries()) {
    const files = index % 3 === 0 ? sampleFiles() : [];
    const pages = furtherPages(random, space.title, upTo(index + 1) - upTo(index), files.length > 0);
    addContent(seeding, space.id, withLinksAcross(seeding, index, pages), files);
  }
}

/** The first revision of a space, under the id that the space names. */
function addContent(
  { db, id, daysAgo }: Seeding,
  spaceId: string,
  pages: readonly WrittenPage[],
  files: readonly WrittenFile[],
): void {
  const space = found(spaceById(db, spaceId), 'space', spaceId);
  const at = Math.min(space.created_at + 3_600_000, daysAgo(0));
  const writing: Writing = { db, spaceId, at, idOf: (path) => id(`${spaceId} ${path}`) };
  addRevision(db, {
    id: space.revision_id,
    spaceId,
    changeRequestId: null,
    parents: [],
    message: 'Write the first pages',
    authorId: null,
    createdAt: at,
    pages: writePages(writing, pages),
    files: writeFiles(writing, files),
    reusables: files.length > 0 ? [addReusable(writing)] : [],
  });
}

function addReusable({ db, spaceId, idOf }: Writing) {
  const path = '_includes/support.md';
  const id = idOf(path);
  const markdown = 'Questions? Write to [support](mailto:support@acme.example).';
  return { id, version: putReusable(db, spaceId, { reusableId: id, title: 'Support', path, markdown }) };
}

function countPages(pages: readonly WrittenPage[]): number {
  return pages.reduce((sum, page) => sum + 1 + countPages(page.pages ?? []), 0);
}

const pagesPerChapter = 8;

/** A number of pages about a subject, in chapters of eight; `withFiles` links some to the sample files. */
export function furtherPages(random: Random, subject: string, count: number, withFiles: boolean) {
  const titles = titlesOf(random, count);
  const chapters: WrittenPage[] = [];
  for (let at = 0; at < count; at += pagesPerChapter) {
    const [head = '', ...rest] = titles.slice(at, at + pagesPerChapter);
    const links = rest.map((title) => `- [${title}](${slugOf(title, 'page')}.md)`);
    chapters.push({
      title: head,
      description: `${subject}: ${head.toLowerCase()}`,
      markdown: ['What to know about it.', links.join('\n')].filter(Boolean).join('\n\n'),
      // Some chapters are not for the robots of others.
      ...(at === pagesPerChapter * 5 && { attributes: { noRobotsIndex: true } }),
      pages: rest.map((title, index) => furtherPage(random, title, rest[index - 1], withFiles)),
    });
  }
  return chapters;
}

/** Unique titles: a verb and a noun, numbered once they run out. */
function titlesOf(random: Random, count: number): string[] {
  const { verbs, things } = words;
  const pairs = verbs.length * things.length;
  const shift = random.below(pairs);
  return Array.from({ length: count }, (_, index) => {
    const at = (shift + index * 7) % pairs;
    const part = Math.floor(index / pairs);
    const title = `${verbs[at % verbs.length]} ${things[Math.floor(at / verbs.length)]}`;
    return part === 0 ? title : `${title}, part ${part + 1}`;
  });
}

function furtherPage(random: Random, title: string, previous: string | undefined, withFiles: boolean) {
  const part = () => `## ${random.of(words.headings)}\n\n${paragraph(random)}`;
  const parts = Array.from({ length: 1 + random.below(3) }, part);
  const after = previous ? [`Before this one: [${previous}](${slugOf(previous, 'page')}.md).`] : [];
  const picture = withFiles && random.below(10) === 0 ? ['![Picture](../images/logo.png)'] : [];
  const lost = random.below(40) === 0 ? [`See [the old page](../archive/${slugOf(title, 'page')}.md).`] : [];
  return { title, markdown: [paragraph(random), ...picture, ...parts, ...after, ...lost].join('\n\n') };
}

function paragraph(random: Random): string {
  const sentence = () => random.of(words.sentences).replace('{thing}', random.of(words.things));
  return Array.from({ length: 2 + random.below(4) }, sentence).join(' ');
}

/** How many spaces lie between one that links to others and the next. */
const linkEvery = 4;

/** The pages of a further space of Acme; the first of some of them links to other spaces. */
function withLinksAcross(
  seeding: Seeding,
  index: number,
  [first, ...rest]: readonly WrittenPage[],
): WrittenPage[] {
  if (first === undefined) return [];
  if (index % linkEvery !== 1) return [first, ...rest];
  const links = linksAcross(seeding);
  const link = links[Math.floor(index / linkEvery) % links.length];
  return [{ ...first, markdown: `${first.markdown}\n\nSee also ${link}.` }, ...rest];
}

/** Links to pages, a file and a whole space, by reference and by address; the last one is broken. */
function linksAcross({ id }: Seeding): string[] {
  const [welcome, guide, handbook] = [id('space welcome'), id('space guide'), id('space handbook')];
  const page = (space: string, path: string) => `/spaces/${space}/pages/${id(`${space} ${path}`)}`;
  return [
    `[workspaces](${page(guide, 'concepts/workspaces')}) and [their limits](${page(guide, 'concepts/workspaces')}#limits)`,
    `[the handover](${page(handbook, 'on-call')}#handover)`,
    `[the checklist](/spaces/${welcome}/files/${id(`${welcome} files/checklist.txt`)})`,
    `[the API reference](/spaces/${id('space api')})`,
    `[projects](${page(guide, 'concepts/projects')}) and [the quickstart](${page(welcome, 'getting-started/quickstart')})`,
    `[the overview in the app](${appUrl(`/o/${id('org acme')}/s/${guide}/overview`)})`,
    '[the published guide](https://docs.acme.example/guides/guide/concepts)',
    `[the manual of Globex](/spaces/${id('space globex')})`,
  ];
}

/** One change: adds a paragraph to a page, adds a page at the end, or removes a page. */
interface Edit {
  extend?: string;
  by?: string;
  add?: string;
  markdown?: string;
  remove?: string;
}

interface NewChangeRequest {
  space: string;
  subject: string;
  author: string;
  status: string;
  /** In days. */
  age: number;
  edits: readonly Edit[];
  /** Created before the last merge of its space. */
  outdated?: boolean;
  /** Has had the main content pulled into it. */
  pulled?: boolean;
}

export function addChangeRequests(seeding: Seeding, requests: readonly NewChangeRequest[]): void {
  for (const request of seeding.named(requests)) addChangeRequest(seeding, request);
}

/** 120 in all, in most spaces of Acme. @param count of the change requests that there are */
export function addFurtherRequests(seeding: Seeding, count: number): void {
  const { db, id, random } = seeding;
  const spaces = db.all<{ id: string }>(
    'SELECT id FROM spaces WHERE org_id = ? AND created_at < ? ORDER BY created_at, id',
    id('org acme'),
    db.get<{ newest: number }>('SELECT max(created_at) AS newest FROM spaces')?.newest ?? 0,
  );
  const authors = db.all<{ id: string }>(
    `SELECT user_id AS id FROM members WHERE org_id = ? AND role IN ('admin', 'create', 'review', 'edit')
     ORDER BY joined_at, user_id`,
    id('org acme'),
  );
  const statuses = ['merged', 'merged', 'open', 'open', 'merged', 'draft', 'open', 'archived'] as const;
  const left = acmeChangeRequests - count;
  for (let index = 0; index < left; index += 1) {
    const space = spaces[(index * 7) % spaces.length]?.id ?? '';
    const { path, title } = pageOf(db, space, random.below(1000));
    addChangeRequest(seeding, {
      space,
      author: authors[random.below(authors.length)]?.id ?? '',
      subject: `${random.pick(['Correct', 'Extend', 'Update', 'Shorten'])} “${title}”`.slice(0, 100),
      status: statuses[index % statuses.length] ?? 'open',
      age: (left - index) * 0.7 + 1,
      edits: [{ extend: path, by: `Checked in round ${index + 1}.` }],
      pulled: index % 8 === 6,
    });
  }
}

function pageOf(db: Database, spaceId: string, number: number): { path: string; title: string } {
  const space = found(spaceById(db, spaceId), 'space', spaceId);
  const pages = [...snapshotOf(db, space, space.revision_id).pageById.values()];
  const placed = pages[number % Math.max(pages.length, 1)];
  return { path: placed?.path ?? '', title: placed?.page.title ?? '' };
}

function addChangeRequest(seeding: Seeding, request: NewChangeRequest): void {
  const { db, id, daysAgo } = seeding;
  const space = found(spaceById(db, request.space), 'space', request.space);
  const sql = 'SELECT count(*) + 1 AS number FROM change_requests WHERE space_id = ?';
  const { number } = db.get<{ number: number }>(sql, space.id) ?? { number: 1 };
  const name = `change request ${space.id} ${number}`;
  const current = revisionOf(db, space, space.revision_id);
  const baseId = (request.outdated && current.parents[0]) || space.revision_id;
  const changedAt = daysAgo(request.age, -2);
  const revision: Revision = {
    ...editedContents(seeding, space, baseId, request.edits, changedAt),
    id: id(`${name} revision`),
    spaceId: space.id,
    changeRequestId: id(name),
    parents: [baseId],
    message: request.subject,
    authorId: request.author,
    createdAt: changedAt,
  };
  addRevision(db, revision);
  const merged = request.status === 'merged' ? merge(seeding, revision, number, request.age) : null;
  insert(db, 'change_requests', {
    id: id(name),
    space_id: space.id,
    number,
    status: request.status,
    subject: request.subject,
    created_by: request.author,
    created_at: daysAgo(request.age),
    updated_at: changedAt,
    revision_id: revision.id,
    revision_initial: (request.pulled && current.parents[0]) || baseId,
    revision_merged_ancestor: request.pulled ? baseId : null,
    revision_merged: merged,
  });
}

/** Merges a change request's revision into its space; returns the id of the new revision. */
function merge({ db, id, daysAgo }: Seeding, change: Revision, number: number, age: number): string {
  const merged = {
    ...change,
    id: id(`change request ${change.spaceId} ${number} merged`),
    changeRequestId: null,
    parents: [...change.parents, change.id],
    message: `Merge change request ${number}`,
    createdAt: daysAgo(age, -30),
  };
  addRevision(db, merged);
  db.run('UPDATE spaces SET revision_id = ? WHERE id = ?', merged.id, change.spaceId);
  return merged.id;
}

function editedContents(
  { db, id }: Seeding,
  space: SpaceRow,
  baseId: string,
  edits: readonly Edit[],
  at: number,
) {
  const { pageByPath } = snapshotOf(db, space, baseId);
  const { pages, files, reusables } = revisionOf(db, space, baseId);
  const writing: Writing = { db, spaceId: space.id, at, idOf: (path) => id(`${space.id} ${path}`) };
  const changed = edits.reduce((nodes, edit) => applyEdit(writing, nodes, edit, pageByPath), pages);
  return { pages: changed, files, reusables };
}

function applyEdit(
  writing: Writing,
  nodes: PageNode[],
  { add, markdown = '', remove, extend = '', by }: Edit,
  pageByPath: ReadonlyMap<string, PlacedPage>,
): PageNode[] {
  if (add !== undefined) return [...nodes, writePage(writing, { title: add, markdown }, slugOf(add, 'page'))];
  const path = remove ?? extend;
  const placed = pageByPath.get(path);
  if (placed === undefined) return nodes;
  const { page_id: id, title, description, attributes, version } = placed.page;
  if (remove !== undefined) return nodes.filter((node) => node.id !== id);
  const text = `${markdownOf(writing.db, version)}\n\n${by}`;
  const page = { title, description, attributes: JSON.parse(attributes), markdown: text };
  return withVersion(nodes, writePage({ ...writing, idOf: () => id }, page, path));
}

function withVersion(nodes: readonly PageNode[], entry: { id: string; version: number }): PageNode[] {
  return nodes.map((node) => {
    if (node.id === entry.id) return { ...node, version: entry.version };
    return node.pages === undefined ? node : { ...node, pages: withVersion(node.pages, entry) };
  });
}
