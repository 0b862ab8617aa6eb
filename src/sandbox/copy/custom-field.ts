import type { CustomField } from '../../api/resources/custom-fields.js';
import { formatJson } from '../../api/transport/json-text.js';
import { customFields } from '../records/custom-field.js';
import type { Database } from '../store/database.js';
import { asAdmin } from './as-admin.js';
import { msOf, tell, upsert } from './rows.js';

type FieldItem = Omit<CustomField, 'permissions'>;

/** A value of a space, as the API lists it: with its field. */
export interface FieldValueItem {
  customField: FieldItem;
  value?: unknown;
}

/** Puts the definition of a custom field. Call within a write. */
export function putCustomField(db: Database, orgId: string, field: FieldItem): void {
  const { id, name, options } = field;
  upsert(db, 'custom_fields', ['id'], {
    id,
    org_id: orgId,
    name,
    type: field.type,
    title: field.title ?? null,
    description: field.description ?? null,
    placeholder: field.placeholder ?? null,
    options: options === undefined ? null : JSON.stringify(options),
    created_at: msOf(field.createdAt),
    updated_at: msOf(field.updatedAt),
  });
  const own = () => customFields.get(asAdmin(db, orgId), name);
  tell(db, { table: 'custom_fields', key: { id } }, field, own);
}

/**
 * Puts the values of a space: of each field the value listed, or none. A field that the organization lacks here,
 * since the list of fields could not be read, is put as the value names it. Call within a write.
 */
export function putFieldValues(db: Database, spaceId: string, values: readonly FieldValueItem[]): void {
  const space = db.get<{ org_id: string }>('SELECT org_id FROM spaces WHERE id = ?', spaceId);
  if (space === undefined) return;
  db.run('DELETE FROM space_field_values WHERE space_id = ?', spaceId);
  for (const { customField, value } of values) {
    const known = 'SELECT 1 FROM custom_fields WHERE id = ?';
    if (db.get(known, customField.id) === undefined) putCustomField(db, space.org_id, customField);
    if (value === undefined) continue;
    upsert(db, 'space_field_values', ['space_id', 'field_id'], {
      space_id: spaceId,
      field_id: customField.id,
      value: formatJson(value),
    });
  }
}
