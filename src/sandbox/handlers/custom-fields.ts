import {
  createCustomField,
  deleteCustomField,
  getCustomField,
  listCustomFields,
  updateCustomField,
} from '../../api/resources/custom-fields.js';
import { handle } from '../handle.js';
import { type CustomFieldRow, customFieldByName, customFields } from '../records/custom-field.js';
import { refusal } from '../refusal.js';
import { valueWithin } from '../spaces/field-values.js';
import type { Database } from '../store/database.js';

export const handlers = [
  handle(listCustomFields, (call) => customFields.list(call)),

  handle(createCustomField, (call) => {
    const { name, type, title, description, placeholder, options } = call.body;
    if (customFields.find(call, name) !== undefined) {
      throw refusal(409, `Custom field ${JSON.stringify(name)} already exists.`);
    }
    const now = call.clock.now();
    return customFields.create(call, {
      ...{ name, type, title, description, placeholder, options: options && JSON.stringify(options) },
      ...{ created_at: now, updated_at: now },
    });
  }),

  handle(getCustomField, (call) => customFields.get(call, call.path.fieldName)),

  handle(updateCustomField, (call) => {
    const { db, org, path, body, clock } = call;
    const { title, description, placeholder, options } = body;
    const field = customFields.update(call, path.fieldName, {
      ...{ title, description, placeholder, options: options && JSON.stringify(options) },
      updated_at: clock.now(),
    });
    if (options !== undefined) dropForeignValues(db, customFieldByName(db, org.id, path.fieldName));
    return field;
  }),

  /** Deletes its values on spaces too. */
  handle(deleteCustomField, (call) => customFields.remove(call, call.path.fieldName)),
];

/** Removes values from spaces that are no longer an option. */
function dropForeignValues(db: Database, field: CustomFieldRow): void {
  const sql = 'SELECT space_id, value FROM space_field_values WHERE field_id = ?';
  for (const { space_id: spaceId, value } of db.all<{ space_id: string; value: string }>(sql, field.id)) {
    const left = valueWithin(value, field);
    if (left === value) continue;
    const where = 'WHERE space_id = ? AND field_id = ?';
    if (left === undefined) db.run(`DELETE FROM space_field_values ${where}`, spaceId, field.id);
    else db.run(`UPDATE space_field_values SET value = ? ${where}`, left, spaceId, field.id);
  }
}
