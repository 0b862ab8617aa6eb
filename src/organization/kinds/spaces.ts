import { spaceListOperations } from '../../api/organization-spaces.js';
import { listCollectionSpaces } from '../../api/resources/collections.js';
import { CustomFieldValue, listSpaceFields, setSpaceFields } from '../../api/resources/space-fields.js';
import { deleteSpace, moveSpace, updateSpace } from '../../api/resources/spaces.js';
import { Type } from '../../api/type.js';
import { emoji, type FieldEntry } from '../../jobs/rules/spaces.js';
import type { Field, Kind } from '../kind.js';
import { fieldsFrom, liveItem } from './declare.js';
import { listSpaces } from './list-spaces.js';
import { asSent, shownValues } from './space-values.js';

const fields: readonly Field[] = [
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
];
const name = 'spaces';

export const spaces: Kind = {
  name,
  one: 'space',
  spot: { file: 'library.yaml', list: 'library', marker: 'space' },
  parents: ['root', 'collections'],
  key: 'own',
  parameter: 'spaceId',
  fields,
  leftOut: {
    icon: 'the platform returns its own address for the icon, not the URL that was set',
    visibility:
      'it follows from where the space is published, which no file sets; docs drift shows neither, nor who has access to the space',
  },
  reads: [...new Set([listCollectionSpaces, ...spaceListOperations, listSpaceFields])],
  list: (reading) => listSpaces(reading, (...space) => liveItem({ name, fields }, ...space)),
  update: updateSpace,
  remove: deleteSpace,
  order: {
    op: moveSpace,
    with: [name],
    within: ['collections'],
    neighbour: (kind, space) => (kind === name ? { type: 'space', space } : undefined),
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
