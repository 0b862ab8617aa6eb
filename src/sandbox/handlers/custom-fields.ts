import {
  createCustomField,
  deleteCustomField,
  getCustomField,
  listCustomFields,
  updateCustomField,
} from '../../api/resources/custom-fields.js';
import type { Database } from '../database.js';
import { valueWithin } from '../field-values.js';
import { type Call, handle } from '../handle.js';
import { type CustomFieldRow, toCustomField } from '../records/custom-field.js';
import { found, notFound, refusal } from '../refusal.js';
import { assignments } from '../sql.js';

export const handlers = [
  handle(listCustomFields, ({ org, caller, page }) =>
    page({
      select: 'f.*',
      from: 'custom_fields f',
      where: [['f.org_id = ?', org.id]],
      by: ['f.name'],
      item: (row: CustomFieldRow) => toCustomField(row, caller.role),
    }),
  ),

  handle(createCustomField, (call) => {
    const { db, org, caller, body, clock, newId } = call;
    if (fieldByName(call, body.name) !== undefined) {
      throw refusal(409, `There is a custom field ${JSON.stringify(body.name)} already.`);
    }
    const now = clock.now();
    db.run(
      `INSERT INTO custom_fields (id, org_id, name, type, title, description, placeholder, options, created_at,
         updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[newId(), org.id, body.name, body.type, body.title ?? null, body.description ?? null],
      ...[body.placeholder ?? null, body.options ? JSON.stringify(body.options) : null, now, now],
    );
    return toCustomField(required(call, body.name), caller.role);
  }),

  handle(getCustomField, (call) => toCustomField(required(call, call.path.fieldName), call.caller.role)),

  handle(updateCustomField, (call) => {
    const { db, path, body, caller, clock } = call;
    const { id } = required(call, path.fieldName);
    const [sql, ...values] = assignments({
      title: body.title,
      description: body.description,
      placeholder: body.placeholder,
      options: body.options && JSON.stringify(body.options),
      updated_at: clock.now(),
    });
    db.run(`UPDATE custom_fields SET ${sql} WHERE id = ?`, ...values, id);
    const field = required(call, path.fieldName);
    if (body.options !== undefined) dropForeignValues(db, field);
    return toCustomField(field, caller.role);
  }),

  /** Its values on spaces go with it. */
  handle(deleteCustomField, ({ db, org, path }) => {
    const removed = db.run('DELETE FROM custom_fields WHERE org_id = ? AND name = ?', org.id, path.fieldName);
    if (removed === 0) throw notFound('custom field', path.fieldName);
  }),
];

type InOrg = Pick<Call<typeof listCustomFields>, 'db' | 'org'>;

function fieldByName({ db, org }: InOrg, name: string): CustomFieldRow | undefined {
  const sql = 'SELECT * FROM custom_fields WHERE org_id = ? AND name = ?';
  return db.get<CustomFieldRow>(sql, org.id, name);
}

function required(call: InOrg, name: string): CustomFieldRow {
  return found(fieldByName(call, name), 'custom field', name);
}

/** Takes from the spaces what is no longer an option. */
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
