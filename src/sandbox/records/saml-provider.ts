import type { SamlProvider } from '../../api/resources/saml.js';
import type { SsoLogin } from '../../api/resources/sso.js';
import type { Role } from '../../api/shapes.js';
import type { InOrg } from '../org-table.js';
import { iso } from '../store/clock.js';
import { teams } from './team.js';
import { apiUrl } from './urls.js';

export interface SamlRow {
  id: string;
  org_id: string;
  label: string;
  entity_id: string | null;
  certificate: string | null;
  sso_url: string | null;
  default_team: string | null;
  default_role: Role | null;
  created_at: number;
}

/** A SAML provider, its default team as the caller sees it (spec A, "SAML provider"). */
export function toSamlProvider(row: SamlRow, call: InOrg): SamlProvider {
  const team = row.default_team === null ? undefined : teams.find(call, row.default_team);
  const location = urlOf(row);
  return {
    object: 'saml-provider',
    id: row.id,
    label: row.label,
    ...(row.sso_url !== null && { ssoURL: row.sso_url }),
    ...(row.entity_id !== null && { entityID: row.entity_id }),
    ...(row.certificate !== null && { certificate: row.certificate }),
    ...(team !== undefined && { defaultTeam: team }),
    defaultRole: row.default_role,
    createdAt: iso(row.created_at),
    service: { acsURL: `${location}/acs`, startURL: `${location}/start`, entityID: `${location}/metadata` },
    urls: { location },
  };
}

/** The provider as a way to sign in (spec A, "SSO login info"). */
export function toSsoLogin(row: Pick<SamlRow, 'id' | 'org_id' | 'label'>): SsoLogin {
  return { id: row.id, label: row.label, startURL: `${urlOf(row)}/start` };
}

function urlOf({ id, org_id: orgId }: Pick<SamlRow, 'id' | 'org_id'>): string {
  return apiUrl(`/orgs/${orgId}/saml/${id}`);
}
