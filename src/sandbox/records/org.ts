import type { Organization } from '../../api/resources/orgs.js';
import type { Role } from '../../api/shapes.js';
import { rank } from '../access.js';
import type { Database } from '../store/database.js';
import { iso, type Row } from '../store/rows.js';
import { apiUrl, appUrl, fields, withTold } from './fields.js';

export interface OrgRow
  extends Row<{
    text: 'id title email_domains type plan';
    maybeText: 'hostname use_case community_type default_site logo billing_interval custom_hostname blocked billing_migration told';
    integer: 'created_at sso ai invite_links';
    maybeInteger: 'billing_end_date';
  }> {
  default_role: Role | null;
  /** JSON, as the next two. */
  trial: string | null;
}

/** One organization, or undefined. */
export function orgById(db: Database, id: string): OrgRow | undefined {
  const read = () => db.get<OrgRow>('SELECT * FROM organizations WHERE id = ?', id);
  return db.remember(`organization ${id}`, read, ['organizations']);
}

/** An organization as the given role sees it (spec A, "Organization"). */
export function toOrg(row: OrgRow, role: Role | null): Organization {
  const own: Organization = {
    object: 'organization',
    ...fields(row, 'id', 'title', 'created_at'),
    emailDomains: JSON.parse(row.email_domains) as string[],
    ...fields(row, 'hostname', 'type', 'use_case', 'community_type'),
    defaultRole: row.default_role,
    ...(row.default_site !== null && { defaultContent: { type: 'site', site: row.default_site } }),
    sso: row.sso === 1,
    ai: row.ai === 1,
    inviteLinks: row.invite_links === 1,
    plan: row.plan,
    ...fields(row, 'custom_hostname'),
    internal_isOnNewTrial: true,
    ...billing(row),
    ...setByPlatform(row),
    urls: {
      location: apiUrl(`/orgs/${row.id}`),
      app: appUrl(`/o/${row.id}`),
      ...(row.logo !== null && { logo: row.logo }),
    },
    permissions: permissions(role),
  };
  return withTold(own, row.told);
}

function billing(row: OrgRow): Pick<Organization, 'billing'> {
  if (row.billing_interval === null || row.billing_end_date === null) return {};
  return {
    billing: {
      interval: row.billing_interval,
      endDate: iso(row.billing_end_date),
      hasPaymentFailed: false,
      isScheduledToCancel: false,
    },
  };
}

/** What no operation sets; times are ISO 8601 in the column too. */
function setByPlatform(row: OrgRow): Pick<Organization, 'trial' | 'blocked' | 'internal_billingMigration'> {
  const { trial, blocked, billing_migration: internal_billingMigration } = row;
  const given = Object.entries({ trial, blocked, internal_billingMigration }).filter(
    ([, json]) => json !== null,
  );
  return Object.fromEntries(given.map(([field, json]) => [field, JSON.parse(json ?? '')]));
}

function permissions(role: Role | null): NonNullable<Organization['permissions']> {
  const admin = role === 'admin';
  const creates = rank(role) >= rank('create');
  return {
    view: true,
    admin,
    ownTeam: admin,
    createContent: creates,
    createOpenAPISpec: creates,
    viewBilling: admin,
    listMembers: true,
    listTeams: true,
    listIntegrations: admin,
  };
}
