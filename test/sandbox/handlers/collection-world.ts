import type { Answer } from '../../../src/sandbox/handle.js';
import { type Client, seedId } from '../client.js';
import { openPlatform, type Platform } from '../in-process.js';
import * as ops from '../operations.js';

/** A sandbox with the tiny seed, seen from its collections Product and Internal. */
export interface CollectionWorld extends Platform {
  /** The list of collections; by default as the admin sees it. */
  list(client?: Client, query?: object): Promise<Answer<typeof ops.listCollections>>;
  /** Titles of the collections at the top level. */
  topLevel(): Promise<string[]>;
  /** Titles of the spaces in a collection. */
  spacesOf(path: CollectionPath, client?: Client): Promise<string[]>;
  /** Creates a collection, at the top level or inside another. */
  create(title: string, parent?: string, client?: Client): Promise<CollectionPath>;
}

export type CollectionPath = { collectionId: string };

/** An id of the seed by its permanent name. */
export const idOf = (name: string): string => seedId(`${name}`);
export const product: CollectionPath = { collectionId: idOf('collection product') };
export const internal: CollectionPath = { collectionId: idOf('collection internal') };
/** Acme Labs, whose admin is also Acme's. */
export const labs: string = idOf('org labs');

/** The titles, in their order. */
export const titles = (items: readonly { title: string }[]): string[] => items.map(({ title }) => title);

export async function openCollectionWorld(): Promise<CollectionWorld> {
  const sandbox = await openPlatform();
  const { admin } = sandbox;
  const path = { organizationId: sandbox.organizationId };
  const list: CollectionWorld['list'] = (client = admin, query = {}) =>
    client.ok(ops.listCollections, { path, query });
  return {
    ...sandbox,
    list,
    topLevel: async () => titles((await list(admin, { nested: false })).items),
    spacesOf: async (collection, client = admin) =>
      titles((await client.ok(ops.listCollectionSpaces, { path: collection })).items),
    async create(title, parent, client = admin) {
      const body = { title, ...(parent !== undefined && { parent }) };
      return { collectionId: (await client.ok(ops.createCollection, { path, body })).id };
    },
  };
}
