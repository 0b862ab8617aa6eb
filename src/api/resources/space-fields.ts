import { body, nothing, one, operation } from '../operation.js';
import { reference, shape } from '../shapes.js';
import { Type } from '../type.js';
import { CustomField } from './custom-fields.js';

/** Values of custom fields on a space (spec A, "Custom field value entry"). */

/** A value: text of at most 256 characters, a number, a boolean, or a list of texts. */
export const CustomFieldValue = Type.Union([
  Type.String({ maxLength: 256 }),
  Type.Number(),
  Type.Boolean(),
  Type.Array(Type.String()),
]);

export const CustomFieldEntry = shape({ customField: CustomField, value: Type.Optional(CustomFieldValue) });

const fields = '/v1/spaces/{spaceId}/custom-fields';

export const listSpaceFields = operation('space-fields.list', 'GET', fields, {
  summary: 'List the custom field values of a space',
  returns: one(Type.Array(CustomFieldEntry)),
});

export const setSpaceFields = operation('space-fields.set', 'PATCH', fields, {
  summary: 'Set custom field values of a space',
  body: body({
    values: Type.Record(reference(), body({ value: CustomFieldValue }), {
      description: 'Values by field name',
    }),
  }),
  returns: nothing,
  needs: 'edit',
});
