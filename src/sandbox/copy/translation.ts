import type { TranslationSettings } from '../../api/resources/translations.js';
import { translations } from '../records/translation.js';
import type { Database } from '../store/database.js';
import { asAdmin } from './as-admin.js';
import { msOf, tell, upsert } from './rows.js';

/** Puts translation settings. Call within a write. */
export function putTranslation(
  db: Database,
  orgId: string,
  settings: Omit<TranslationSettings, 'permissions'>,
): void {
  const { id } = settings;
  upsert(db, 'translations', ['id'], {
    id,
    org_id: orgId,
    title: settings.title,
    languages: JSON.stringify(settings.languages ?? []),
    created_at: msOf(settings.createdAt),
    updated_at: msOf(settings.updatedAt),
  });
  const own = () => translations.get(asAdmin(db, orgId), id);
  tell(db, { table: 'translations', key: { id } }, settings, own);
}
