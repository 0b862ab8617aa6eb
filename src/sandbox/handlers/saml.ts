import * as api from '../../api/resources/saml.js';
import type { Static } from '../../api/type.js';
import { handle } from '../handle.js';
import { orgTable } from '../org-table.js';
import { apiUrl, withTold } from '../records/fields.js';
import { layoutOf } from '../records/layout.js';
import type { Row } from '../store/rows.js';
import { requireUrl } from '../values.js';
import { teams } from './people.js';

export type SamlRow = Row<{ text: 'id org_id label'; maybeText: 'default_team login_told' }>;

/** SAML providers; the default team is shown as the caller sees it (spec A, "SAML provider"). */
export const samlProviders = orgTable({
  table: 'saml_providers',
  what: 'SAML provider',
  layout: layoutOf(api.SamlProvider, { computed: ['defaultTeam', 'service', 'urls'] }),
  computed(row: SamlRow, call) {
    const location = urlOf(row);
    return {
      defaultTeam: row.default_team === null ? undefined : teams.find(call, row.default_team),
      service: { acsURL: `${location}/acs`, startURL: `${location}/start`, entityID: `${location}/metadata` },
      urls: { location },
    };
  },
});

/** The provider as a way to sign in (spec A, "SSO login info"). */
export function toSsoLogin(row: SamlRow): api.SsoLogin {
  const own: api.SsoLogin = { id: row.id, label: row.label, startURL: `${urlOf(row)}/start` };
  return withTold(own, row.login_told);
}

function urlOf({ id, org_id: orgId }: SamlRow): string {
  return apiUrl(`/orgs/${orgId}/saml/${id}`);
}

type Settings = Static<typeof api.updateSamlProvider.body>;

const providers = [
  api.listSamlProviders,
  api.createSamlProvider,
  api.getSamlProvider,
  api.updateSamlProvider,
  api.deleteSamlProvider,
];

export const handlers = [
  /** @throws 400 unless the SSO URL is https; 404 unless the default team belongs to the organization */
  ...samlProviders.handlers(providers, (call) => {
    const { ssoURL, defaultTeam } = call.body as Settings;
    requireUrl('ssoURL', ssoURL, ['https']);
    if (defaultTeam !== undefined) teams.get(call, defaultTeam);
    return { ...samlProviders.changes(call.body), default_team: defaultTeam };
  }),

  /** One login per SAML provider, and those that a copy has besides. */
  handle(api.listSsoLogins, ({ db, org }) => {
    const sql = 'SELECT * FROM saml_providers WHERE org_id = ? ORDER BY created_at, id';
    const others = 'SELECT told FROM sso_logins WHERE org_id = ? ORDER BY id';
    const more = db.all<{ told: string }>(others, org.id).map(({ told }) => JSON.parse(told) as api.SsoLogin);
    return { items: [...db.all<SamlRow>(sql, org.id).map(toSsoLogin), ...more] };
  }),
];
