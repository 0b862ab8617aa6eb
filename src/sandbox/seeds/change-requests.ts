import { addRevision, type PageNode, type Revision, revisionOf } from '../content/revisions.js';
import { type PlacedPage, snapshotOf } from '../content/snapshot.js';
import { markdownOf } from '../content/versions.js';
import { type Writing, writePage } from '../content/write-content.js';
import { type SpaceRow, spaceById } from '../records/space.js';
import { found } from '../refusal.js';
import { insert } from '../store/sql.js';
import { slugOf } from '../text.js';
import type { ResourceSeed, Seeding } from './seed.js';

/** Change requests of Acme in `acme`, all its spaces together. */
const acmeChangeRequests = 120;

/** One change: adds a paragraph to a page, adds a page at the end, or removes a page. */
type Edit = { extend: string; by: string } | { add: string; markdown: string } | { remove: string };

interface NewChangeRequest {
  space: string;
  subject: string;
  author: string;
  status: 'draft' | 'open' | 'archived' | 'merged';
  age: number;
  edits: readonly Edit[];
  /** Created before the last merge of its space. */
  outdated?: boolean;
  /** Has had the main content pulled into it. */
  pulled?: boolean;
}

/** The three of the first space: one merged, a draft older than that merge, and an open one. */
const first: readonly Omit<NewChangeRequest, 'space'>[] = [
  {
    subject: 'Add a glossary',
    author: 'bruno',
    status: 'merged',
    age: 30,
    edits: [
      { add: 'Glossary', markdown: 'The words we use.\n\n## Space\n\nA container of pages and files.' },
    ],
  },
  {
    subject: 'Reword the welcome page',
    author: 'chiara',
    status: 'draft',
    age: 20,
    outdated: true,
    edits: [{ extend: 'welcome', by: 'Thank you for reading.' }],
  },
  {
    subject: 'Describe single sign-on, drop the FAQ',
    author: 'deniz',
    status: 'open',
    age: 5,
    edits: [
      { add: 'Single sign-on', markdown: 'How to sign in with SAML.\n\n## Set-up\n\nAsk an administrator.' },
      {
        extend: 'getting-started/quickstart',
        by: 'Sign in with [single sign-on](../single-sign-on.md) next.',
      },
      { remove: 'faq' },
    ],
  },
];

/** One of each kind in `tiny`; 120 in `acme`, in most of its spaces. */
export const changeRequests: ResourceSeed = {
  name: 'change-requests',
  tiny: addFirst,
  acme(seeding) {
    addFirst(seeding);
    for (const request of furtherRequests(seeding, acmeChangeRequests - first.length)) add(seeding, request);
  },
};

function addFirst(seeding: Seeding): void {
  const space = seeding.id('space welcome');
  for (const { author, ...request } of first) {
    add(seeding, { ...request, space, author: seeding.id(`user ${author}`) });
  }
}

function* furtherRequests({ db, id, random }: Seeding, count: number): Generator<NewChangeRequest> {
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
  for (let index = 0; index < count; index += 1) {
    const space = spaces[(index * 7) % spaces.length]?.id ?? '';
    const { path, title } = pageOf(db, space, random.below(1000));
    yield {
      space,
      author: authors[random.below(authors.length)]?.id ?? '',
      subject: `${random.pick(['Correct', 'Extend', 'Update', 'Shorten'])} “${title}”`.slice(0, 100),
      status: statuses[index % statuses.length] ?? 'open',
      age: (count - index) * 0.7 + 1,
      edits: [{ extend: path, by: `Checked in round ${index + 1}.` }],
      pulled: index % 8 === 6,
    };
  }
}

function pageOf(db: Seeding['db'], spaceId: string, number: number): { path: string; title: string } {
  const space = found(spaceById(db, spaceId), 'space', spaceId);
  const pages = [...snapshotOf(db, space, space.revision_id).pageById.values()];
  const placed = pages[number % Math.max(pages.length, 1)];
  return { path: placed?.path ?? '', title: placed?.page.title ?? '' };
}

function add(seeding: Seeding, request: NewChangeRequest): void {
  const { db, id, daysAgo } = seeding;
  const space = found(spaceById(db, request.space), 'space', request.space);
  const sql = 'SELECT count(*) + 1 AS number FROM change_requests WHERE space_id = ?';
  const { number } = db.get<{ number: number }>(sql, space.id) ?? { number: 1 };
  const name = `change request ${space.id} ${number}`;
  const current = revisionOf(db, space, space.revision_id);
  const baseId = (request.outdated && current.parents[0]) || space.revision_id;
  const changedAt = daysAgo(request.age, -2);
  const revision: Revision = {
    ...edit(seeding, space, baseId, request.edits, changedAt),
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

function edit({ db, id }: Seeding, space: SpaceRow, baseId: string, edits: readonly Edit[], at: number) {
  const { pageByPath } = snapshotOf(db, space, baseId);
  const { pages, files, reusables } = revisionOf(db, space, baseId);
  const writing: Writing = { db, spaceId: space.id, at, idOf: (path) => id(`${space.id} ${path}`) };
  const changed = edits.reduce((nodes, one) => apply(writing, nodes, one, pageByPath), pages);
  return { pages: changed, files, reusables };
}

function apply(
  writing: Writing,
  nodes: PageNode[],
  one: Edit,
  pageByPath: ReadonlyMap<string, PlacedPage>,
): PageNode[] {
  if ('add' in one) {
    const page = { title: one.add, markdown: one.markdown };
    return [...nodes, writePage(writing, page, slugOf(one.add, 'page'))];
  }
  const path = 'remove' in one ? one.remove : one.extend;
  const placed = pageByPath.get(path);
  if (placed === undefined) return nodes;
  if ('remove' in one) return nodes.filter((node) => node.id !== placed.page.page_id);
  const { title, description, attributes, version } = placed.page;
  const markdown = `${markdownOf(writing.db, version)}\n\n${one.by}`;
  const page = { title, description, attributes: JSON.parse(attributes), markdown };
  return replace(nodes, writePage({ ...writing, idOf: () => placed.page.page_id }, page, path));
}

function replace(nodes: readonly PageNode[], entry: { id: string; version: number }): PageNode[] {
  return nodes.map((node) => {
    if (node.id === entry.id) return { ...node, version: entry.version };
    return node.pages === undefined ? node : { ...node, pages: replace(node.pages, entry) };
  });
}
