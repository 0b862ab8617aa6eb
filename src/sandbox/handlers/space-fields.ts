import { listSpaceFields, setSpaceFields } from '../../api/resources/space-fields.js';
import { handle } from '../handle.js';
import { type CustomFieldRow, customFieldByName, toCustomField } from '../records/custom-field.js';
import { refusal } from '../refusal.js';

type Value = string | number | boolean | string[];

export const handlers = [
  /** All fields of the organization, with their values if set. */
  handle(listSpaceFields, ({ db, space, caller }) => {
    const rows = db.all<CustomFieldRow & { value: string | null }>(
      `SELECT f.*, v.value FROM custom_fields f
       LEFT JOIN space_field_values v ON v.field_id = f.id AND v.space_id = ?
       WHERE f.org_id = ? ORDER BY f.name`,
      space.id,
      space.org_id,
    );
    return rows.map((row) => ({
      customField: toCustomField(row, { caller }),
      ...(row.value !== null && { value: JSON.parse(row.value) as Value }),
    }));
  }),

  handle(setSpaceFields, ({ db, space, body }) => {
    for (const [name, { value }] of Object.entries(body.values)) {
      const field = customFieldByName(db, space.org_id, name);
      const issue = valueIssue(field, value);
      if (issue !== undefined) throw refusal(400, `body values.${name} ${issue}`);
      db.run(
        'INSERT OR REPLACE INTO space_field_values (space_id, field_id, value) VALUES (?, ?, ?)',
        ...[space.id, field.id, JSON.stringify(value)],
      );
    }
  }),
];

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
