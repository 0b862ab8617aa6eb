import { getAdaptiveSchema, setAdaptiveSchema } from '../../api/resources/adaptive-schemas.js';
import { getPublishedSite } from '../../api/resources/published-sites.js';
import { createSite, deleteSite, getSite, listSites, updateSite } from '../../api/resources/sites.js';
import type { Group } from '../../cli/declare/command.js';
import { command } from '../../cli/declare/define.js';
import { useCommand } from '../use-command.js';
import { visitorSchema } from './visitor-schema.js';

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

const schema: Group = {
  name: 'schema',
  noun: 'adaptive schema',
  summary: 'What a site knows of its visitors',
  why: 'The adaptive schema is a JSON Schema (draft-07) of the claims, all true or false, that conditions can use.',
  commands: [
    command({
      name: 'get',
      operation: getAdaptiveSchema,
      why: 'Which claims of a visitor the site knows, as JSON Schema. sites schema set takes what this prints.',
      args: { siteId: '<site>' },
      columns: ['updatedAt', 'jsonSchema'],
      examples: [
        { run: 'sites schema get w1', does: 'the schema of a site' },
        { run: 'sites schema get w1 --jq .jsonSchema', does: 'the JSON Schema alone, as set takes it' },
      ],
    }),
    command({
      name: 'set',
      operation: setAdaptiveSchema,
      why: 'The file is checked before anything is sent: draft-07, claims that are true or false, nothing unknown allowed.',
      args: { siteId: '<site>', jsonSchema: '<schema>' },
      flags: {
        jsonSchema: {
          description: 'JSON Schema (draft-07): @file, - for standard input, or the JSON itself',
          parse: visitorSchema,
        },
      },
      columns: ['updatedAt', 'jsonSchema'],
      examples: [
        { run: 'sites schema set w1 @schema.json', does: 'replace the schema, after a check on this side' },
      ],
    }),
  ],
};

export const sites: Group = {
  name: 'sites',
  noun: 'site',
  summary: 'Docs sites, what they publish and what they know of visitors',
  why: 'A site publishes spaces. Deleting one never deletes spaces.',
  commands: [
    command({
      name: 'list',
      aliases: ['ls'],
      operation: listSites,
      why: 'What is published, for whom, and how many spaces each site shows. --space-id finds the sites of a space.',
      flags: { space: { name: 'space-id', value: '<space>' } },
      columns,
      examples: [
        { run: 'sites list --published', does: 'what visitors can reach' },
        { run: 'sites list --space-id s1', does: 'where a space is published' },
      ],
    }),
    command({
      name: 'create',
      operation: createSite,
      why: 'It publishes the spaces of --space-id, or a new one that comes with it.',
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
      examples: [
        {
          run: 'sites create --title "Acme Docs" --visibility unlisted --space-id s1',
          does: 'a site of one space',
        },
        { run: 'sites create --title Playground --new-space empty', does: 'a site with a new, empty space' },
      ],
    }),
    command({
      name: 'get',
      operation: getSite,
      why: 'Its type and visibility, its addresses, and what it publishes.',
      args: { siteId: '<site>' },
      columns,
      examples: [{ run: 'sites get w1', does: 'one site' }],
    }),
    command({
      name: 'update',
      operation: updateSite,
      why: 'For titles, visibility and addresses, which readers notice at once; --dry-run shows what would be sent.',
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
      examples: [
        { run: 'sites update w1 --visibility public --title "Acme Docs"', does: 'open it to everybody' },
        { run: 'sites update w1 --proxy acme.com/docs', does: 'serve it from a subdirectory of a domain' },
        {
          run: 'sites update w1 --unset proxy --no-adaptive-content',
          does: 'no proxy, the same for everybody',
        },
      ],
    }),
    command({
      name: 'delete',
      aliases: ['rm'],
      operation: deleteSite,
      why: 'Its addresses stop working at once. Spaces, which hold the content, stay.',
      args: { siteId: '<site...>' },
      danger: 'type-title',
      titleFrom: getSite,
      examples: [{ run: 'sites delete w1 --yes', does: 'delete a site; its spaces stay' }],
    }),
    command({
      name: 'published',
      operation: getPublishedSite,
      why: 'Sections, spaces and addresses, as a visitor meets them.',
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
      examples: [
        { run: 'sites published w1', does: 'the site as its visitors meet it' },
        { run: 'sites published w1 --jq ".structure.structure[].title"', does: 'the titles of its sections' },
      ],
    }),
    schema,
    useCommand('site'),
  ],
};
