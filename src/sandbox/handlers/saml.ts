import {
  createSamlProvider,
  deleteSamlProvider,
  getSamlProvider,
  listSamlProviders,
  listSsoLogins,
  type SsoLogin,
  updateSamlProvider,
} from '../../api/resources/saml.js';
import { type Call, handle } from '../handle.js';
import { type SamlRow, samlProviders, toSsoLogin } from '../records/saml-provider.js';
import { teams } from '../records/team.js';
import { requireUrl } from '../values.js';

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
