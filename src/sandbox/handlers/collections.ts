import * as api from '../../api/resources/collections.js';
import type { Role } from '../../api/shapes.js';
import { collectionLevel, rank, roleOf, spaceRank } from '../access.js';
import { handle } from '../handle.js';
import { positionFrom } from '../positions.js';
import { apiUrl, appUrl } from '../records/fields.js';
import type { SpaceRow } from '../records/in-path.js';
import { layoutOf } from '../records/layout.js';
import { publishedUrlOfSpace } from '../records/published.js';
import { toSpace } from '../records/space.js';
import { found } from '../refusal.js';
import type { Caller } from '../scope.js';
import type { Database } from '../store/database.js';
import { insert, type Row, update } from '../store/rows.js';
import {
  childrenOf,
  lastChildPosition,
  leaveCollections,
  moveTo,
  relocate,
  requireRoom,
  settleSpace,
  transferTarget,
} from './relocate.js';

export const handlers = [
  /** If nested, each collection comes before its children. Siblings keep their order either way. */
  handle(api.listCollections, ({ org, caller, query, page }) => {
    const nested = query.nested ?? true;
    return page({
      select: 'c.*, caps.cap',
      from: `collections c JOIN collection_caps caps ON caps.collection_id = c.id
        JOIN collection_paths p ON p.collection_id = c.id`,
      where: [
        ['c.org_id = ?', org.id],
        nested ? undefined : ['c.parent_id IS NULL'],
        caller.role === 'admin' ? undefined : ['min(caps.cap, ?) > 0', rank(caller.role)],
      ],
      by: ['p.path'],
      item: (row: CollectionRow & { cap: number }) => {
        const own = Math.min(row.cap, rank(caller.role));
        return toCollection(row, caller.role === 'admin' ? 'admin' : (roleOf(own) ?? 'read'));
      },
    });
  }),

  handle(api.createCollection, ({ db, org, caller, body, clock, newId }) => {
    const place = { orgId: org.id, parentId: body.parent ?? null };
    requireRoom(db, caller, place);
    const id = newId();
    insert(db, 'collections', {
      id,
      org_id: org.id,
      parent_id: place.parentId,
      title: body.title ?? 'Untitled',
      position: lastChildPosition(db, org.id, place.parentId),
      created_at: clock.now(),
    });
    return answer(db, id, caller);
  }),

  handle(api.getCollection, ({ db, path, caller }) => answer(db, path.collectionId, caller)),

  handle(api.updateCollection, ({ db, path, body, caller }) => {
    update(db, 'collections', path.collectionId, collectionLayout.changes(body));
    return answer(db, path.collectionId, caller);
  }),

  handle(api.deleteCollection, ({ db, path }) => {
    unpack(db, collectionById(db, path.collectionId));
    db.run('DELETE FROM collections WHERE id = ?', path.collectionId);
  }),

  handle(api.listCollectionSpaces, ({ db, org, path, caller, page }) => {
    const [level, ...values] = spaceRank(caller);
    return page({
      select: [`s.*, ${level} AS rank`, ...values],
      from: 'space_caps caps JOIN spaces s ON s.id = caps.space_id',
      where: [
        ['s.parent_id = ?', path.collectionId],
        [`${level} > 0`, ...values],
      ],
      by: ['s.position', 's.id'],
      item: (row: SpaceRow & { rank: number }) => {
        const published = publishedUrlOfSpace({ db, org, shareKey: undefined }, row.id);
        return toSpace(row, roleOf(row.rank) ?? 'read', published);
      },
    });
  }),

  handle(api.moveCollection, ({ db, path, body, caller }) => {
    const { id, org_id: orgId, parent_id: parentId } = collectionById(db, path.collectionId);
    relocate(db, caller, { kind: 'collection', id }, { orgId, parentId }, body);
    return answer(db, id, caller);
  }),

  handle(api.transferCollection, (call) => {
    const { db, path, body } = call;
    transfer(db, path.collectionId, transferTarget(call, body.organization));
    return toCollection(collectionById(db, path.collectionId), 'admin');
  }),
];

/** The collection as the caller sees it now. */
function answer(db: Database, id: string, caller: Caller) {
  return toCollection(collectionById(db, id), collectionLevel(db, id, caller) ?? 'read');
}

/** Replaces a collection by its children, in their order (platform-facts). */
function unpack(db: Database, { id, org_id: orgId, parent_id: parentId, position }: CollectionRow): void {
  for (const one of childrenOf(db, orgId, id)) {
    if (one.kind === 'space' && parentId === null) leaveCollections(db, one.id);
    const sql = `UPDATE ${one.kind}s SET parent_id = ?, position = ? WHERE id = ?`;
    db.run(sql, parentId, positionFrom(position, one.position), one.id);
  }
}

/** Moves a collection with its contents, deleted spaces too, to the top level of another organization. */
function transfer(db: Database, id: string, orgId: string): void {
  const inside = `WITH RECURSIVE tree (id) AS (
    SELECT ?1 UNION ALL SELECT c.id FROM tree JOIN collections c ON c.parent_id = tree.id)
    SELECT id FROM tree`;
  const spaces = db.all<{ id: string }>(`SELECT id FROM spaces WHERE parent_id IN (${inside})`, id);
  db.run(`UPDATE spaces SET org_id = ?2 WHERE parent_id IN (${inside})`, id, orgId);
  db.run(`UPDATE collections SET org_id = ?2 WHERE id IN (${inside})`, id, orgId);
  moveTo(db, { kind: 'collection', id }, { orgId, parentId: null });
  for (const space of spaces) settleSpace(db, space.id, orgId);
}

/** The position is among the collections and spaces of its parent (positions.ts). */
type CollectionRow = Row<{ text: 'id org_id position'; maybeText: 'parent_id' }>;

export const collectionLayout = layoutOf(api.Collection, {
  computed: ['urls', 'permissions'],
  columns: { organization: 'org_id', parent: 'parent_id' },
});

/** @throws 404 */
export function collectionById(db: Database, id: string): CollectionRow {
  return found(db.get<CollectionRow>('SELECT * FROM collections WHERE id = ?', id), 'collection', id);
}

/** A collection as a member of the given level sees it (spec B, "Collection"). */
export function toCollection(row: CollectionRow, level: Role): api.Collection {
  return collectionLayout.item(row, {
    urls: { location: apiUrl(`/collections/${row.id}`), app: appUrl(`/o/${row.org_id}/c/${row.id}`) },
    permissions: {
      view: true,
      admin: level === 'admin',
      viewInviteLinks: level === 'admin',
      create: rank(level) >= rank('create'),
    },
  });
}
