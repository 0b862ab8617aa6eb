import {
  createCustomField,
  customFieldTypes,
  deleteCustomField,
  listCustomFields,
  updateCustomField,
} from '../../api/resources/custom-fields.js';
import type { Cannot, Field, Kind } from '../kind.js';
import type { Live, LiveItem } from '../model.js';
import { fieldsFrom, listed, liveItem } from './declare.js';

const noOtherType: Cannot = {
  message: 'No operation changes the type of a custom field.',
  hint: ({ key }) => `Keep the type, or add a field under another name in place of ${key}.`,
  more: valuesLost,
};

const types: readonly unknown[] = customFieldTypes;

/** A field of another type that the platform has already is read and compared as it is. */
function noSuchType(type: unknown): Cannot {
  return {
    message: `The platform has no custom fields of the type ${String(type)}.`,
    hint: ({ at }) => `Choose from ${types.join(', ')} in ${at.file}.`,
  };
}

const fields: readonly Field[] = [
  ...fieldsFrom(createCustomField, { type: { required: true, fixed: noOtherType.message } }),
  ...fieldsFrom(updateCustomField, { title: {}, description: {}, placeholder: {}, options: {} }),
];
const name = 'fields';

export const customFields: Kind = {
  name,
  one: 'custom field',
  spot: { file: 'fields.yaml', list: 'fields' },
  parents: ['root'],
  key: { field: 'name' },
  parameter: 'fieldName',
  fields,
  reads: [listCustomFields],
  list: (reading) =>
    listed(reading, listCustomFields, (field) =>
      liveItem({ name, fields }, field, { id: field.name, natural: field.name, title: field.title ?? '' }),
    ),
  create: {
    op: createCustomField,
    id: 'name',
    sends: ['name'],
    more: ({ key }) => ({ name: key }),
    unless: ({ fields: { type } }) =>
      type === undefined || types.includes(type) ? undefined : noSuchType(type),
  },
  update: updateCustomField,
  remove: deleteCustomField,
  cannot: { 'change type': noOtherType },
};

/** A field of another type would be a new one. Not every space's values may have been read. */
function valuesLost({ items }: Live, { id }: LiveItem): string | undefined {
  const has = ({ fields }: LiveItem) => {
    const value = (fields.fields as Record<string, unknown> | null | undefined)?.[id] ?? '';
    return Array.isArray(value) ? value.length > 0 : value !== '';
  };
  const spaces = items.get('spaces') ?? [];
  const count = spaces.filter(has).length;
  if (count === 0) return undefined;
  const least = spaces.every(({ fields }) => 'fields' in fields) ? '' : 'at least ';
  return `A new one would lose the ${count === 1 ? `value of ${least}1 space` : `values of ${least}${count} spaces`}.`;
}
