import {
  createSamlProvider,
  deleteSamlProvider,
  getSamlProvider,
  listSamlProviders,
  updateSamlProvider,
} from '../api/resources/saml.js';
import type { FlagChange, Group } from './command.js';
import { command } from './define.js';

const columns = [
  'label',
  'entityID',
  'ssoURL',
  { path: 'defaultRole', as: 'role' },
  'createdAt',
  'id',
] as const;

const flags: Record<string, FlagChange> = {
  certificate: { value: '<text>', longText: true },
};

export const saml: Group = {
  name: 'saml',
  noun: 'SAML provider',
  summary: 'SAML providers of an organization',
  why: 'A SAML provider is an identity provider whose users sign in to the organization with SSO.',
  commands: [
    command({
      name: 'list',
      aliases: ['ls'],
      operation: listSamlProviders,
      columns,
      examples: [{ run: 'saml list', does: 'who signs people in' }],
    }),
    command({
      name: 'create',
      operation: createSamlProvider,
      flags,
      columns,
      examples: [
        {
          run: 'saml create --label Okta --entity-id https://idp.example/acme --sso-url https://idp.example/sso --certificate @idp.pem',
          does: 'a provider, its certificate from a file',
        },
      ],
    }),
    command({
      name: 'get',
      operation: getSamlProvider,
      args: { samlProviderId: '<provider>' },
      columns,
      examples: [
        { run: 'saml get p1', does: 'one provider' },
        { run: 'saml get p1 --jq .service.acsURL', does: 'the address that the identity provider asks for' },
      ],
    }),
    command({
      name: 'update',
      operation: updateSamlProvider,
      args: { samlProviderId: '<provider>' },
      flags,
      columns,
      examples: [
        { run: 'saml update p1 --certificate @new.pem', does: 'replace the certificate before it expires' },
        { run: 'saml update p1 --default-role none', does: 'let new members be guests' },
      ],
    }),
    command({
      name: 'delete',
      aliases: ['rm'],
      operation: deleteSamlProvider,
      args: { samlProviderId: '<provider...>' },
      examples: [{ run: 'saml delete p1 --yes', does: 'sign nobody in this way any more' }],
    }),
  ],
};
