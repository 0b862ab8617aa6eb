import * as api from '../api/resources/site-spaces.js';
import type { Group } from '../cli/declare/command.js';
import { command } from '../cli/declare/define.js';
import { besideSiteSpace } from './shared/declarations.js';

const columns = [
  'title',
  { path: 'path', lead: true },
  'default',
  'section',
  'condition',
  'urls.published',
  'space.id',
  'id',
] as const;

export const siteSpaces: Group = {
  name: 'site-spaces',
  noun: 'site space',
  summary: 'Manage the spaces of a site',
  why: 'A site space links a space to a site and has its own id. Deleting it keeps the space.',
  commands: [
    command({
      name: 'list',
      operation: api.listSiteSpaces,
      why: 'Shows which spaces the site publishes, where, and to whom.',
      columns,
      examples: {
        'site-spaces list --site w1': 'list the spaces of a site',
        'site-spaces list --site w1 --default --jq ".[0].space.id"': 'print the id of the default space',
      },
    }),
    command({
      name: 'create',
      operation: api.createSiteSpace,
      why: 'A space can be on several sites; they all show the same content.',
      flags: { spaceId: { value: '<space>' }, sectionId: { name: 'section', value: '<section>' } },
      columns,
      examples: { 'site-spaces create --site w1 --space-id s3 --section x1': 'publish a space in a section' },
    }),
    command({
      name: 'update',
      operation: api.updateSiteSpace,
      why: '--path changes the address of every page in the space, --condition who can see it.',
      args: { siteSpaceId: '<site-space>' },
      flags: { condition: { value: '<expression>' } },
      columns,
      examples: {
        'site-spaces update y1 --site w1 --path api': 'change the path',
        'site-spaces update y1 --site w1 --unset condition': 'show the space to everyone',
      },
    }),
    command({
      name: 'delete',
      operation: api.deleteSiteSpace,
      why: 'Its addresses on this site stop working; other sites still show it.',
      args: { siteSpaceId: '<site-space...>' },
      done: 'removed',
      examples: { 'site-spaces delete y1 --site w1 --yes': 'remove a space from a site' },
    }),
    command({
      name: 'move',
      operation: api.moveSiteSpace,
      why: 'Changes the order that readers see; addresses stay.',
      args: { siteSpaceId: '<site-space>' },
      flags: besideSiteSpace,
      columns,
      examples: { 'site-spaces move y1 --site w1 --after y2': 'move a space after another one' },
    }),
  ],
};
