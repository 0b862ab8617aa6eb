import { gives, raises, trusts } from '../exposes.js';
import { body, nothing, one, operation, page } from '../operation.js';
import { id, nullable, Role, reference, shape, timestamp, uri, urls } from '../shapes.js';
import { type Static, Type } from '../type.js';
import { Team } from './teams.js';

/** SAML providers of an organization (spec A, "SAML provider"). */

export const SamlProvider = shape({
  object: Type.Literal('saml-provider'),
  id,
  label: Type.String(),
  ssoURL: Type.Optional(Type.String({ format: 'uri' })),
  entityID: Type.Optional(Type.String()),
  certificate: Type.Optional(Type.String()),
  defaultTeam: Type.Optional(Team),
  defaultRole: Type.Optional(nullable(Role)),
  createdAt: timestamp,
  service: shape({
    acsURL: Type.String({ format: 'uri' }),
    startURL: Type.String({ format: 'uri' }),
    entityID: Type.String(),
  }),
  urls: urls(['location']),
});
export type SamlProvider = Static<typeof SamlProvider>;

const providers = '/v1/orgs/{organizationId}/saml';
const provider = `${providers}/{samlProviderId}` as const;

const label = Type.String({ minLength: 1, maxLength: 30, description: 'Name of the provider' });
const settings = {
  entityID: Type.Optional(
    Type.String({ maxLength: 1024, description: 'Entity id of the identity provider' }),
  ),
  certificate: Type.Optional(
    Type.String({ maxLength: 10000, description: 'Signing certificate of the identity provider' }),
  ),
  ssoURL: Type.Optional(uri('Sign-in URL of the identity provider')),
  defaultTeam: Type.Optional(reference('Team that new members join, by id')),
  defaultRole: Type.Optional(nullable(Role, 'Role of new members; null makes them guests')),
};

/** Who controls the provider decides who comes in, and its defaults what they may do. */
const byProvider = {
  entityID: trusts,
  certificate: trusts,
  ssoURL: trusts,
  defaultTeam: gives('role'),
  defaultRole: raises((name) => `New members by ${name}`),
};

export const listSamlProviders = operation('saml.list', 'GET', providers, {
  summary: 'List the SAML providers of an organization',
  returns: page(SamlProvider),
  needs: 'admin',
});

export const createSamlProvider = operation('saml.create', 'POST', providers, {
  summary: 'Create a SAML provider',
  body: body({ label, ...settings }),
  success: 201,
  returns: one(SamlProvider),
  exposes: byProvider,
});

export const getSamlProvider = operation('saml.get', 'GET', provider, {
  summary: 'Get a SAML provider',
  returns: one(SamlProvider),
  needs: 'admin',
});

export const updateSamlProvider = operation('saml.update', 'PATCH', provider, {
  summary: 'Update a SAML provider',
  body: body({ label: Type.Optional(label), ...settings }),
  returns: one(SamlProvider),
  exposes: byProvider,
});

export const deleteSamlProvider = operation('saml.delete', 'DELETE', provider, {
  summary: 'Delete a SAML provider',
  returns: nothing,
});

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
