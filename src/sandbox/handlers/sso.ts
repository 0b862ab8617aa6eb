import { listSsoLogins } from '../../api/resources/sso.js';
import { handle } from '../handle.js';
import { type SamlRow, toSsoLogin } from '../records/saml-provider.js';

export const handlers = [
  /** One login per SAML provider. */
  handle(listSsoLogins, ({ db, org }) => {
    const sql = 'SELECT id, org_id, label FROM saml_providers WHERE org_id = ? ORDER BY created_at, id';
    return { items: db.all<SamlRow>(sql, org.id).map(toSsoLogin) };
  }),
];
