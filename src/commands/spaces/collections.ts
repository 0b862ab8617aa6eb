import * as api from '../../api/resources/collections.js';
import type { Group } from '../../cli/declare/command.js';
import { command } from '../../cli/declare/define.js';
import { besideSpace, saysTransfer, spaceColumns } from '../shared/declarations.js';

const columns = [
  'title',
  'parent',
  { path: 'defaultLevel', as: 'role', lead: true },
  'description',
  'id',
] as const;

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
      operation: api.listCollections,
      why: 'Includes nested collections; --no-nested lists the top level only.',
      columns,
      examples: {
        'collections list': 'list all collections, nested ones included',
        'collections list --no-nested': 'list the top level only',
      },
    }),
    command({
      name: 'create',
      operation: api.createCollection,
      why: '--parent puts it into another collection; without it, the collection is created at the top level.',
      flags: { parent: { value: '<collection>' } },
      columns,
      examples: {
        'collections create --title Engineering --parent c1': 'create a collection inside another one',
      },
    }),
    command({
      name: 'get',
      operation: api.getCollection,
      why: 'Shows the title, the parent and the default permission on its spaces.',
      args: { collectionId: '<collection>' },
      columns,
      examples: { 'collections get c1': 'show a collection' },
    }),
    command({
      name: 'update',
      operation: api.updateCollection,
      why:
        '--default-level sets the permission that all members have on its contents unless another rule ' +
        'grants more.',
      args: { collectionId: '<collection>' },
      flags: { description: { edited: true } },
      columns,
      examples: {
        'collections update c1 --title Handbooks': 'rename a collection',
        'collections update c1 --default-level read': 'let all members read its contents',
      },
    }),
    command({
      name: 'delete',
      operation: api.deleteCollection,
      why: 'Deletes no spaces: the spaces and collections in it move to its parent.',
      args: { collectionId: '<collection...>' },
      danger: 'type-title',
      titleFrom: api.getCollection,
      consequences: async () => (await import('../shared/consequences.js')).ofCollection,
      examples: { 'collections delete c1 --yes': 'delete a collection, keep its spaces' },
    }),
    command({
      name: 'spaces',
      operation: api.listCollectionSpaces,
      why: 'Lists the spaces directly in the collection. docs spaces list covers all collections and sites.',
      args: { collectionId: '<collection>' },
      columns: spaceColumns,
      examples: { 'collections spaces c1': 'list the spaces of a collection' },
    }),
    command({
      name: 'move',
      operation: api.moveCollection,
      why: 'Its contents stay unchanged. A neighbour is a collection or a space.',
      args: { collectionId: '<collection>' },
      flags: {
        parent: { value: '<collection>' },
        ...besideSpace('collection'),
      },
      columns: ['title', 'parent', 'organization', 'id'],
      examples: {
        'collections move c1 --parent c2': 'move a collection into another one',
        'collections move c1 --unset parent --before c2':
          'move a collection to the top level, before another one',
        'collections move c1 --after s1': 'move a collection after a space',
      },
    }),
    command({
      name: 'transfer',
      operation: api.transferCollection,
      done: 'transferred',
      why: 'If the other organization cannot take the collection, nothing changes and the exit code is 7.',
      args: { collectionId: '<collection>' },
      flags: { organization: { name: 'to-org', value: '<org>' } },
      says: saysTransfer,
      danger: 'confirm',
      columns: ['title', 'organization', 'parent', 'id'],
      examples: {
        'collections transfer c1 --to-org o2 --yes': 'transfer a collection to another organization',
      },
    }),
  ],
};
