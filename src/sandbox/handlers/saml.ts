import {
  createSamlProvider,
  deleteSamlProvider,
  getSamlProvider,
  listSamlProviders,
  listSsoLogins,
  type SamlProvider,
  type SsoLogin,
  updateSamlProvider,
} from '../../api/resources/saml.js';
import type { Role } from '../../api/shapes.js';
import { type Call, handle } from '../handle.js';
import { type InOrg, orgTable } from '../org-table.js';
import { apiUrl, fields, withTold } from '../records/fields.js';
import type { Row } from '../store/rows.js';
import { requireUrl } from '../values.js';
import { teams } from './people.js';

export interface SamlRow
  extends Row<{
    text: 'id org_id label';
    maybeText: 'entity_id certificate sso_url default_team told login_told';
    integer: 'created_at';
  }> {
  default_role: Role | null;
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

export const handlers = [
  handle(listSamlProviders, (call) => samlProviders.list(call)),

  handle(createSamlProvider, (call) =>
    samlProviders.create(call, { ...columnsOf(call), created_at: call.clock.now() }),
  ),

  handle(getSamlProvider, (call) => samlProviders.get(call, call.path.samlProviderId)),
  handle(updateSamlProvider, (call) => samlProviders.update(call, call.path.samlProviderId, columnsOf(call))),
  handle(deleteSamlProvider, (call) => samlProviders.remove(call, call.path.samlProviderId)),

  /** One login per SAML provider, and those that a copy has besides. */
  handle(listSsoLogins, ({ db, org }) => {
    const sql = 'SELECT * FROM saml_providers WHERE org_id = ? ORDER BY created_at, id';
    const others = 'SELECT told FROM sso_logins WHERE org_id = ? ORDER BY id';
    const more = db.all<{ told: string }>(others, org.id).map(({ told }) => JSON.parse(told) as SsoLogin);
    return { items: [...db.all<SamlRow>(sql, org.id).map(toSsoLogin), ...more] };
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
