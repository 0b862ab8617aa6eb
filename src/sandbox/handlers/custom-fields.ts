import * as api from '../../api/resources/custom-fields.js';
import { handle } from '../handle.js';
import { type InOrg, orgTable } from '../org-table.js';
import { apiUrl } from '../records/fields.js';
import { layoutOf } from '../records/layout.js';
import { found, refusal } from '../refusal.js';
import type { Database } from '../store/database.js';
import type { Row } from '../store/rows.js';

type CustomFieldRow = Row<{ text: 'id org_id name type'; maybeText: 'options' }>;

const layout = layoutOf(api.CustomField, { computed: ['urls', 'permissions'] });

export const customFields = orgTable({
  ...{ table: 'custom_fields', what: 'custom field', key: 'name', by: ['t.name'], layout },
  computed,
});

function computed({ org_id: orgId, name }: CustomFieldRow, { caller }: Pick<InOrg, 'caller'>) {
  return {
    urls: { location: apiUrl(`/orgs/${orgId}/custom-fields/${name}`) },
    permissions: { view: true, edit: caller.role === 'admin' },
  };
}

/** @throws 404 */
function customFieldByName(db: Database, orgId: string, name: string): CustomFieldRow {
  const sql = 'SELECT * FROM custom_fields WHERE org_id = ? AND name = ?';
  return found(db.get<CustomFieldRow>(sql, orgId, name), 'custom field', name);
}

/** A value, as JSON, without options that the field does not have; undefined if nothing is left. */
export function valueWithin(
  value: string,
  field: Pick<CustomFieldRow, 'type' | 'options'>,
): string | undefined {
  if (field.options === null || (field.type !== 'select' && field.type !== 'multiselect')) return value;
  const options = JSON.parse(field.options) as string[];
  const given = [JSON.parse(value) as string | string[]].flat();
  const kept = given.filter((option) => options.includes(option));
  if (kept.length === given.length) return value;
  return kept.length === 0 ? undefined : JSON.stringify(kept);
}

type Value = string | number | boolean | string[];

export const handlers = [
  ...customFields.handlers([
    api.listCustomFields,
    api.createCustomField,
    api.getCustomField,
    // Deletes its values on spaces too.
    api.deleteCustomField,
  ]),

  handle(api.updateCustomField, (call) => {
    const { db, org, path, body } = call;
    const field = customFields.update(call, path.fieldName, customFields.changes(body));
    if (body.options !== undefined) dropForeignValues(db, customFieldByName(db, org.id, path.fieldName));
    return field;
  }),

  /** All fields of the organization, with their values if set. */
  handle(api.listSpaceFields, ({ db, space, caller }) => {
    const rows = db.all<CustomFieldRow & { value: string | null }>(
      `SELECT f.*, v.value FROM custom_fields f
       LEFT JOIN space_field_values v ON v.field_id = f.id AND v.space_id = ?
       WHERE f.org_id = ? ORDER BY f.name`,
      space.id,
      space.org_id,
    );
    return rows.map((row) => ({
      customField: layout.item(row, computed(row, { caller })),
      ...(row.value !== null && { value: JSON.parse(row.value) as Value }),
    }));
  }),

  /** Empty text clears the value of a text field, and an empty list that of a multiselect field. */
  handle(api.setSpaceFields, ({ db, space, body }) => {
    for (const [name, { value }] of Object.entries(body.values)) {
      const field = customFieldByName(db, space.org_id, name);
      if (clears(field, value)) {
        const sql = 'DELETE FROM space_field_values WHERE space_id = ? AND field_id = ?';
        db.run(sql, space.id, field.id);
        continue;
      }
      const issue = valueIssue(field, value);
      if (issue !== undefined) throw refusal(400, `body values.${name} ${issue}`);
      db.run(
        'INSERT OR REPLACE INTO space_field_values (space_id, field_id, value) VALUES (?, ?, ?)',
        ...[space.id, field.id, JSON.stringify(value)],
      );
    }
  }),
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

function clears({ type }: CustomFieldRow, value: Value): boolean {
  return type === 'multiselect'
    ? Array.isArray(value) && value.length === 0
    : type === 'text' && value === '';
}

/** Why a value does not fit a field, or undefined. */
function valueIssue({ type, options }: CustomFieldRow, value: Value): string | undefined {
  const allowed = options === null ? undefined : (JSON.parse(options) as string[]);
  const foreign = (texts: string[]) => allowed !== undefined && texts.some((text) => !allowed.includes(text));
  const oneOf = `must be one of ${allowed?.join(', ')}`;
  if (type === 'number') return typeof value === 'number' ? undefined : 'must be a number';
  if (type === 'boolean') return typeof value === 'boolean' ? undefined : 'must be a boolean';
  if (type === 'multiselect') {
    if (!Array.isArray(value)) return 'must be a list of strings';
    return foreign(value) ? oneOf : undefined;
  }
  if (typeof value !== 'string') return 'must be a string';
  if (type === 'select') return foreign([value]) ? oneOf : undefined;
  if (type === 'url') return URL.canParse(value) ? undefined : 'must be an absolute URL';
  if (type === 'date') return Number.isNaN(Date.parse(value)) ? 'must be a date' : undefined;
  return undefined;
}
