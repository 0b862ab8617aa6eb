import { spaceListOperations } from '../../api/organization-spaces.js';
import { listChangeRequests } from '../../api/resources/change-requests.js';
import { listChangeRequestCommentReplies, listChangeRequestComments } from '../../api/resources/comments.js';
import { listOpenApiSpecs } from '../../api/resources/openapi.js';
import { findOrgs, getOrg, listOrgs, pingOrg, searchOrg, updateOrg } from '../../api/resources/orgs.js';
import { listSamlProviders } from '../../api/resources/saml.js';
import {
  command,
  concurrencyOption,
  contextOption,
  type Group,
  option,
  report,
  Type,
} from '../../cli/run/report.js';
import { mapOperations, mapParts } from '../../snapshot/parts.js';
import { useCommand } from '../shared/declarations.js';
import { MapRow, Overview } from './shapes.js';

/** `docs overview`. */
export const overview = report({
  name: 'overview',
  summary: 'Show the state of an organization at a glance',
  why:
    'Shows people, spaces, sites, change requests, specs and certificates, and the last link check, backup ' +
    'and jobs of this machine, each with a command for details. What could not be read is shown as ' +
    'unknown, and the exit code is 3.',
  options: [contextOption('organizationId')],
  operations: [
    ...[...spaceListOperations, getOrg, listChangeRequests, listOpenApiSpecs, listSamlProviders],
    ...[listChangeRequestComments, listChangeRequestCommentReplies],
  ],
  returns: Overview,
  media: ['html'],
  id: 'organization.id',
  examples: {
    overview: 'see what needs attention',
    'overview --jq .changeRequests.stale': 'print how many change requests are stale',
    'overview -o csv': 'export a row per line, with its state and command',
    'overview -o html --out overview.html': 'make a page to show around',
  },
  load: async () => (await import('./overview-run.js')).overviewReport,
});

/** `docs orgs map`. */
const map = report({
  name: 'map',
  summary: 'Show an organization as a tree',
  why:
    'Shows collections with their spaces, sites with their sections, teams, people by role, OpenAPI specs ' +
    'and SAML providers; names anything that could not be read, and then exits 3. Drawings with -o mermaid ' +
    'and -o dot leave out ages and counts of daily work, so that a diff shows only rearranged items.',
  options: [
    option('--only <part>...', 'Only these parts', { choices: mapParts }),
    option('--depth <n>', 'Levels below the organization; default: all', { number: 'count' }),
    option('--pages', 'Count the pages of each space, which takes a request per space'),
    concurrencyOption,
    contextOption('organizationId'),
  ],
  operations: mapOperations,
  returns: Type.Array(MapRow),
  columns: [
    'kind',
    'depth',
    { path: 'title', indent: 'depth', keep: true },
    ...(['path', 'visibility', 'total', 'spaces', 'members', 'pages'] as const),
    { path: 'openChangeRequests', label: 'OPEN' },
    ...(['updatedAt', 'parent', 'id'] as const),
  ],
  media: ['mermaid', 'dot', 'html'],
  examples: {
    'orgs map': 'look at the whole organization',
    'orgs map --only spaces,sites --depth 2': 'list collections and sites without their contents',
    'orgs map --only sites -o mermaid > sites.mmd': 'draw the sites for a pull request',
    'orgs map --html map.html': 'write a page with the tree and tables to sort',
    'orgs map -o dot | dot -Tsvg > map.svg': 'draw everything with Graphviz',
    "orgs map --jq '.[] | select(.openChangeRequests > 5) | .title'":
      'list spaces with many open change requests',
  },
  load: async () => (await import('./map-report.js')).mapReport,
});

const columns = [
  'title',
  'type',
  { path: 'plan', lead: true },
  'hostname',
  'sso',
  'createdAt',
  'id',
] as const;

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
      why: 'Use it before you invite someone: their company may already have an organization that they can join.',
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
    useCommand('org', getOrg),
  ],
};
