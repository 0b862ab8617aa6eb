import { handsOver } from '../exposes.js';
import { body, nothing, one, operation, page } from '../operation.js';
import { id, permissions, reference, refersTo, shape, urls } from '../shapes.js';
import { type Static, Type } from '../type.js';
import { defaultLevel, level, moves, opensTo, parent, position, Space } from './spaces.js';

/** Collections of spaces (spec B, "Collection" and "Collections"). */

export const Collection = shape({
  object: Type.Literal('collection'),
  id,
  title: Type.String({ maxLength: 50 }),
  description: Type.Optional(Type.String({ maxLength: 100 })),
  organization: refersTo('organization', Type.String()),
  parent: Type.Optional(refersTo('collection', Type.String())),
  defaultLevel: level,
  urls: Type.Optional(urls(['location', 'app'])),
  permissions: Type.Optional(permissions(['view', 'admin', 'viewInviteLinks', 'create'])),
});
export type Collection = Static<typeof Collection>;

const collections = '/v1/orgs/{organizationId}/collections';
const collection = '/v1/collections/{collectionId}';
const title = Type.Optional(Type.String({ maxLength: 50, description: 'Title' }));

export const listCollections = operation('collections.list', 'GET', collections, {
  summary: 'List the collections of an organization',
  query: {
    nested: Type.Optional(
      Type.Boolean({ default: true, description: 'Include collections inside other collections' }),
    ),
  },
  returns: page(Collection),
});

export const createCollection = operation('collections.create', 'POST', collections, {
  summary: 'Create a collection',
  body: body({
    title,
    parent: Type.Optional(reference('Parent collection; by default, the top level')),
  }),
  success: 201,
  returns: one(Collection),
  needs: 'create',
});

export const getCollection = operation('collections.get', 'GET', collection, {
  summary: 'Get a collection',
  returns: one(Collection),
});

export const updateCollection = operation('collections.update', 'PATCH', collection, {
  summary: 'Update a collection',
  body: body({
    title,
    description: Type.Optional(Type.String({ maxLength: 100, description: 'Description' })),
    defaultLevel,
  }),
  returns: one(Collection),
  exposes: { defaultLevel: opensTo },
});

export const deleteCollection = operation('collections.delete', 'DELETE', collection, {
  summary: 'Delete a collection; its contents move to its parent',
  success: 205,
  returns: nothing,
  // What it contained inherits from its parent.
  exposes: ['role'],
});

export const listCollectionSpaces = operation('collections.spaces', 'GET', `${collection}/spaces`, {
  summary: 'List the spaces of a collection',
  returns: page(Space),
});

export const moveCollection = operation('collections.move', 'POST', `${collection}/move`, {
  summary: 'Move a collection to another collection or position',
  body: body({ parent, position }),
  returns: one(Collection),
  needs: 'create',
  exposes: moves,
});

export const transferCollection = operation('collections.transfer', 'POST', `${collection}/transfer`, {
  summary: 'Transfer a collection to another organization',
  body: body({ organization: reference('Target organization') }),
  returns: one(Collection),
  exposes: { organization: handsOver },
});
