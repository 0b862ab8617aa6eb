import {
  createTranslation,
  deleteTranslation,
  getTranslation,
  listTranslations,
  type TranslationSettings,
  updateTranslation,
} from '../../api/resources/translations.js';
import { handle } from '../handle.js';
import { type InOrg, orgTable } from '../org-table.js';
import { apiUrl, fields, withTold } from '../records/fields.js';

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

/** The languages of new settings: no operation of the specification sets them. */
const firstLanguages = ['de', 'es', 'fr', 'ja'];

export const handlers = [
  handle(listTranslations, (call) => translations.list(call)),

  handle(createTranslation, (call) => {
    const now = call.clock.now();
    const { title } = call.body;
    const languages = JSON.stringify(firstLanguages);
    return translations.create(call, { title, languages, created_at: now, updated_at: now });
  }),

  handle(getTranslation, (call) => translations.get(call, call.path.translationSettingsId)),

  handle(updateTranslation, (call) => {
    const { path, body, clock } = call;
    const changes = { title: body.title, updated_at: clock.now() };
    return translations.update(call, path.translationSettingsId, changes);
  }),

  handle(deleteTranslation, (call) => translations.remove(call, call.path.translationSettingsId)),
];
