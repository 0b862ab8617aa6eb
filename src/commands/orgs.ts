import { findOrgs, getOrg, listOrgs, pingOrg, searchOrg, updateOrg } from '../api/resources/orgs.js';
import type { Group } from '../cli/declare/command.js';
import { command } from '../cli/declare/define.js';
import { useCommand } from './use-command.js';

const columns = ['title', 'type', 'plan', 'hostname', 'sso', 'createdAt', 'id'] as const;

export const orgs: Group = {
  name: 'orgs',
  noun: 'organization',
  summary: 'Organizations',
  why: 'An organization owns members, teams, spaces, sites and everything else.',
  commands: [
    command({
      name: 'list',
      aliases: ['ls'],
      operation: listOrgs,
      why: 'Those that the token reaches; docs orgs use makes one the default of every command.',
      columns,
      examples: [{ run: 'orgs list', does: 'the organizations you belong to' }],
    }),
    command({
      name: 'get',
      operation: getOrg,
      why: 'What holds for all of it: type, default role, whether SSO is enforced, email domains.',
      args: { organizationId: '[org]' },
      columns,
      examples: [
        { run: 'orgs get', does: 'the organization of your context' },
        { run: 'orgs get o1 --jq .defaultRole', does: 'one setting of another' },
      ],
    }),
    command({
      name: 'update',
      operation: updateOrg,
      why: 'Only what is given changes.',
      args: { organizationId: '[org]' },
      flags: {
        emailDomains: { name: 'email-domain', value: '<domain>' },
        defaultContent: {
          name: 'default-site',
          value: '<site>',
          parse: (site) => ({ type: 'site', site }),
        },
      },
      columns,
      examples: [
        { run: 'orgs update --title "Acme Docs" --sso', does: 'rename it and enforce SSO' },
        { run: 'orgs update --email-domain acme.com --email-domain acme.org', does: 'set the email domains' },
        {
          run: 'orgs update --default-role none --unset logo',
          does: 'make new members guests, drop the logo',
        },
      ],
    }),
    command({
      name: 'search',
      operation: searchOrg,
      why: 'One line a space, with the pages in it that fit. docs spaces search looks into one space.',
      args: { query: '<query>' },
      columns: ['title', { path: 'pages.title', label: 'PAGES' }, 'id'],
      examples: [{ run: 'orgs search "single sign-on"', does: 'pages of all spaces with these words' }],
    }),
    command({
      name: 'find',
      operation: findOrgs,
      why: 'Before somebody is invited: their company may have an organization that they can join.',
      args: { emailDomain: '<email-domain>' },
      listIn: 'organizations',
      columns: ['title', 'emailDomains', 'hostname', 'type', 'id'],
      examples: [{ run: 'orgs find acme.com', does: 'which organizations claim an email domain' }],
    }),
    command({
      name: 'ping',
      operation: pingOrg,
      why: 'Changes nothing but when you were last seen, which access reviews look at.',
      args: { organizationId: '[org]' },
      examples: [{ run: 'orgs ping', does: 'update when you were last seen' }],
    }),
    useCommand('org'),
  ],
};
