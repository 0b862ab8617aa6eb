import type { TranslationSettings } from '../../api/resources/translations.js';
import { type InOrg, orgTable } from '../org-table.js';
import { apiUrl, fields } from './fields.js';
import { withTold } from './told.js';

interface TranslationRow {
  id: string;
  org_id: string;
  title: string;
  languages: string;
  created_at: number;
  updated_at: number;
  told: string | null;
}

export const translations = orgTable({
  table: 'translations',
  what: 'translation settings',
  item: toTranslation,
});

/** Translation settings as the caller sees them (spec A, "Translation settings"). */
function toTranslation(row: TranslationRow, { caller }: InOrg): TranslationSettings {
  const own: TranslationSettings = {
    object: 'translation-settings',
    ...fields(row, 'id', 'title'),
    languages: JSON.parse(row.languages) as string[],
    ...fields(row, 'created_at', 'updated_at'),
    permissions: { view: true, edit: caller.role === 'admin' },
    urls: { location: apiUrl(`/orgs/${row.org_id}/translations/${row.id}`) },
  };
  return withTold(own, row.told);
}
