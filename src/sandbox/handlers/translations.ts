import * as api from '../../api/resources/translations.js';
import { orgTable } from '../org-table.js';
import { apiUrl } from '../records/fields.js';
import { layoutOf } from '../records/layout.js';

/** The languages of new settings: no operation of the specification sets them. */
const firstLanguages = ['de', 'es', 'fr', 'ja'];

export const translations = orgTable({
  table: 'translations',
  what: 'translation settings',
  layout: layoutOf(api.TranslationSettings, { computed: ['permissions', 'urls'] }),
  made: () => ({ languages: JSON.stringify(firstLanguages) }),
  computed: (row: { id: string; org_id: string }, { caller }) => ({
    permissions: { view: true, edit: caller.role === 'admin' },
    urls: { location: apiUrl(`/orgs/${row.org_id}/translations/${row.id}`) },
  }),
});

export const handlers = translations.handlers([
  api.listTranslations,
  api.createTranslation,
  api.getTranslation,
  api.updateTranslation,
  api.deleteTranslation,
]);
