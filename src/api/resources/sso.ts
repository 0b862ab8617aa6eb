import { one, operation } from '../operation.js';
import { id, shape } from '../shapes.js';
import { type Static, Type } from '../type.js';

/** Single sign-on of an organization (spec A, "SSO login info"). */

export const SsoLogin = shape({
  id,
  label: Type.String(),
  startURL: Type.String({ format: 'uri' }),
});
export type SsoLogin = Static<typeof SsoLogin>;

export const listSsoLogins = operation('sso.list', 'GET', '/v1/orgs/{organizationId}/sso', {
  summary: 'List the SSO logins of an organization',
  returns: one(shape({ items: Type.Array(SsoLogin) })),
});
