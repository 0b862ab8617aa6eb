import type { CustomField } from '../../api/resources/custom-fields.js';
import type { Organization } from '../../api/resources/orgs.js';
import type { SamlProvider, SsoLogin } from '../../api/resources/saml.js';
import type { TranslationSettings } from '../../api/resources/translations.js';
import { formatJson } from '../../api/transport/json-text.js';
import { customFields } from '../records/custom-field.js';
import { type OrgRow, toOrg } from '../records/org.js';
import { type SamlRow, samlProviders, toSsoLogin } from '../records/saml-provider.js';
import { translations } from '../records/translation.js';
import { found } from '../refusal.js';
import type { Database } from '../store/database.js';
import { putTeam } from './people.js';
import { asAdmin, bit, msOf, msOrNull, tell, upsert } from './rows.js';

/** Puts an organization. Its default site may come later. Call within a write. */
export function putOrganization(db: Database, org: Organization): void {
  const { id, billing, defaultContent, urls } = org;
  const json = (value: object | undefined) => (value === undefined ? null : JSON.stringify(value));
  upsert(db, 'organizations', ['id'], {
    id,
    title: org.title,
    created_at: msOf(org.createdAt),
    email_domains: JSON.stringify(org.emailDomains ?? []),
    hostname: org.hostname ?? null,
    type: org.type,
    use_case: org.useCase ?? null,
    community_type: org.communityType ?? null,
    default_role: org.defaultRole ?? null,
    default_site: defaultContent?.type === 'site' ? (defaultContent.site ?? null) : null,
    sso: bit(org.sso),
    ai: bit(org.ai),
    invite_links: bit(org.inviteLinks),
    plan: org.plan,
    logo: urls?.logo ?? null,
    billing_interval: billing?.interval ?? null,
    billing_end_date: msOrNull(billing?.endDate),
    custom_hostname: org.customHostname ?? null,
    trial: json(org.trial),
    blocked: json(org.blocked),
    billing_migration: json(org.internal_billingMigration),
  });
  const read = () => db.get<OrgRow>('SELECT * FROM organizations WHERE id = ?', id);
  const own = () => toOrg(found(read(), 'organization', id), 'admin');
  tell(db, { table: 'organizations', key: { id } }, org, own);
}

type FieldItem = Omit<CustomField, 'permissions'>;

/** A value of a space, as the API lists it: with its field. */
export interface FieldValueItem {
  customField: FieldItem;
  value?: unknown;
}

/** Puts the definition of a custom field. Call within a write. */
export function putCustomField(db: Database, orgId: string, field: FieldItem): void {
  const { id, name, options } = field;
  upsert(db, 'custom_fields', ['id'], {
    id,
    org_id: orgId,
    name,
    type: field.type,
    title: field.title ?? null,
    description: field.description ?? null,
    placeholder: field.placeholder ?? null,
    options: options === undefined ? null : JSON.stringify(options),
    created_at: msOf(field.createdAt),
    updated_at: msOf(field.updatedAt),
  });
  const own = () => customFields.get(asAdmin(db, orgId), name);
  tell(db, { table: 'custom_fields', key: { id } }, field, own);
}

/**
 * Puts the values of a space: of each field the value listed, or none. A field that the organization lacks here,
 * since the list of fields could not be read, is put as the value names it. Call within a write.
 */
export function putFieldValues(db: Database, spaceId: string, values: readonly FieldValueItem[]): void {
  const space = db.get<{ org_id: string }>('SELECT org_id FROM spaces WHERE id = ?', spaceId);
  if (space === undefined) return;
  db.run('DELETE FROM space_field_values WHERE space_id = ?', spaceId);
  for (const { customField, value } of values) {
    const known = 'SELECT 1 FROM custom_fields WHERE id = ?';
    if (db.get(known, customField.id) === undefined) putCustomField(db, space.org_id, customField);
    if (value === undefined) continue;
    upsert(db, 'space_field_values', ['space_id', 'field_id'], {
      space_id: spaceId,
      field_id: customField.id,
      value: formatJson(value),
    });
  }
}

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
