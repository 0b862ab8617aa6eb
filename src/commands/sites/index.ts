import { getPublishedSite } from '../../api/resources/published-sites.js';
import { createSite, deleteSite, getSite, listSites, updateSite } from '../../api/resources/sites.js';
import type { Group } from '../../cli/declare/command.js';
import { command } from '../../cli/declare/define.js';
import { useCommand } from '../use-command.js';
import { arrange } from './arrange.js';
import { schema } from './schema.js';
import { tree } from './tree.js';

const columns = [
  'title',
  { path: 'visibility', as: 'visibility' },
  'published',
  'type',
  'siteSpaces',
  'urls.published',
  'createdAt',
  'id',
] as const;

export const sites: Group = {
  name: 'sites',
  noun: 'site',
  summary: 'Manage docs sites and their adaptive schemas',
  why: 'A site publishes spaces. Deleting a site keeps its spaces.',
  commands: [
    command({
      name: 'list',
      operation: listSites,
      why: 'Shows the visibility and the number of spaces of each site. --space-id lists the sites of a space.',
      flags: { space: { name: 'space-id', value: '<space>' } },
      columns,
      examples: {
        'sites list --published': 'list the published sites',
        'sites list --space-id s1': 'list the sites that publish a space',
      },
    }),
    command({
      name: 'create',
      operation: createSite,
      why: 'Publishes the spaces of --space-id, or a new space.',
      flags: {
        spaces: {
          name: 'space-id',
          value: '<space>',
          variadic: true,
          description: 'Space to add, by id',
          or: {
            name: 'new-space',
            value: '<kind>',
            variadic: false,
            description: 'Create a new space with the site',
          },
        },
      },
      columns,
      says: ({ sentence, answered, textOf }) => [
        sentence,
        answered('published') === true ? textOf('urls.published') : undefined,
      ],
      examples: {
        'sites create --title "Acme Docs" --visibility unlisted --space-id s1':
          'create a site with one space',
        'sites create --title Playground --new-space empty': 'create a site with a new, empty space',
      },
    }),
    command({
      name: 'get',
      operation: getSite,
      why: 'Shows the type, visibility, addresses and spaces of a site.',
      args: { siteId: '<site>' },
      columns,
      examples: { 'sites get w1': 'show a site' },
    }),
    command({
      name: 'update',
      operation: updateSite,
      why:
        'Readers see changes of titles, visibility and addresses immediately; --dry-run shows the request ' +
        'first.',
      args: { siteId: '<site>' },
      flags: {
        'adaptiveContent.enabled': {
          name: 'adaptive-content',
          description: 'Whether content adapts to the visitor',
        },
        defaultSiteSpace: { value: '<site-space>' },
        defaultSiteSection: { name: 'default-section' },
        proxy: { value: '<domain/path>' },
      },
      columns,
      examples: {
        'sites update w1 --visibility public --title "Acme Docs"': 'rename a site and make it public',
        'sites update w1 --proxy acme.com/docs': 'serve a site from a subdirectory of a domain',
        'sites update w1 --unset proxy --no-adaptive-content':
          'remove the proxy and turn off adaptive content',
      },
    }),
    command({
      name: 'delete',
      operation: deleteSite,
      why: 'Its addresses stop working immediately. Its spaces, which hold the content, stay.',
      args: { siteId: '<site...>' },
      danger: 'type-title',
      titleFrom: getSite,
      consequences: async () => (await import('../consequences.js')).ofSite,
      examples: { 'sites delete w1 --yes': 'delete a site, keep its spaces' },
    }),
    command({
      name: 'published',
      operation: getPublishedSite,
      why: 'Shows the sections, spaces and addresses that visitors see.',
      args: { siteId: '<site>' },
      columns: [
        'site.title',
        { path: 'site.visibility', as: 'visibility' },
        'site.published',
        'structure.type',
        'site.urls.published',
        'site.id',
      ],
      id: 'site.id',
      examples: {
        'sites published w1': 'show the published structure',
        'sites published w1 --jq ".structure.structure[].title"': 'print the titles of its sections',
      },
    }),
    tree,
    arrange,
    schema,
    useCommand('site'),
  ],
};
