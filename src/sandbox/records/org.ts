import { Organization } from '../../api/resources/orgs.js';
import { type Role, User } from '../../api/shapes.js';
import { rank } from '../access.js';
import { iso } from '../store/rows.js';
import { apiUrl, appUrl } from './fields.js';
import type { OrgRow, UserColumns } from './in-path.js';
import { layoutOf } from './layout.js';

export const orgLayout = layoutOf(Organization, {
  computed: ['defaultContent', 'internal_isOnNewTrial', 'billing', 'urls', 'permissions'],
  columns: { internal_billingMigration: 'billing_migration' },
  order: ['trial', 'blocked', 'internal_billingMigration', 'urls'],
});

/** An organization as the given role sees it (spec A, "Organization"). */
export function toOrg(row: OrgRow, role: Role | null): Organization {
  const { id, default_site: site, logo } = row;
  return orgLayout.item(row, {
    defaultContent: site === null ? undefined : { type: 'site', site },
    internal_isOnNewTrial: true,
    billing: billing(row),
    urls: { location: apiUrl(`/orgs/${id}`), app: appUrl(`/o/${id}`), ...(logo !== null && { logo }) },
    permissions: permissions(role),
  });
}

function billing({ billing_interval: interval, billing_end_date: end }: OrgRow): Organization['billing'] {
  if (interval === null || end === null) return undefined;
  return { interval, endDate: iso(end), hasPaymentFailed: false, isScheduledToCancel: false };
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

export const userLayout = layoutOf(User, {
  computed: ['urls'],
  columns: { id: 'user_id' },
  told: 'user_told',
});

/** The embedded user (spec A, "Shared shapes"). */
export function toUser(row: UserColumns): User {
  return userLayout.item(row, { urls: { location: apiUrl(`/users/${row.user_id}`) } });
}
