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
  summary: 'Collections of spaces',
  why: 'A collection groups spaces and other collections. Deleting one moves what it holds to its parent.',
  commands: [
    command({
      name: 'list',
      aliases: ['ls'],
      operation: listCollections,
      why: 'Those at the top; --nested lists those inside others, too.',
      columns,
      examples: [
        { run: 'collections list', does: 'all collections, nested ones included' },
        { run: 'collections list --no-nested', does: 'those at the top level' },
      ],
    }),
    command({
      name: 'create',
      operation: createCollection,
      why: '--parent puts it into another collection; without one it stands at the top.',
      flags: { parent: { value: '<collection>' } },
      columns,
      examples: [{ run: 'collections create --title Engineering --parent c1', does: 'inside another one' }],
    }),
    command({
      name: 'get',
      operation: getCollection,
      why: 'Its title, where it stands, and what its spaces give people by default.',
      args: { collectionId: '<collection>' },
      columns,
      examples: [{ run: 'collections get c1', does: 'one collection' }],
    }),
    command({
      name: 'update',
      operation: updateCollection,
      why: '--default-level is what everybody of the organization may do in it, where nothing else says more.',
      args: { collectionId: '<collection>' },
      columns,
      examples: [
        { run: 'collections update c1 --title Handbooks', does: 'rename it' },
        { run: 'collections update c1 --default-level read', does: 'let everybody read what it holds' },
      ],
    }),
    command({
      name: 'delete',
      aliases: ['rm'],
      operation: deleteCollection,
      why: 'No space is lost: spaces and collections in it move to its parent.',
      args: { collectionId: '<collection...>' },
      danger: 'type-title',
      titleFrom: getCollection,
      examples: [{ run: 'collections delete c1 --yes', does: 'delete it; its spaces move to its parent' }],
    }),
    command({
      name: 'spaces',
      operation: listCollectionSpaces,
      why: 'The spaces that stand in it. docs spaces list gathers those of all collections and sites.',
      args: { collectionId: '<collection>' },
      columns: spaceColumns,
      examples: [{ run: 'collections spaces c1', does: 'what is in it' }],
    }),
    command({
      name: 'move',
      operation: moveCollection,
      why: 'Nothing in it changes. A neighbour is a collection, or a space as space:<id>.',
      args: { collectionId: '<collection>' },
      flags: {
        parent: { value: '<collection>' },
        ...besideSpace('collection'),
      },
      columns: ['title', 'parent', 'organization', 'id'],
      examples: [
        { run: 'collections move c1 --parent c2', does: 'into another collection' },
        {
          run: 'collections move c1 --unset parent --before c3',
          does: 'to the top level, in front of another',
        },
        { run: 'collections move c1 --after space:s1', does: 'behind a space' },
      ],
    }),
    command({
      name: 'transfer',
      operation: transferCollection,
      why: 'Where the other organization cannot take it, nothing changes and the exit code is 7.',
      args: { collectionId: '<collection>' },
      flags: { organization: { name: 'to-org', value: '<org>' } },
      danger: 'confirm',
      columns: ['title', 'organization', 'parent', 'id'],
      examples: [
        { run: 'collections transfer c1 --to-org o2 --yes', does: 'hand it to another organization' },
      ],
    }),
  ],
};
