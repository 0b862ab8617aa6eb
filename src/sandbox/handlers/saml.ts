import {
  createSamlProvider,
  deleteSamlProvider,
  getSamlProvider,
  listSamlProviders,
  updateSamlProvider,
} from '../../api/resources/saml.js';
import { type Call, handle } from '../handle.js';
import { orgTable } from '../org-table.js';
import { toSamlProvider } from '../records/saml-provider.js';
import { teams } from '../records/team.js';

const providers = orgTable({ table: 'saml_providers', what: 'SAML provider', item: toSamlProvider });

export const handlers = [
  handle(listSamlProviders, (call) => providers.list(call)),

  handle(createSamlProvider, (call) =>
    providers.create(call, { ...columnsOf(call), created_at: call.clock.now() }),
  ),

  handle(getSamlProvider, (call) => providers.get(call, call.path.samlProviderId)),

  handle(updateSamlProvider, (call) => providers.update(call, call.path.samlProviderId, columnsOf(call))),

  handle(deleteSamlProvider, (call) => providers.remove(call, call.path.samlProviderId)),
];

/** @throws 404 unless the default team belongs to the organization */
function columnsOf(call: Call<typeof createSamlProvider> | Call<typeof updateSamlProvider>) {
  const { label, entityID, certificate, ssoURL, defaultTeam, defaultRole } = call.body;
  if (defaultTeam !== undefined) teams.get(call, defaultTeam);
  return {
    ...{ label, entity_id: entityID, certificate, sso_url: ssoURL },
    ...{ default_team: defaultTeam, default_role: defaultRole },
  };
}
