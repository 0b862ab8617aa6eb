import type { SamlProvider, SsoLogin } from '../../api/resources/saml.js';
import type { Role } from '../../api/shapes.js';
import { type InOrg, orgTable } from '../org-table.js';
import { apiUrl, fields } from './fields.js';
import { teams } from './team.js';
import { withTold } from './told.js';

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
  told: string | null;
  login_told: string | null;
}

export const samlProviders = orgTable({
  table: 'saml_providers',
  what: 'SAML provider',
  item: toSamlProvider,
});

/** A SAML provider, its default team as the caller sees it (spec A, "SAML provider"). */
function toSamlProvider(row: SamlRow, call: InOrg): SamlProvider {
  const team = row.default_team === null ? undefined : teams.find(call, row.default_team);
  const location = urlOf(row);
  const own: SamlProvider = {
    object: 'saml-provider',
    ...fields(row, 'id', 'label'),
    ...(row.sso_url !== null && { ssoURL: row.sso_url }),
    ...(row.entity_id !== null && { entityID: row.entity_id }),
    ...fields(row, 'certificate'),
    ...(team !== undefined && { defaultTeam: team }),
    defaultRole: row.default_role,
    ...fields(row, 'created_at'),
    service: { acsURL: `${location}/acs`, startURL: `${location}/start`, entityID: `${location}/metadata` },
    urls: { location },
  };
  return withTold(own, row.told);
}

/** The provider as a way to sign in (spec A, "SSO login info"). */
export function toSsoLogin(row: Pick<SamlRow, 'id' | 'org_id' | 'label' | 'login_told'>): SsoLogin {
  const own: SsoLogin = { id: row.id, label: row.label, startURL: `${urlOf(row)}/start` };
  return withTold(own, row.login_told);
}

function urlOf({ id, org_id: orgId }: Pick<SamlRow, 'id' | 'org_id'>): string {
  return apiUrl(`/orgs/${orgId}/saml/${id}`);
}
