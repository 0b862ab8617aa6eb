import { findOrgs, getOrg, listOrgs, pingOrg, searchOrg, updateOrg } from '../../api/resources/orgs.js';
import type { Group } from '../../cli/declare/command.js';
import { command } from '../../cli/declare/define.js';
import { useCommand } from '../use-command.js';
import { map } from './map.js';

const columns = ['title', 'type', 'plan', 'hostname', 'sso', 'createdAt', 'id'] as const;

export const orgs: Group = {
  name: 'orgs',
  noun: 'organization',
  summary: 'Manage organizations',
  why: 'An organization owns members, teams, spaces, sites and everything else.',
  commands: [
    command({
      name: 'list',
      operation: listOrgs,
      why: 'Lists the organizations that the token can access. docs orgs use sets the default one.',
      columns,
      examples: { 'orgs list': 'list the organizations you belong to' },
    }),
    command({
      name: 'get',
      operation: getOrg,
      why: 'Shows the settings of the whole organization: type, default role, SSO enforcement, email domains.',
      args: { organizationId: '[org]' },
      columns,
      examples: {
        'orgs get': 'show the organization of your context',
        'orgs get o1 --jq .defaultRole': 'print one setting of another organization',
      },
    }),
    map,
    command({
      name: 'update',
      operation: updateOrg,
      why: 'Changes only the fields you pass.',
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
      examples: {
        'orgs update --title "Acme Docs" --sso': 'rename it and enforce SSO',
        'orgs update --email-domain acme.com --email-domain acme.org': 'set the email domains',
        'orgs update --default-role none --unset logo': 'make new members guests and remove the logo',
      },
    }),
    command({
      name: 'search',
      operation: searchOrg,
      why:
        'Prints one line per space with its matching pages. To search a single space, use docs spaces ' +
        'search.',
      args: { query: '<query>' },
      columns: ['title', { path: 'pages.title', label: 'PAGES' }, 'id'],
      examples: { 'orgs search "single sign-on"': 'search the pages of all spaces' },
    }),
    command({
      name: 'find',
      operation: findOrgs,
      why:
        'Use it before you invite somebody: their company may already have an organization that they can ' +
        'join.',
      args: { emailDomain: '<email-domain>' },
      listIn: 'organizations',
      columns: ['title', 'emailDomains', 'hostname', 'type', 'id'],
      examples: { 'orgs find acme.com': 'find the organizations that claim an email domain' },
    }),
    command({
      name: 'ping',
      operation: pingOrg,
      why: 'Changes only the time you were last seen, which access reviews report.',
      args: { organizationId: '[org]' },
      says: ({ what }) => `Updated your last-seen time in ${what}`,
      examples: { 'orgs ping': 'update your last-seen time' },
    }),
    useCommand('org'),
  ],
};
