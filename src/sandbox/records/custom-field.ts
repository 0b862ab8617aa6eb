import type { CustomField } from '../../api/resources/custom-fields.js';
import { type InOrg, orgTable } from '../org-table.js';
import { found } from '../refusal.js';
import type { Database } from '../store/database.js';
import { apiUrl, fields } from './fields.js';
import { withTold } from './told.js';

export interface CustomFieldRow {
  id: string;
  org_id: string;
  name: string;
  type: string;
  title: string | null;
  description: string | null;
  placeholder: string | null;
  options: string | null;
  created_at: number;
  updated_at: number;
  told: string | null;
}

export const customFields = orgTable({
  table: 'custom_fields',
  what: 'custom field',
  key: 'name',
  by: ['t.name'],
  item: toCustomField,
});

/** @throws 404 */
export function customFieldByName(db: Database, orgId: string, name: string): CustomFieldRow {
  const sql = 'SELECT * FROM custom_fields WHERE org_id = ? AND name = ?';
  return found(db.get<CustomFieldRow>(sql, orgId, name), 'custom field', name);
}

/** A custom field as the caller sees it (spec A, "Custom field"). */
export function toCustomField(row: CustomFieldRow, { caller }: Pick<InOrg, 'caller'>): CustomField {
  const own: CustomField = {
    object: 'custom-field',
    ...fields(row, 'id', 'name', 'type', 'title', 'description', 'placeholder'),
    ...(row.options !== null && { options: JSON.parse(row.options) as string[] }),
    ...fields(row, 'created_at', 'updated_at'),
    urls: { location: apiUrl(`/orgs/${row.org_id}/custom-fields/${row.name}`) },
    permissions: { view: true, edit: caller.role === 'admin' },
  };
  return withTold(own, row.told);
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
