import { type Static, Type } from '@sinclair/typebox';
import { body, nothing, one, operation } from '../operation.js';
import { known, permissions, shape, timestamp, urls } from '../shapes.js';

/** Custom fields and their values on a space (spec A, "Custom field"). */

export const customFieldTypes = [
  'text',
  'number',
  'boolean',
  'select',
  'multiselect',
  'url',
  'date',
] as const;

export const CustomField = shape({
  id: Type.String(),
  name: Type.String({ minLength: 1, maxLength: 50, pattern: '^[a-z_\\-0-9]+$' }),
  type: known(customFieldTypes),
  title: Type.Optional(Type.String({ maxLength: 100 })),
  description: Type.Optional(Type.String({ maxLength: 200 })),
  placeholder: Type.Optional(Type.String({ maxLength: 100 })),
  options: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 50 })),
  createdAt: timestamp,
  updatedAt: timestamp,
  urls: urls(['location']),
  permissions: permissions(['view', 'edit']),
});
export type CustomField = Static<typeof CustomField>;

/** A value: text of at most 256 characters, a number, a boolean, or a list of texts. */
export const CustomFieldValue = Type.Union([
  Type.String({ maxLength: 256 }),
  Type.Number(),
  Type.Boolean(),
  Type.Array(Type.String()),
]);

export const CustomFieldEntry = shape({ customField: CustomField, value: Type.Optional(CustomFieldValue) });

const fields = '/v1/spaces/{spaceId}/custom-fields';

export const listSpaceFields = operation({
  id: 'space-fields.list',
  method: 'GET',
  path: fields,
  summary: 'List the custom field values of a space',
  success: 200,
  returns: one(Type.Array(CustomFieldEntry)),
});

export const setSpaceFields = operation({
  id: 'space-fields.set',
  method: 'PATCH',
  path: fields,
  summary: 'Set custom field values of a space',
  body: body({
    values: Type.Record(Type.String({ minLength: 1 }), body({ value: CustomFieldValue }), {
      description: 'Value by name of the field',
    }),
  }),
  success: 204,
  returns: nothing,
  needs: 'edit',
});
