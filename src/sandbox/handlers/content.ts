import * as ofChange from '../../api/resources/change-requests.js';
import * as ofSpace from '../../api/resources/content.js';
import type { Backlink, ContentFile, ContentPage, listFileBacklinks } from '../../api/resources/content.js';
import { type LinkItem, listSpaceLinks } from '../../api/resources/spaces.js';
import type { Document } from '../../api/shapes.js';
import type { Static } from '../../api/type.js';
import { applyImport, readImport } from '../content/import/import.js';
import { allLinks, type FoundLink, linksOf } from '../content/links.js';
import { type PlacedPage, publishRevision, snapshotOf } from '../content/revisions.js';
import { documentAt, nameOf, type PageRow, type ToldPage, toldOf, withFileUrls } from '../content/versions.js';
import { type ContentView, fileDownload, fileUrl, type Reading, textOf, toFile, toPage, toRevision } from '../content/view.js';
import { type Answer, handle, handlePrepared } from '../handle.js';
import type { Page, Pager } from '../paging.js';
import { changeRequestIn, openChangeRequestIn } from '../records/change-request.js';
import { type OrgRow, toOrg } from '../records/org.js';
import { publishedUrlOfSpace } from '../records/site.js';
import { type SpaceRow, spaceById, toSpace } from '../records/space.js';
import { found, refusal } from '../refusal.js';
import { type Caller, levelInSpace } from '../scope.js';
import type { Database } from '../store/database.js';
import { update } from '../store/rows.js';

export const handlers = [
  handle(ofSpace.getContent, (call) => toRevision(mainView(call))),
  handle(ofChange.getChangeRequestContent, (call) => toRevision(changeView(call))),
  handle(ofSpace.listPages, (call) => pagesOf(mainView(call))),
  handle(ofChange.listChangeRequestPages, (call) => pagesOf(changeView(call))),
  handlePrepared(ofSpace.getPage, inFormat, (call, documentOf) =>
    readPage(mainView(call), call.path.pageId, call.query.format, documentOf),
  ),
  handlePrepared(ofChange.getChangeRequestPage, inFormat, (call, documentOf) =>
    readPage(changeView(call), call.path.pageId, call.query.format, documentOf),
  ),
  handle(listSpaceLinks, (call) => readLinks(mainView({ ...call, query: {} }), call.query.status, call.page)),
  handle(ofSpace.listPageLinks, (call) =>
    readPageLinks(mainView({ ...call, query: {} }), call.path.pageId, call.query.status, call.page),
  ),
  handle(ofChange.listChangeRequestPageLinks, (call) =>
    readPageLinks(changeView({ ...call, query: {} }), call.path.pageId, undefined, call.page),
  ),
  handle(ofSpace.listFiles, (call) => readFiles(mainView(call), call.page)),
  handle(ofChange.listChangeRequestFiles, (call) => readFiles(changeView(call), call.page)),
  handle(ofSpace.getFile, (call) => readFile(mainView(call), call.path.fileId)),
  handle(ofChange.getChangeRequestFile, (call) => readFile(changeView(call), call.path.fileId)),
  handle(ofSpace.listFileBacklinks, (call) => readBacklinks(mainView(call), call.path.fileId, call.page)),
  handle(ofChange.listChangeRequestFileBacklinks, (call) =>
    readBacklinks(changeView(call), call.path.fileId, call.page),
  ),

  handlePrepared(
    ofSpace.importContent,
    ({ space, body }, source) => {
      refuseLocked(space.edit_mode);
      return readImport(body, source);
    },
    (call, imported) => {
      const { db, space } = call;
      refuseLocked(space.edit_mode);
      const target = { snapshot: snapshotOf(db, space, space.revision_id), changeRequestId: null };
      const { revision, result } = applyImport(call, target, imported);
      publishRevision(db, revision);
      return result;
    },
  ),

  handlePrepared(
    ofChange.importChangeRequestContent,
    ({ db, space, path, body }, source) => {
      openChangeRequestIn(db, space.id, path.changeRequestId);
      return readImport(body, source);
    },
    (call, imported) => {
      const { db, space, path, clock } = call;
      const { id, revision_id } = openChangeRequestIn(db, space.id, path.changeRequestId);
      const target = { snapshot: snapshotOf(db, space, revision_id), changeRequestId: id };
      const { revision, result } = applyImport(call, target, imported);
      update(db, 'change_requests', id, { revision_id: revision.id, updated_at: clock.now() });
      return result;
    },
  ),
];

/** What shows a text as a document, if the call wants that; its parser is loaded then. */
async function inFormat({ query }: { query: { format?: string } }): Promise<DocumentOf> {
  return query.format === 'document' ? (await import('../content/document.js')).documentOf : undefined;
}

/** The bytes of files, which require no token. */
export const downloads = [fileDownload];

function pagesOf(view: ContentView) {
  return { pages: view.snapshot.pages.map((placed) => toPage(view, placed)) };
}

