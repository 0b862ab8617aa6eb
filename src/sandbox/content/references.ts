import type { Backlink } from '../../api/resources/revisions.js';
import type { LinkItem } from '../../api/resources/spaces.js';
import type { Static } from '../../api/type.js';
import { toOrg } from '../records/org.js';
import { publishedAt, publishedUrlOfSpace } from '../records/site-structure.js';
import { toSpace } from '../records/space.js';
import { found } from '../refusal.js';
import type { FoundLink } from './links.js';
import { type ContentView, toFile, toPage, toRevision } from './view.js';

type Link = Static<typeof LinkItem>;

/** What links and backlinks refer to: whole resources in place of ids (platform-facts, "Shapes"). */
export interface References {
  link(link: FoundLink): Link;
  /** @param pageId a page that uses the file */
  backlink(fileId: string, pageId: string): Static<typeof Backlink>;
}

/** The references of one answer, which share the resources that they repeat. */
export function referencesOf(view: ContentView): References {
  const where = once(() => placeOf(view));
  const page = (id: string) => toPage(view, found(view.snapshot.pageById.get(id), 'page', id));
  const file = (id: string) => toFile(view, found(view.snapshot.fileById.get(id), 'file', id));
  const onPage = (id: string) => ({ kind: 'page', ...where(), page: page(id) });

  function targetOf(target: NonNullable<FoundLink['target']>): NonNullable<Link['targetReference']> {
    if (target.kind === 'url') return target;
    return target.kind === 'page'
      ? onPage(target.page)
      : { kind: 'file', ...where(), file: file(target.file) };
  }

  return {
    link: ({ status, target, from }) => ({
      status,
      relation: 'reference',
      ...(target !== undefined && { targetReference: targetOf(target) }),
      locationReferences: from.map(onPage),
    }),
    backlink: (fileId, pageId) => ({ kind: 'file', ...where(), page: page(pageId), file: file(fileId) }),
  };
}

function placeOf(view: ContentView) {
  const { db, org, caller, space } = view;
  const published = publishedUrlOfSpace({ db, org, shareKey: undefined }, space.id);
  return {
    organization: toOrg(org, caller.role),
    space: publishedAt(toSpace(space, caller.level ?? 'read'), published),
    versionContext: { type: 'revision', revision: toRevision(view) },
  };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
