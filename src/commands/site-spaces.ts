import {
  createSiteSpace,
  deleteSiteSpace,
  listSiteSpaces,
  moveSiteSpace,
  updateSiteSpace,
} from '../api/resources/site-spaces.js';
import type { Group } from '../cli/declare/command.js';
import { command } from '../cli/declare/define.js';
import { besideSiteSpace } from './position-flags.js';

const columns = [
  'title',
  'path',
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
  summary: 'Spaces of a site',
  why: 'A site space is the link between a site and a space, with an id of its own. Deleting it keeps the space.',
  commands: [
    command({
      name: 'list',
      aliases: ['ls'],
      operation: listSiteSpaces,
      why: 'Which spaces a site shows, where, and to whom.',
      columns,
      examples: [
        { run: 'site-spaces list --site w1', does: 'the spaces that a site publishes' },
        { run: 'site-spaces list --site w1 --default --jq ".[0].space.id"', does: 'the space it opens with' },
      ],
    }),
    command({
      name: 'create',
      operation: createSiteSpace,
      why: 'A space may be on several sites; what changes in it changes on all of them.',
      flags: { spaceId: { value: '<space>' }, sectionId: { name: 'section', value: '<section>' } },
      columns,
      examples: [{ run: 'site-spaces create --site w1 --space-id s1 --section x1', does: 'publish a space' }],
    }),
    command({
      name: 'update',
      operation: updateSiteSpace,
      why: '--path changes the address of every page in it, --condition who gets to see it.',
      args: { siteSpaceId: '<site-space>' },
      flags: { condition: { value: '<expression>' } },
      columns,
      examples: [
        { run: 'site-spaces update y1 --site w1 --path api', does: 'another address' },
        { run: 'site-spaces update y1 --site w1 --unset condition', does: 'show it to everybody' },
      ],
    }),
    command({
      name: 'delete',
      aliases: ['rm'],
      operation: deleteSiteSpace,
      why: 'Its addresses on this site stop working; on other sites it is still shown.',
      args: { siteSpaceId: '<site-space...>' },
      done: 'removed',
      examples: [{ run: 'site-spaces delete y1 --site w1 --yes', does: 'take a space off a site' }],
    }),
    command({
      name: 'move',
      operation: moveSiteSpace,
      why: 'Changes the order that readers see; addresses stay.',
      args: { siteSpaceId: '<site-space>' },
      flags: besideSiteSpace,
      columns,
      examples: [{ run: 'site-spaces move y1 --site w1 --after y2', does: 'behind another space' }],
    }),
  ],
};
