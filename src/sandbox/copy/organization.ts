import type { Organization } from '../../api/resources/orgs.js';
import { type OrgRow, toOrg } from '../records/org.js';
import { found } from '../refusal.js';
import type { Database } from '../store/database.js';
import { bit, msOf, msOrNull, tell, upsert } from './rows.js';

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
