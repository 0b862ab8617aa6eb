import { type Client, seedId } from '../client.js';
import { openPlatform } from '../in-process.js';
import * as ops from '../operations.js';

export type CollectionPath = { collectionId: string };

/** An id of the seed by its permanent name. */
export const idOf = (name: string): string => seedId(`${name}`);
export const product: CollectionPath = { collectionId: idOf('collection product') };
export const internal: CollectionPath = { collectionId: idOf('collection internal') };
/** Acme Labs, whose admin is also Acme's. */
export const labs: string = idOf('org labs');

/** The titles, in their order. */
export const titles = (items: readonly { title: string }[]): string[] => items.map(({ title }) => title);

/** A sandbox with the tiny seed, seen from its collections Product and Internal. */
export async function openCollectionWorld() {
  const sandbox = await openPlatform();
  const { admin } = sandbox;
  const path = { organizationId: sandbox.organizationId };
  /** The list of collections; by default as the admin sees it. */
  const list = (client: Client = admin, query = {}) => client.ok(ops.listCollections, { path, query });
  return {
    ...sandbox,
    list,
    /** Titles of the collections at the top level. */
    topLevel: async () => titles((await list(admin, { nested: false })).items),
    /** Titles of the spaces in a collection. */
    spacesOf: async (collection: CollectionPath, client: Client = admin) =>
      titles((await client.ok(ops.listCollectionSpaces, { path: collection })).items),
    /** Creates a collection, at the top level or inside another. */
    async create(title: string, parent?: string, client: Client = admin): Promise<CollectionPath> {
      const { id } = await client.ok(ops.createCollection, { path, body: { title, parent } });
      return { collectionId: id };
    },
  };
}
