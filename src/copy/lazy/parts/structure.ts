import { getCollection, listCollectionSpaces, listCollections } from '../../../api/resources/collections.js';
import { listSites } from '../../../api/resources/sites.js';
import { getSpace, type Space } from '../../../api/resources/spaces.js';
import type { Role } from '../../../api/shapes.js';
import { putAccess } from '../../../sandbox/copy/organization.js';
import { putCollection, putOrder, putSpace } from '../../../sandbox/copy/spaces.js';
import { orHidden } from '../platform-refusal.js';
import type { Loaders, Loading } from './part.js';

/** Spaces and collections. */
export const structure: Loaders = {
  async space(loading, spaceId) {
    const space = await loading.client.call(getSpace, { path: { spaceId } });
    await keep(loading, space);
  },

  /** A collection with those that it is in. */
  async collection(loading, collectionId) {
    const collection = await loading.client.call(getCollection, { path: { collectionId } });
    await loading.need(['org', collection.organization]);
    const parent = collection.parent && (await above(loading, collection.parent));
    const { parent: _, ...rest } = collection;
    loading.put((db) => putCollection(db, parent ? { ...rest, parent } : rest));
  },

  /** All collections of an organization, in their order. */
  async collections(loading, organizationId) {
    await loading.need(['org', organizationId]);
    const orders = new Map<string | null, string[]>();
    const input = { path: { organizationId }, query: { nested: true } };
    for await (const { id, parent } of loading.client.call(listCollections, input)) {
      await loading.need(['collection', id]);
      const key = parent ?? null;
      orders.set(key, [...(orders.get(key) ?? []), id]);
    }
    loading.put((db) => {
      for (const [parent, ids] of orders) putOrder(db, parent, ids);
    });
  },

  /** What lies in a collection, in its order. */
  async children(loading, organizationId, collectionId) {
    await loading.need(['collections', organizationId], ['collection', collectionId]);
    const ids: string[] = [];
    for await (const space of loading.client.call(listCollectionSpaces, { path: { collectionId } })) {
      await keep(loading, space);
      ids.push(space.id);
    }
    loading.put((db) => putOrder(db, collectionId, ids));
  },

  /** A collection with all that lies in it, at any depth. */
  async tree(loading, organizationId, collectionId) {
    await loading.need(['children', organizationId, collectionId]);
    const inside: string[] = [];
    const input = { path: { organizationId }, query: { nested: true } };
    for await (const { id, parent } of loading.client.call(listCollections, input))
      if (parent === collectionId) inside.push(id);
    for (const id of inside) await loading.need(['tree', organizationId, id]);
  },

  /** The sites that show a space. */
  async 'sites-of'(loading, organizationId, spaceId) {
    const input = { path: { organizationId }, query: { space: spaceId } };
    for await (const { id } of loading.client.call(listSites, input))
      await loading.want(['site', organizationId, id]);
  },
};

/** Writes a space, after what it is in; its permissions, if given, are those of the token. */
export async function keep(loading: Loading, space: Space): Promise<void> {
  await loading.need(['org', space.organization]);
  const parent = space.parent && (await above(loading, space.parent));
  const { parent: _, ...rest } = space;
  loading.put((db) => {
    putSpace(db, parent ? { ...rest, parent } : rest);
    if (space.permissions !== undefined)
      putAccess(db, loading.callerId, space.id, levelOf(space.permissions));
  });
}

/** Puts a space once more, so that its counts are those that were told, with what is held now. */
export async function keepAgain(loading: Loading, spaceId: string): Promise<void> {
  await keep(loading, await loading.client.call(getSpace, { path: { spaceId } }));
}

/** The collection above, read; undefined if it is hidden from the token. */
async function above(loading: Loading, id: string): Promise<string | undefined> {
  return orHidden(async () => {
    await loading.need(['collection', id]);
    return id;
  });
}

/** What the token may do in a space, from what the platform says that it may. */
function levelOf(permissions: NonNullable<Space['permissions']>): Role {
  if (permissions.admin) return 'admin';
  if (permissions.review || permissions.merge) return 'review';
  if (permissions.edit) return 'edit';
  return permissions.comment ? 'comment' : 'read';
}
