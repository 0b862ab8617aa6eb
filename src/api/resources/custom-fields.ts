import { body, nothing, one, operation, page } from '../operation.js';
import { id, known, permissions, reference, shape, timestamp, urls } from '../shapes.js';
import { type Static, Type } from '../type.js';

/** Definitions of custom fields (spec A, "Custom field"). */

export const customFieldTypes = [
  'text',
  'number',
  'boolean',
  'select',
  'multiselect',
  'url',
  'date',
] as const;

const name = Type.String({
  minLength: 1,
  maxLength: 50,
  pattern: '^[a-z_\\-0-9]+$',
  description: 'Name: lowercase letters, digits, _ and -',
});
const type = known(customFieldTypes, 'Type of the values; cannot be changed later');

/** What can be changed after creation. */
const settings = {
  title: Type.Optional(Type.String({ maxLength: 100, description: 'Title' })),
  description: Type.Optional(Type.String({ maxLength: 200, description: 'Description' })),
  placeholder: Type.Optional(Type.String({ maxLength: 100, description: 'Text shown until a value is set' })),
  options: Type.Optional(
    Type.Array(Type.String(), { minItems: 1, maxItems: 50, description: 'Option to select from' }),
  ),
};

export const CustomField = shape({
  object: Type.Literal('custom-field'),
  id,
  name,
  type,
  ...settings,
  createdAt: timestamp,
  updatedAt: timestamp,
  urls: urls(['location']),
  permissions: permissions(['view', 'edit']),
});
export type CustomField = Static<typeof CustomField>;

const fields = '/v1/orgs/{organizationId}/custom-fields';
const field = `${fields}/{fieldName}` as const;

export const listCustomFields = operation('custom-fields.list', 'GET', fields, {
  summary: 'List the custom fields of an organization',
  returns: page(CustomField),
});

export const createCustomField = operation('custom-fields.create', 'POST', fields, {
  summary: 'Create a custom field',
  body: body({ name, type, ...settings }),
  success: 201,
  returns: one(CustomField),
});

export const getCustomField = operation('custom-fields.get', 'GET', field, {
  summary: 'Get a custom field',
  returns: one(CustomField),
});

export const updateCustomField = operation('custom-fields.update', 'PATCH', field, {
  summary: 'Update a custom field',
  body: body(settings),
  returns: one(CustomField),
});

export const deleteCustomField = operation('custom-fields.delete', 'DELETE', field, {
  summary: 'Delete a custom field',
  returns: nothing,
});

/** Values of custom fields on a space (spec A, "Custom field value entry"). */

/** A value: text of at most 256 characters, a number, a boolean, or a list of texts. */
export const CustomFieldValue = Type.Union([
  Type.String({ maxLength: 256 }),
  Type.Number(),
  Type.Boolean(),
  Type.Array(Type.String()),
]);

const CustomFieldEntry = shape({ customField: CustomField, value: Type.Optional(CustomFieldValue) });

const spaceFields = '/v1/spaces/{spaceId}/custom-fields';

export const listSpaceFields = operation('space-fields.list', 'GET', spaceFields, {
  summary: 'List the custom field values of a space',
  returns: one(Type.Array(CustomFieldEntry)),
});

export const setSpaceFields = operation('space-fields.set', 'PATCH', spaceFields, {
  summary: 'Set custom field values of a space',
  body: body({
    values: Type.Record(reference(), body({ value: CustomFieldValue }), {
      description: 'Values by field name',
    }),
  }),
  returns: nothing,
  needs: 'edit',
});
