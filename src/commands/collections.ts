import {
  createCollection,
  deleteCollection,
  getCollection,
  listCollectionSpaces,
  listCollections,
  moveCollection,
  transferCollection,
  updateCollection,
} from '../api/resources/collections.js';
import type { Group } from '../cli/declare/command.js';
import { command } from '../cli/declare/define.js';
import { besideSpace } from './position-flags.js';
import { spaceColumns } from './spaces/list.js';

const columns = ['title', 'parent', { path: 'defaultLevel', as: 'role' }, 'description', 'id'] as const;

export const collections: Group = {
  name: 'collections',
  noun: 'collection',
  summary: 'Manage collections of spaces',
  why:
    'A collection groups spaces and other collections. When you delete one, its contents move to its ' +
    'parent.',
  commands: [
    command({
      name: 'list',
      aliases: ['ls'],
      operation: listCollections,
      why: 'Includes nested collections; --no-nested lists the top level only.',
      columns,
      examples: [
        { run: 'collections list', does: 'list all collections, nested ones included' },
        { run: 'collections list --no-nested', does: 'list the top level only' },
      ],
    }),
    command({
      name: 'create',
      operation: createCollection,
      why: '--parent puts it into another collection; without it, the collection is created at the top level.',
      flags: { parent: { value: '<collection>' } },
      columns,
      examples: [
        {
          run: 'collections create --title Engineering --parent c1',
          does: 'create a collection inside another one',
        },
      ],
    }),
    command({
      name: 'get',
      operation: getCollection,
      why: 'Shows the title, the parent and the default permission on its spaces.',
      args: { collectionId: '<collection>' },
      columns,
      examples: [{ run: 'collections get c1', does: 'show a collection' }],
    }),
    command({
      name: 'update',
      operation: updateCollection,
      why:
        '--default-level sets the permission that all members have on its contents unless another rule ' +
        'grants more.',
      args: { collectionId: '<collection>' },
      columns,
      examples: [
        { run: 'collections update c1 --title Handbooks', does: 'rename a collection' },
        { run: 'collections update c1 --default-level read', does: 'let all members read its contents' },
      ],
    }),
    command({
      name: 'delete',
      aliases: ['rm'],
      operation: deleteCollection,
      why: 'Deletes no spaces: the spaces and collections in it move to its parent.',
      args: { collectionId: '<collection...>' },
      danger: 'type-title',
      titleFrom: getCollection,
      consequences: async () => (await import('./consequences.js')).ofCollection,
      examples: [{ run: 'collections delete c1 --yes', does: 'delete a collection, keep its spaces' }],
    }),
    command({
      name: 'spaces',
      operation: listCollectionSpaces,
      why: 'Lists the spaces directly in the collection. docs spaces list covers all collections and sites.',
      args: { collectionId: '<collection>' },
      columns: spaceColumns,
      examples: [{ run: 'collections spaces c1', does: 'list the spaces of a collection' }],
    }),
    command({
      name: 'move',
      operation: moveCollection,
      why: 'Its contents stay unchanged. A neighbour is a collection, or a space as space:<id>.',
      args: { collectionId: '<collection>' },
      flags: {
        parent: { value: '<collection>' },
        ...besideSpace('collection'),
      },
      columns: ['title', 'parent', 'organization', 'id'],
      examples: [
        { run: 'collections move c1 --parent c2', does: 'move a collection into another one' },
        {
          run: 'collections move c1 --unset parent --before c3',
          does: 'move a collection to the top level, before another one',
        },
        { run: 'collections move c1 --after space:s1', does: 'move a collection after a space' },
      ],
    }),
    command({
      name: 'transfer',
      operation: transferCollection,
      why: 'If the other organization cannot take the collection, nothing changes and the exit code is 7.',
      args: { collectionId: '<collection>' },
      flags: { organization: { name: 'to-org', value: '<org>' } },
      danger: 'confirm',
      columns: ['title', 'organization', 'parent', 'id'],
      examples: [
        {
          run: 'collections transfer c1 --to-org o2 --yes',
          does: 'transfer a collection to another organization',
        },
      ],
    }),
  ],
};
