import type { Backlink } from '../../api/resources/revisions.js';
import type { LinkItem } from '../../api/resources/spaces.js';
import type { Static } from '../../api/type.js';
import { toOrg } from '../records/org.js';
import { publishedUrlOfSpace } from '../records/site-structure.js';
import { spaceById, toSpace } from '../records/space.js';
import { found } from '../refusal.js';
import { levelInSpace } from '../scope.js';
import type { FoundLink } from './links.js';
import { snapshotOf } from './snapshot.js';
import { type ContentView, toFile, toPage, toRevision } from './view.js';

type Link = Static<typeof LinkItem>;

/** What links and backlinks refer to: whole resources in place of ids (platform-facts, "Shapes"). */
export interface References {
  link(link: FoundLink): Link;
  /** @param pageId a page that uses the file, of this content or of another space */
  backlink(fileId: string, pageId: string, from: ContentView): Static<typeof Backlink>;
}

type LinkReference = NonNullable<Link['targetReference']>;
type Abroad = Extract<NonNullable<FoundLink['target']>, { kind: 'abroad' }>;

/** The references of one answer, which share the resources that they repeat. */
export function referencesOf(view: ContentView): References {
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
export function viewOf({ db, org, caller, origin, reading }: ContentView, id: string) {
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
