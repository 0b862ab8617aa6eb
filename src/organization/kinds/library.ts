import { spaceListOperations } from '../../api/organization-spaces.js';
import {
  type Collection,
  createCollection,
  listCollectionSpaces,
  listCollections,
  moveCollection,
  updateCollection,
} from '../../api/resources/collections.js';
import { CustomFieldValue, listSpaceFields, setSpaceFields } from '../../api/resources/space-fields.js';
import { moveSpace, updateSpace } from '../../api/resources/spaces.js';
import { Type } from '../../api/type.js';
import { emoji, type FieldEntry, valuesByName } from '../../jobs/rules/spaces.js';
import type { Kind, LiveReading } from '../kind.js';
import type { LiveItem } from '../model.js';
import { fieldsFrom, liveItem, registered } from './declare.js';
import { listSpaces } from './list-spaces.js';

/** Collections and spaces. */

const collection = {
  ...registered('collection'),
  fields: fieldsFrom(updateCollection, {
    title: {},
    description: {},
    defaultLevel: { nullAs: 'none' },
  }),
};

export const collections: Kind = {
  ...collection,
  spot: { file: 'library.yaml', list: 'library', marker: 'collection', children: 'contents' },
  parents: ['root', 'collections'],
  key: 'own',
  reads: [listCollections],
  list: listInTree,
  create: {
    op: createCollection,
    sends: ['parent'],
    more: ({ parent }, { idOf }) => (parent === undefined ? {} : { parent: idOf(parent) }),
  },
  order: {
    op: moveCollection,
    with: ['collections'],
    neighbour: (kind, id) => (kind === 'collections' ? { type: 'collection', collection: id } : undefined),
    parent: (parent) => ({ parent }),
  },
};

/** Each with its parent, whichever of them the platform lists first. */
async function* listInTree({ client, organizationId }: LiveReading): AsyncGenerator<LiveItem> {
  const all = new Map<string, Collection>();
  for await (const one of client.call(listCollections, { path: { organizationId }, query: { nested: true } }))
    all.set(one.id, one);
  const items = new Map<string, LiveItem>();
  const counts = new Map<LiveItem | undefined, number>();
  const itemOf = (one: Collection): LiveItem => {
    const known = items.get(one.id);
    if (known !== undefined) return known;
    const above = all.get(one.parent ?? '');
    const parent = above && itemOf(above);
    const index = counts.get(parent) ?? 0;
    counts.set(parent, index + 1);
    const item = liveItem(collection, { ...one }, { index, ...(parent && { parent }) });
    items.set(one.id, item);
    return item;
  };
  for (const one of all.values()) itemOf(one);
  yield* items.values();
}

const space = {
  ...registered('space'),
  fields: [
    ...fieldsFrom(updateSpace, {
      title: {},
      editMode: {},
      defaultLevel: { nullAs: 'none' },
      emoji: { show: emoji },
    }),
    ...fieldsFrom(setSpaceFields, {
      values: {
        key: 'fields',
        map: true,
        apart: true,
        mapOf: 'fields',
        schema: Type.Record(Type.String(), CustomFieldValue, {
          description: 'Values of custom fields, by name',
        }),
        show: ({ customFields }) => shownValues(customFields as readonly FieldEntry[] | undefined),
        setBy: {
          op: setSpaceFields,
          body: (values) => ({ values: asSent(values as Readonly<Record<string, unknown>>) }),
        },
      },
    }),
  ],
};

export const spaces: Kind = {
  ...space,
  spot: { file: 'library.yaml', list: 'library', marker: 'space' },
  parents: ['root', 'collections'],
  key: 'own',
  leftOut: {
    icon: 'the platform returns its own address for the icon, not the URL that was set',
    visibility:
      'it follows from where the space is published, which no file sets; docs drift shows neither, nor who has access to the space',
  },
  reads: [...new Set([listCollectionSpaces, ...spaceListOperations, listSpaceFields])],
  list: (reading) => listSpaces(reading, (...one) => liveItem(space, ...one)),
  order: {
    op: moveSpace,
    with: ['spaces'],
    within: ['collections'],
    neighbour: (kind, id) => (kind === 'spaces' ? { type: 'space', space: id } : undefined),
    parent: (parent) => ({ parent }),
  },
  cannot: {
    create: {
      message: 'No operation creates a space by itself.',
      hint: ({ key }) =>
        `Duplicate one with "docs spaces duplicate", or create a site with one; then run "docs adopt spaces/${key}=<id>".`,
    },
    'clear a value': {
      message: 'No operation clears the value of a custom field but that of text and of several choices.',
    },
    'order at the top': {
      message:
        'The platform shows no order of spaces outside of collections, nor of spaces among collections.',
    },
  },
};

/** A field without a value that cannot be cleared has none to compare. */
function shownValues(entries: readonly FieldEntry[] | undefined): Record<string, unknown> | undefined {
  if (entries === undefined) return undefined;
  return Object.fromEntries(Object.entries(valuesByName(entries)).filter(([, value]) => value !== null));
}

function asSent(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([field, value]) => [field, { value }]));
}
