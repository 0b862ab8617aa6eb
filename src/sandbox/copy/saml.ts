import type { SamlProvider } from '../../api/resources/saml.js';
import type { SsoLogin } from '../../api/resources/sso.js';
import { type SamlRow, samlProviders, toSsoLogin } from '../records/saml-provider.js';
import { found } from '../refusal.js';
import type { Database } from '../store/database.js';
import { asAdmin } from './as-admin.js';
import { msOf, tell, upsert } from './rows.js';
import { putTeam } from './team.js';

/** Puts a SAML provider. Its default team is put as the provider names it, unless it is there. Call within a write. */
export function putSamlProvider(db: Database, orgId: string, provider: SamlProvider): void {
  const { id, defaultTeam } = provider;
  const isThere = 'SELECT 1 FROM teams WHERE id = ?';
  if (defaultTeam !== undefined && db.get(isThere, defaultTeam.id) === undefined)
    putTeam(db, orgId, defaultTeam);
  upsert(db, 'saml_providers', ['id'], {
    id,
    org_id: orgId,
    label: provider.label,
    entity_id: provider.entityID ?? null,
    certificate: provider.certificate ?? null,
    sso_url: provider.ssoURL ?? null,
    default_team: defaultTeam?.id ?? null,
    default_role: provider.defaultRole ?? null,
    created_at: msOf(provider.createdAt),
  });
  const own = () => samlProviders.get(asAdmin(db, orgId), id);
  tell(db, { table: 'saml_providers', key: { id } }, provider, own);
}

/** Puts a way to sign in: of a SAML provider that is there, or one of its own. Call within a write. */
export function putSsoLogin(db: Database, orgId: string, login: SsoLogin): void {
  const { id } = login;
  const read = () => db.get<SamlRow>('SELECT * FROM saml_providers WHERE org_id = ? AND id = ?', orgId, id);
  const row = read();
  if (row === undefined) {
    upsert(db, 'sso_logins', ['org_id', 'id'], { org_id: orgId, id, told: JSON.stringify(login) });
    return;
  }
  db.run('DELETE FROM sso_logins WHERE org_id = ? AND id = ?', orgId, id);
  const own = () => toSsoLogin(found(read(), 'SAML provider', id));
  tell(db, { table: 'saml_providers', key: { id }, column: 'login_told' }, login, own);
}
