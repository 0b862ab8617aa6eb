import {
  createSamlProvider,
  deleteSamlProvider,
  getSamlProvider,
  listSamlProviders,
  type SamlProvider,
  updateSamlProvider,
} from '../../api/resources/saml.js';
import { listSsoLogins, type SsoLogin } from '../../api/resources/sso.js';
import type { Role } from '../../api/shapes.js';
import { type Call, handle } from '../handle.js';
import { type InOrg, orgTable } from '../org-table.js';
import { fields } from '../records/fields.js';
import { teams } from '../records/team.js';
import { apiUrl } from '../records/urls.js';
import { requireUrl } from '../values.js';

interface SamlRow {
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

const providers = orgTable({ table: 'saml_providers', what: 'SAML provider', item: toSamlProvider });

export const handlers = [
  handle(listSamlProviders, (call) => providers.list(call)),

  handle(createSamlProvider, (call) =>
    providers.create(call, { ...columnsOf(call), created_at: call.clock.now() }),
  ),

  handle(getSamlProvider, (call) => providers.get(call, call.path.samlProviderId)),
  handle(updateSamlProvider, (call) => providers.update(call, call.path.samlProviderId, columnsOf(call))),
  handle(deleteSamlProvider, (call) => providers.remove(call, call.path.samlProviderId)),

  /** One login per SAML provider. */
  handle(listSsoLogins, ({ db, org }) => {
    const sql = 'SELECT id, org_id, label FROM saml_providers WHERE org_id = ? ORDER BY created_at, id';
    return { items: db.all<SamlRow>(sql, org.id).map(toSsoLogin) };
  }),
];

/** @throws 400 unless the SSO URL is https; 404 unless the default team belongs to the organization */
function columnsOf(call: Call<typeof createSamlProvider> | Call<typeof updateSamlProvider>) {
  const { label, entityID, certificate, ssoURL, defaultTeam, defaultRole } = call.body;
  requireUrl('ssoURL', ssoURL, ['https']);
  if (defaultTeam !== undefined) teams.get(call, defaultTeam);
  return {
    label,
    entity_id: entityID,
    certificate,
    sso_url: ssoURL,
    default_team: defaultTeam,
    default_role: defaultRole,
  };
}

/** A SAML provider, its default team as the caller sees it (spec A, "SAML provider"). */
function toSamlProvider(row: SamlRow, call: InOrg): SamlProvider {
  const team = row.default_team === null ? undefined : teams.find(call, row.default_team);
  const location = urlOf(row);
  return {
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
}

/** The provider as a way to sign in (spec A, "SSO login info"). */
function toSsoLogin(row: Pick<SamlRow, 'id' | 'org_id' | 'label'>): SsoLogin {
  return { id: row.id, label: row.label, startURL: `${urlOf(row)}/start` };
}

function urlOf({ id, org_id: orgId }: Pick<SamlRow, 'id' | 'org_id'>): string {
  return apiUrl(`/orgs/${orgId}/saml/${id}`);
}