/** A locked space changes through change requests only. */
function refuseLocked(editMode: 'live' | 'locked'): void {
  if (editMode === 'locked') {
    throw refusal(409, 'This space is locked; import into a change request, or set its editMode to live.');
  }
}

type Backlinks = Answer<typeof listFileBacklinks>;
type Links = Answer<typeof listSpaceLinks>;

/** What shows a text as a document, where that is asked for (document.ts). */
type DocumentOf = ((markdown: string) => Document) | undefined;

/** A call that reads the content of a space or a change request. */
interface ContentCall {
  db: Database;
  org: OrgRow;
  caller: Caller;
  space: SpaceRow;
  origin: string;
  query: Reading;
}

function mainView({ db, org, caller, space, origin, query: reading }: ContentCall): ContentView {
  return { db, org, caller, space, origin, reading, snapshot: snapshotOf(db, space, space.revision_id) };
}

/** The content of a change request, by id or number. @throws 404 */
function changeView(call: ContentCall & { path: { changeRequestId: string } }): ContentView {
  const { db, org, caller, space, origin, query: reading } = call;
  const request = changeRequestIn(db, space.id, call.path.changeRequestId);
  const snapshot = snapshotOf(db, space, request.revision_id);
  return { db, org, caller, space, origin, reading, snapshot, changeRequest: request.number };
}

/**
 * A page, with its text if a format is asked for.
 * @param documentOf what makes a document of Markdown, if the format is `document`
 * @throws 404
 */
function readPage(
  view: ContentView,
  pageId: string,
  format: string | undefined,
  documentOf: DocumentOf,
): ContentPage {
  const placed = pageIn(view, pageId);
  if (format === undefined) return toPage(view, placed);
  const text = () => withUrls(view, textOf(view.db, placed.page, view.reading.computed));
  if (documentOf === undefined) return { ...toPage(view, placed), markdown: titled(placed.page, text()) };
  const told = documentAt(view.db, placed.page.version);
  const document = told === undefined ? documentOf(text()) : JSON.parse(withUrls(view, told));
  return { ...toPage(view, placed), document };
}

function titled({ title, told }: PageRow, text: string): string {
  const { head } = toldOf<ToldPage>(told);
  return head === undefined ? `# ${title}\n\n${text}`.trimEnd() : head + text;
}

function withUrls({ db, space, origin, snapshot }: ContentView, text: string): string {
  return withFileUrls(text, (fileId) => {
    const file = snapshot.fileById.get(fileId);
    return file && fileUrl(db, space.id, origin, file);
  });
}

/** The files by name. */
function readFiles(view: ContentView, page: Pager): Page<ContentFile> {
  const key = ({ path, file_id }: ContentView['snapshot']['files'][number]) => `${nameOf(path)}\n${file_id}`;
  const entries = [...view.snapshot.files].sort((a, b) => (key(a) < key(b) ? -1 : 1));
  return page.of({ entries, key, item: (file) => toFile(view, file) });
}

function readFile(view: ContentView, fileId: string): ContentFile {
  return toFile(view, found(view.snapshot.fileById.get(fileId), 'file', fileId));
}

/** One backlink for each page that uses a file. @throws 404 */
function readBacklinks(view: ContentView, fileId: string, page: Pager): Backlinks {
  readFile(view, fileId);
  const links = allLinks(view).filter(({ target }) => target?.kind === 'file' && target.file === fileId);
  const own = links.flatMap(({ from }) => from.map((pageId) => ({ key: pageId, in: view, pageId })));
  const entries = [...own, ...usesElsewhere(view, fileId)].sort((a, b) => (a.key < b.key ? -1 : 1));
  const references = referencesOf(view);
  return page.of({
    entries,
    key: ({ key }) => key,
    item: (use) => references.backlink(fileId, use.pageId, use.in),
  });
}

/**
 * The pages of other spaces that the caller can see and that use a file of the main content; other spaces
 * cannot link to a change request.
 */
function usesElsewhere(view: ContentView, fileId: string) {
  const { db, space, changeRequest } = view;
  if (changeRequest !== undefined) return [];
  const rows = db.all<{ id: string }>(
    `SELECT id FROM spaces s WHERE org_id = ? AND id <> ? AND deleted_at IS NULL AND EXISTS
       (SELECT 1 FROM page_versions v WHERE v.space_id = s.id AND instr(v.markdown, ?) > 0)`,
    ...[space.org_id, space.id, `/spaces/${space.id}/files/${fileId}`],
  );
  const others = rows.flatMap(({ id }) => viewOf(view, id) ?? []);
  return others.flatMap((other) => {
    const links = allLinks(other).filter(
      ({ target }) => target?.kind === 'abroad' && target.space === space.id && target.file === fileId,
    );
    const pages = links.flatMap(({ from }) => from);
    return pages.map((pageId) => ({ key: `${other.space.id} ${pageId}`, in: other, pageId }));
  });
}

