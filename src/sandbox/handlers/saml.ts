import {
  createSamlProvider,
  deleteSamlProvider,
  getSamlProvider,
  listSamlProviders,
  type SamlProvider,
  updateSamlProvider,
} from '../../api/resources/saml.js';
import { type Call, handle } from '../handle.js';
import { type SamlRow, toSamlProvider } from '../records/saml-provider.js';
import { teamById } from '../records/team.js';
import { found, notFound } from '../refusal.js';
import { assignments } from '../sql.js';

export const handlers = [
  handle(listSamlProviders, ({ db, org, caller, page }) =>
    page({
      select: 'p.*',
      from: 'saml_providers p',
      where: [['p.org_id = ?', org.id]],
      by: ['p.created_at', 'p.id'],
      item: (row: SamlRow) => toSamlProvider(db, row, caller),
    }),
  ),

  handle(createSamlProvider, (call) => {
    const { db, org, body, clock, newId } = call;
    requireTeam(call, body.defaultTeam);
    const id = newId();
    db.run(
      `INSERT INTO saml_providers (id, org_id, label, entity_id, certificate, sso_url, default_team, default_role,
         created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[id, org.id, body.label, body.entityID ?? null, body.certificate ?? null, body.ssoURL ?? null],
      ...[body.defaultTeam ?? null, body.defaultRole ?? null, clock.now()],
    );
    return provider(call, id);
  }),

  handle(getSamlProvider, (call) => provider(call, call.path.samlProviderId)),

  handle(updateSamlProvider, (call) => {
    const { db, org, path, body } = call;
    requireTeam(call, body.defaultTeam);
    const [sql, ...values] = assignments({
      label: body.label,
      entity_id: body.entityID,
      certificate: body.certificate,
      sso_url: body.ssoURL,
      default_team: body.defaultTeam,
      default_role: body.defaultRole,
    });
    const where = 'WHERE id = ? AND org_id = ?';
    if (values.length > 0) {
      db.run(`UPDATE saml_providers SET ${sql} ${where}`, ...values, path.samlProviderId, org.id);
    }
    return provider(call, path.samlProviderId);
  }),

  handle(deleteSamlProvider, ({ db, org, path }) => {
    const sql = 'DELETE FROM saml_providers WHERE id = ? AND org_id = ?';
    if (db.run(sql, path.samlProviderId, org.id) === 0) throw notFound('SAML provider', path.samlProviderId);
  }),
];

type InOrg = Pick<Call<typeof listSamlProviders>, 'db' | 'org' | 'caller'>;

function provider({ db, org, caller }: InOrg, id: string): SamlProvider {
  const row = db.get<SamlRow>('SELECT * FROM saml_providers WHERE id = ? AND org_id = ?', id, org.id);
  return toSamlProvider(db, found(row, 'SAML provider', id), caller);
}

/** The default team must be one of the organization. */
function requireTeam({ db, org, caller }: InOrg, teamId: string | undefined): void {
  if (teamId !== undefined) found(teamById(db, org.id, teamId, caller), 'team', teamId);
}
