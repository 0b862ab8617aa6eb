import {
  createSamlProvider,
  deleteSamlProvider,
  getSamlProvider,
  listSamlProviders,
  updateSamlProvider,
} from '../api/resources/saml.js';
import type { FlagChange, Group } from '../cli/declare/command.js';
import { command } from '../cli/declare/define.js';

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
      why: 'Which identity providers people of the organization can sign in with.',
      columns,
      examples: [{ run: 'saml list', does: 'who signs people in' }],
    }),
    command({
      name: 'create',
      operation: createSamlProvider,
      why: 'Takes what the identity provider shows: entity id, sign-on address, certificate. --certificate @file reads one.',
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
      why: 'To compare what is set here with what the identity provider shows.',
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
      why: 'For a new certificate: --certificate @file. What is not given stays.',
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
      why: 'Nobody can sign in through it afterwards: make sure that people have another way in.',
      args: { samlProviderId: '<provider...>' },
      examples: [{ run: 'saml delete p1 --yes', does: 'sign nobody in this way any more' }],
    }),
  ],
};
