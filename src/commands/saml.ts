import * as api from '../api/resources/saml.js';
import type { FlagChange, Group } from '../cli/declare/command.js';
import { command } from '../cli/declare/define.js';

const columns = [
  'label',
  'entityID',
  'ssoURL',
  { path: 'defaultRole', as: 'role', lead: true },
  'createdAt',
  'id',
] as const;

const flags: Record<string, FlagChange> = { certificate: { value: '<text>', longText: true } };

export const saml: Group = {
  name: 'saml',
  noun: 'SAML provider',
  summary: 'Manage the SAML providers of an organization',
  why: 'A SAML provider is an identity provider whose users sign in to the organization with SSO.',
  commands: [
    command({
      name: 'list',
      operation: api.listSamlProviders,
      why: 'Lists the identity providers that members can sign in with.',
      columns,
      examples: { 'saml list': 'list the identity providers' },
    }),
    command({
      name: 'create',
      operation: api.createSamlProvider,
      why:
        'Takes the entity id, sign-on address and certificate from your identity provider. --certificate ' +
        '@file reads the certificate from a file.',
      flags,
      columns,
      says: ({ sentence, textOf }) => [
        sentence,
        textOf('service.acsURL') && `ACS URL for the identity provider: ${textOf('service.acsURL')}`,
      ],
      examples: {
        'saml create --label Okta --entity-id https://idp.example/acme --sso-url https://idp.example/sso --certificate @idp.pem':
          'create a provider with a certificate from a file',
      },
    }),
    command({
      name: 'get',
      operation: api.getSamlProvider,
      why: 'Use it to compare these settings with those of the identity provider.',
      args: { samlProviderId: '<provider>' },
      columns,
      examples: {
        'saml get a1': 'show a provider',
        'saml get a1 --jq .service.acsURL': 'print the ACS URL to enter at the identity provider',
      },
    }),
    command({
      name: 'update',
      operation: api.updateSamlProvider,
      why: 'Changes only the fields you pass. --certificate @file replaces the certificate.',
      args: { samlProviderId: '<provider>' },
      flags,
      columns,
      examples: {
        'saml update a1 --certificate @new.pem': 'replace the certificate before it expires',
        'saml update a1 --default-role none': 'make new members guests',
      },
    }),
    command({
      name: 'delete',
      operation: api.deleteSamlProvider,
      why:
        'No one can sign in through the provider afterwards, so make sure that people have another way to sign ' +
        'in.',
      args: { samlProviderId: '<provider...>' },
      examples: { 'saml delete a1 --yes': 'delete a provider' },
    }),
  ],
};
