import {
  createTranslation,
  deleteTranslation,
  getTranslation,
  listTranslations,
  type TranslationSettings,
  updateTranslation,
} from '../../api/resources/translations.js';
import type { Role } from '../../api/shapes.js';
import { iso } from '../clock.js';
import { type Call, handle } from '../handle.js';
import { apiUrl } from '../records/urls.js';
import { found, notFound } from '../refusal.js';

interface TranslationRow {
  id: string;
  org_id: string;
  title: string;
  languages: string;
  created_at: number;
  updated_at: number;
}

export const handlers = [
  handle(listTranslations, ({ org, caller, page }) =>
    page({
      select: 't.*',
      from: 'translations t',
      where: [['t.org_id = ?', org.id]],
      by: ['t.created_at', 't.id'],
      item: (row: TranslationRow) => toTranslation(row, caller.role),
    }),
  ),

  /** The specification has no way to set languages: new settings have none. */
  handle(createTranslation, (call) => {
    const { db, org, body, clock, newId } = call;
    const [id, now] = [newId(), clock.now()];
    const sql = 'INSERT INTO translations (id, org_id, title, created_at, updated_at) VALUES (?, ?, ?, ?, ?)';
    db.run(sql, id, org.id, body.title, now, now);
    return settings(call, id);
  }),

  handle(getTranslation, (call) => settings(call, call.path.translationSettingsId)),

  handle(updateTranslation, (call) => {
    const { db, org, path, body, clock } = call;
    const sql = 'UPDATE translations SET title = ?, updated_at = ? WHERE id = ? AND org_id = ?';
    db.run(sql, body.title, clock.now(), path.translationSettingsId, org.id);
    return settings(call, path.translationSettingsId);
  }),

  handle(deleteTranslation, ({ db, org, path }) => {
    const id = path.translationSettingsId;
    const removed = db.run('DELETE FROM translations WHERE id = ? AND org_id = ?', id, org.id);
    if (removed === 0) throw notFound('translation settings', id);
  }),
];

type InOrg = Pick<Call<typeof listTranslations>, 'db' | 'org' | 'caller'>;

function settings({ db, org, caller }: InOrg, id: string): TranslationSettings {
  const sql = 'SELECT * FROM translations WHERE id = ? AND org_id = ?';
  return toTranslation(
    found(db.get<TranslationRow>(sql, id, org.id), 'translation settings', id),
    caller.role,
  );
}

/** Translation settings as the given role sees them (spec A, "Translation settings"). */
function toTranslation(row: TranslationRow, role: Role | null): TranslationSettings {
  return {
    object: 'translation-settings',
    id: row.id,
    title: row.title,
    languages: JSON.parse(row.languages) as string[],
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
    permissions: { view: true, edit: role === 'admin' },
    urls: { location: apiUrl(`/orgs/${row.org_id}/translations/${row.id}`) },
  };
}
