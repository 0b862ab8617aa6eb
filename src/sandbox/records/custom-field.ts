import type { CustomField } from '../../api/resources/custom-fields.js';
import type { Role } from '../../api/shapes.js';
import { iso } from '../clock.js';
import { apiUrl } from './urls.js';

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
}

/** A custom field as the given role in its organization sees it (spec A, "Custom field"). */
export function toCustomField(row: CustomFieldRow, role: Role | null): CustomField {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    ...(row.title !== null && { title: row.title }),
    ...(row.description !== null && { description: row.description }),
    ...(row.placeholder !== null && { placeholder: row.placeholder }),
    ...(row.options !== null && { options: JSON.parse(row.options) as string[] }),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
    urls: { location: apiUrl(`/orgs/${row.org_id}/custom-fields/${row.name}`) },
    permissions: { view: true, edit: role === 'admin' },
  };
}