/** All links of the content; `stats` ignores the filter. */
function readLinks(view: ContentView, status: string | undefined, page: Pager): Links {
  return listLinks(view, allLinks(view), status, page);
}

function readPageLinks(view: ContentView, pageId: string, status: string | undefined, page: Pager) {
  return listLinks(view, linksOf(view, [pageIn(view, pageId)]), status, page);
}

function listLinks(view: ContentView, links: FoundLink[], status: string | undefined, page: Pager): Links {
  const references = referencesOf(view);
  const broken = links.filter((link) => link.status === 'broken');
  return {
    ...page.of({
      entries: links.filter((link) => status === undefined || link.status === status),
      key: ({ key }) => key,
      item: references.link,
    }),
    stats: { total: links.length, broken: { total: broken.length, ...brokenByChange(view, broken) } },
  };
}

/** The links that are broken in a change request but not in the main content. */
function brokenByChange(view: ContentView, broken: readonly FoundLink[]): { changeRequest?: number } {
  const { db, space, changeRequest } = view;
  if (changeRequest === undefined) return {};
  const main = allLinks({ db, space, snapshot: snapshotOf(db, space, space.revision_id) });
  const known = new Set(main.filter(({ status }) => status === 'broken').map(({ key }) => key));
  return { changeRequest: broken.filter(({ key }) => !known.has(key)).length };
}

function pageIn({ snapshot }: ContentView, pageId: string): PlacedPage {
  return found(snapshot.pageById.get(pageId), 'page', pageId);
}

type Link = Static<typeof LinkItem>;

/** What links and backlinks refer to: whole resources in place of ids (platform-facts, "Shapes"). */
interface References {
  link(link: FoundLink): Link;
  /** @param pageId a page that uses the file, of this content or of another space */
  backlink(fileId: string, pageId: string, from: ContentView): Static<typeof Backlink>;
}

type LinkReference = NonNullable<Link['targetReference']>;
type Abroad = Extract<NonNullable<FoundLink['target']>, { kind: 'abroad' }>;

/** The references of one answer, which share the resources that they repeat. */
function referencesOf(view: ContentView): References {
  const places = new Map<ContentView, ReturnType<typeof placeOf>>();
  const others = new Map<string, ContentView | undefined>();
  const where = (of: ContentView) => kept(places, of, () => placeOf(of));
  const page = (of: ContentView, id: string) => toPage(of, found(of.snapshot.pageById.get(id), 'page', id));
  const file = (of: ContentView, id: string) => toFile(of, found(of.snapshot.fileById.get(id), 'file', id));
  const onPage = (of: ContentView, id: string) => ({ kind: 'page', ...where(of), page: page(of, id) });
  const ofFile = (of: ContentView, id: string) => ({ kind: 'file', ...where(of), file: file(of, id) });

  function targetOf(target: NonNullable<FoundLink['target']>): LinkReference {
    if (target.kind === 'url') return target;
    if (target.kind === 'abroad') return abroad(target);
    return target.kind === 'page' ? onPage(view, target.page) : ofFile(view, target.file);
  }

  /** Who cannot see the other space gets the address as written. */
  function abroad({ space, page: pageId, file: fileId, written }: Abroad): LinkReference {
    const other = kept(others, space, () => viewOf(view, space));
    if (other === undefined) return { kind: 'url', url: written };
    if (pageId !== undefined) return onPage(other, pageId);
    return fileId === undefined ? { kind: 'space', ...where(other) } : ofFile(other, fileId);
  }

  return {
    link: ({ status, target, from }) => ({
      status,
      relation: 'reference',
      ...(target !== undefined && { targetReference: targetOf(target) }),
      locationReferences: from.map((id) => onPage(view, id)),
    }),
    backlink: (fileId, pageId, from) => ({
      kind: 'file',
      ...where(from),
      page: page(from, pageId),
      file: file(view, fileId),
    }),
  };
}

/** The main content of another space of the organization; undefined if the caller cannot see the space. */
function viewOf({ db, org, caller, origin, reading }: ContentView, id: string) {
  const space = spaceById(db, id);
  if (space === undefined || space.deleted_at !== null || space.org_id !== org.id) return undefined;
  const level = levelInSpace(db, space, caller);
  if (level === null) return undefined;
  const snapshot = snapshotOf(db, space, space.revision_id);
  return { db, org, caller: { ...caller, level }, space, origin, reading, snapshot } satisfies ContentView;
}

function placeOf(view: ContentView) {
  const { db, org, caller, space } = view;
  const published = publishedUrlOfSpace({ db, org, shareKey: undefined }, space.id);
  return {
    organization: toOrg(org, caller.role),
    space: toSpace(space, caller.level ?? 'read', published),
    versionContext: { type: 'revision', revision: toRevision(view) },
  };
}

function kept<K, V>(known: Map<K, V>, key: K, make: () => V): V {
  if (!known.has(key)) known.set(key, make());
  return known.get(key) as V;
}
