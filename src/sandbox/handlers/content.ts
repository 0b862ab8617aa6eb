import * as ofChange from '../../api/resources/change-requests.js';
import type { Backlink, ContentFile, ContentPage, listFileBacklinks } from '../../api/resources/content.js';
import * as ofSpace from '../../api/resources/content.js';
import { type LinkItem, listSpaceLinks } from '../../api/resources/spaces.js';
import type { Static } from '../../api/type.js';
import { applyImport, readImport } from '../content/import/import.js';
import { allLinks, type FoundLink, linksOf } from '../content/links.js';
import { type PlacedPage, publishRevision, snapshotOf } from '../content/revisions.js';
import { documentAt, nameOf, overridesOf, type PageOverrides, withFileUrls } from '../content/versions.js';
import {
  type ContentView,
  fileDownload,
  fileUrl,
  type Reading,
  textOf,
  toFile,
  toPage,
  toRevision,
} from '../content/view.js';
import {
  type Answer,
  type DocumentOf,
  handle,
  handleAll,
  handleInFormat,
  handlePrepared,
} from '../handle.js';
import type { Page, Pager } from '../paging.js';
import { type ChangeRequestRow, requireOpen, spaceById } from '../records/in-path.js';
import { toOrg } from '../records/org.js';
import { publishedUrlOfSpace } from '../records/published.js';
import { toSpace } from '../records/space.js';
import { found, refusal } from '../refusal.js';
import { levelInSpace } from '../scope.js';
import { update } from '../store/rows.js';

/** Spaces and change requests have the same operations. */
export const handlers = [
  ...handleAll([ofSpace.getContent, ofChange.getChangeRequestContent], (call) => toRevision(contentOf(call))),
  ...handleAll([ofSpace.listPages, ofChange.listChangeRequestPages], (call) => {
    const view = contentOf(call);
    return { pages: view.snapshot.pages.map((placed) => toPage(view, placed)) };
  }),
  ...handleInFormat([ofSpace.getPage, ofChange.getChangeRequestPage], (call, documentOf) =>
    readPage(contentOf(call), call.path.pageId, call.query.format, documentOf),
  ),
  handle(listSpaceLinks, (call) => {
    const view = contentAs(call, {});
    return listLinks(view, allLinks(view), call.query.status, call.page);
  }),
  ...handleAll([ofSpace.listPageLinks, ofChange.listChangeRequestPageLinks], (call) => {
    const view = contentAs(call, {});
    const { status } = call.query as { status?: string };
    return listLinks(view, linksOf(view, [pageIn(view, call.path.pageId)]), status, call.page);
  }),
  ...handleAll([ofSpace.listFiles, ofChange.listChangeRequestFiles], (call) =>
    readFiles(contentOf(call), call.page),
  ),
  ...handleAll([ofSpace.getFile, ofChange.getChangeRequestFile], (call) =>
    readFile(contentOf(call), call.path.fileId),
  ),
  ...handleAll([ofSpace.listFileBacklinks, ofChange.listChangeRequestFileBacklinks], (call) =>
    readBacklinks(contentOf(call), call.path.fileId, call.page),
  ),
  ...[ofSpace.importContent, ofChange.importChangeRequestContent].map((operation) =>
    handlePrepared(
      operation,
      async (call, source) => {
        requireImportable(call);
        return readImport(call.body, source);
      },
      (call, imported) => {
        requireImportable(call);
        const { db, space, clock, changeRequest: request } = call;
        const snapshot = snapshotOf(db, space, request?.revision_id ?? space.revision_id);
        const target = { snapshot, changeRequestId: request?.id ?? null };
        const { revision, result } = applyImport(call, target, imported);
        if (request === undefined) publishRevision(db, revision);
        else update(db, 'change_requests', request.id, { revision_id: revision.id, updated_at: clock.now() });
        return result;
      },
    ),
  ),
];

/** The bytes of files, which require no token. */
export const downloads = [fileDownload];

/** An open change request takes an import, and a space that is not locked. @throws 404, 409 */
function requireImportable({ space, changeRequest }: Pick<ContentCall, 'space' | 'changeRequest'>): void {
  if (changeRequest !== undefined) requireOpen(changeRequest);
  else if (space.edit_mode === 'locked')
    throw refusal(409, 'this space is locked; import into a change request, or set its editMode to live');
}

type Backlinks = Answer<typeof listFileBacklinks>;
type Links = Answer<typeof listSpaceLinks>;

/** A call that reads the content of a space or a change request. */
interface ContentCall extends Omit<ContentView, 'snapshot' | 'changeRequest' | 'reading'> {
  query: Reading;
  changeRequest: ChangeRequestRow | undefined;
}

/** The content of a space, or of a change request if the path names one. @throws 404 */
function contentOf(call: ContentCall): ContentView {
  return contentAs(call, call.query);
}

function contentAs(call: Omit<ContentCall, 'query'>, reading: Reading): ContentView {
  const { db, org, caller, space, origin, changeRequest: request } = call;
  const snapshot = snapshotOf(db, space, request?.revision_id ?? space.revision_id);
  return { db, org, caller, space, origin, reading, snapshot, changeRequest: request?.number };
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
  const { title, told: column } = placed.page;
  const { head } = overridesOf<PageOverrides>(column);
  const titled = () => (head === undefined ? `# ${title}\n\n${text()}`.trimEnd() : head + text());
  if (documentOf === undefined) return { ...toPage(view, placed), markdown: titled() };
  const told = documentAt(view.db, placed.page.version);
  const document = told === undefined ? documentOf(text()) : JSON.parse(withUrls(view, told));
  return { ...toPage(view, placed), document };
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

/** Links of the content; `stats` ignores the filter. */
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

type LinkReference = NonNullable<Link['targetReference']>;
type Abroad = Extract<NonNullable<FoundLink['target']>, { kind: 'abroad' }>;

/**
 * What links and backlinks refer to: whole resources in place of ids (platform-facts, "Shapes"). Those of one answer
 * share the resources that they repeat.
 */
function referencesOf(view: ContentView) {
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
    link: ({ status, target, from }: FoundLink): Link => ({
      status,
      relation: 'reference',
      ...(target !== undefined && { targetReference: targetOf(target) }),
      locationReferences: from.map((id) => onPage(view, id)),
    }),
    /** @param pageId a page that uses the file, of this content or of another space */
    backlink: (fileId: string, pageId: string, from: ContentView): Static<typeof Backlink> => ({
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
