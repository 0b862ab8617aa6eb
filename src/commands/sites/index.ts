import { getAdaptiveSchema, setAdaptiveSchema } from '../../api/resources/adaptive-schemas.js';
import { listPages } from '../../api/resources/content.js';
import { getPublishedSite } from '../../api/resources/published-sites.js';
import * as sections from '../../api/resources/sections.js';
import * as siteSpaces from '../../api/resources/site-spaces.js';
import * as api from '../../api/resources/sites.js';
import { getSpace } from '../../api/resources/spaces.js';
import {
  command,
  concurrencyOption,
  contextOption,
  fullOption,
  type Group,
  manual,
  option,
  report,
  Type,
} from '../../cli/run/report.js';
import { AppliedItem, closed, flag, maybe, oneOf, stateOf, text } from '../../output/printed-shapes.js';
import { useCommand } from '../shared/declarations.js';
import { seenResults } from './evaluate.js';
import { SchemaRow, visitorSchema } from './schema-input.js';

/** A group, section or site space, and whether the visitor sees it. */
const SeenRow = closed({
  result: stateOf(...seenResults),
  kind: oneOf('section-group', 'section', 'site-space'),
  title: text,
  path: maybe,
  condition: maybe,
  why: Type.Optional(Type.String({ description: 'Reason, if the condition alone does not decide' })),
  default: Type.Optional(flag),
  id: text,
  depth: Type.Integer({ minimum: 0, description: '0 at the top' }),
});

/** `docs sites schema eval`. */
const evaluate = report({
  name: 'eval',
  summary: 'Show the content for a visitor with certain claims',
  why:
    'Evaluates the condition of every section and site space; a claim that --claims leaves out is ' +
    'undefined, not false. A result is unknown if the schema lacks a claim, or docs cannot evaluate the ' +
    'condition.',
  args: { '<site>': 'Site' },
  options: [
    option('--claims <claims>', 'Claims of the visitor: a file, - for standard input, or the JSON itself', {
      reads: 'unless-json',
      check: async () => {
        const { claimsOf } = await import('./schema-input.js');
        return (typed, session) => claimsOf(session, typed, '--claims');
      },
      required: true,
    }),
    option('--schema <schema>', 'Use this JSON Schema instead of the schema of the site', {
      reads: 'unless-json',
    }),
    contextOption('organizationId'),
  ],
  operations: [
    api.getSite,
    getAdaptiveSchema,
    sections.listSections,
    siteSpaces.listSiteSpaces,
    sections.listSectionGroups,
  ],
  returns: Type.Array(SeenRow),
  columns: [
    { path: 'result', as: 'state' },
    'kind',
    { path: 'title', keep: true },
    'path',
    { path: 'condition', keep: true },
    'why',
    'default',
    'id',
  ],
  empty: 'The site has no sections and no spaces.',
  exits: ['partial'],
  examples: {
    'sites schema eval w1 --claims claims.json': 'show the content that a visitor with these claims sees',
    'sites schema eval w1 --claims \'{"beta": true}\' --schema @new.json':
      'evaluate under a schema that is not set yet',
  },
  load: async () => (await import('./eval.js')).schemaEvalReport,
});

/** `docs sites arrange`. */
const arrange = manual({
  name: 'arrange',
  summary: 'Arrange the sections and spaces of a site from a text',
  why:
    'Takes the edited text of sites tree, moves as little as possible, and shows the addresses that change ' +
    'and the redirects to add. Without a text, your editor opens with the tree.',
  args: {
    '<site>': 'Site',
    '[tree]': {
      description: 'Text of the tree: @file, or - for standard input; default: your editor',
      reads: 'at',
      asTyped: true,
    },
  },
  options: [
    option('--prune', 'Remove items that the text omits from the site; spaces stay in the library'),
    option('--redirects <file>', 'Write the redirects to add to a file, as CSV: from,to', {
      path: { use: 'writes' },
    }),
    fullOption,
    concurrencyOption,
    contextOption('organizationId'),
  ],
  operations: [
    ...[
      api.getSite,
      sections.listSectionGroups,
      sections.listSections,
      siteSpaces.listSiteSpaces,
      getSpace,
      listPages,
    ],
    ...[
      sections.createSectionGroup,
      sections.updateSectionGroup,
      sections.deleteSectionGroup,
      sections.moveSectionGroup,
    ],
    ...[sections.addSectionToGroup, sections.removeSectionFromGroup],
    ...[sections.createSection, sections.updateSection, sections.deleteSection, sections.moveSection],
    ...[
      siteSpaces.createSiteSpace,
      siteSpaces.updateSiteSpace,
      siteSpaces.deleteSiteSpace,
      siteSpaces.moveSiteSpace,
      api.updateSite,
    ],
  ],
  returns: Type.Array(AppliedItem),
  exits: ['partial', 'conflict'],
  examples: {
    'sites arrange w1 @tree.txt --dry-run': 'show the moves, and the addresses that change',
    'sites arrange w1 @tree.txt --redirects redirects.csv':
      'arrange a site, and write the redirects to add in the app',
    'sites arrange w1': 'edit the tree in your editor',
  },
  danger: 'confirm',
  async run(session, input, { groups }) {
    await (await import('./arrange.js')).arrangeSite(session, input, groups);
  },
});

/** `docs sites schema diff`. */
const diff = report({
  name: 'diff',
  summary: 'List what a new adaptive schema would break',
  why:
    'Lists changed claims, and conditions of sections and site spaces that would break or are already ' +
    'broken because they use claims of neither schema. Exits 17 if a condition would break.',
  args: {
    '<site>': 'Site',
    '<schema>': {
      description: 'New JSON Schema (draft-07): a file, - for standard input, or the JSON itself',
      reads: 'unless-json',
      check: async () => {
        const { schemaOf } = await import('./schema-input.js');
        return (typed, session) => schemaOf(session, typed, '<schema>');
      },
    },
  },
  options: [contextOption('organizationId')],
  operations: [getAdaptiveSchema, sections.listSections, siteSpaces.listSiteSpaces, api.getSite],
  returns: Type.Array(SchemaRow),
  columns: [
    { path: 'status', as: 'state' },
    'kind',
    { path: 'claims', keep: true },
    'title',
    'path',
    { path: 'condition', keep: true },
    'why',
    'id',
  ],
  empty: 'The schemas allow the same claims.',
  exits: ['findings', 'partial'],
  examples: {
    'sites schema diff w1 new.json': 'list the changes of a new schema, and the conditions it breaks',
    'sites schema diff w1 @new.json --jq \'.[] | select(.status == "breaks") | .title\'':
      'name the sections that it breaks',
  },
  load: async () => (await import('./schema-diff.js')).schemaDiffReport,
});

const schema: Group = {
  name: 'schema',
  noun: 'adaptive schema',
  summary: 'Manage the adaptive schema of a site',
  why: 'The adaptive schema is a JSON Schema (draft-07) of the boolean visitor claims that conditions can use.',
  commands: [
    command({
      name: 'get',
      operation: getAdaptiveSchema,
      why:
        'Prints the visitor claims that the site accepts as JSON Schema. sites schema set takes the same ' +
        'format.',
      args: { siteId: '<site>' },
      columns: ['updatedAt', 'jsonSchema'],
      examples: {
        'sites schema get w1': 'show the schema of a site',
        'sites schema get w1 --jq .jsonSchema': 'print the JSON Schema alone, as set takes it',
      },
    }),
    command({
      name: 'set',
      operation: setAdaptiveSchema,
      why:
        'Validates the file before sending: draft-07, boolean claims, additionalProperties false. Nothing is sent if ' +
        'a condition of the site uses a claim that the new schema removes or narrows.',
      args: { siteId: '<site>', jsonSchema: '<schema>' },
      flags: {
        jsonSchema: {
          description: 'JSON Schema (draft-07): @file, - for standard input, or the JSON itself',
          parse: visitorSchema,
          reads: 'at',
        },
      },
      guard: async () => (await import('./schema-diff.js')).guardSchema,
      guardReads: [getAdaptiveSchema, api.getSite, sections.listSections, siteSpaces.listSiteSpaces],
      guardFlags: [option('--allow-broken', 'Set it even if conditions break, or could not be read')],
      columns: ['updatedAt', 'jsonSchema'],
      says: ({ what }) => `Set the adaptive schema of ${what}`,
      examples: {
        'sites schema set w1 @schema.json': 'validate a file and replace the schema',
        'sites schema set w1 @schema.json --dry-run': 'check whether a condition would break',
      },
    }),
    diff,
    evaluate,
  ],
};

const describedText = (description: string) => Type.String({ description });
const optionalText = (description: string) => Type.Optional(describedText(description));

/** A group, section or space of a site: one row, after the row of what it stands in. */
const TreeRow = Type.Object({
  kind: Type.String({ enum: ['group', 'section', 'space'], description: 'What it is' }),
  depth: Type.Integer({ description: '0 at the top' }),
  title: Type.String(),
  path: optionalText('Path on the site; groups have none'),
  default: Type.Boolean({ description: 'Whether the site, or its section, opens with it' }),
  url: optionalText('Published address; absent while the site is not published'),
  id: describedText('Of a space the id of the site space'),
  space: optionalText('Id of the space'),
  parent: optionalText('Id of the section or group that contains it'),
});

/** `docs sites tree`. */
const tree = manual({
  name: 'tree',
  summary: 'Print the groups, sections and spaces of a site',
  why:
    'One line each, with its path, id and address; * marks the one that opens first. To change the site, ' +
    'edit the text and pass it to sites arrange.',
  args: { '<site>': 'Site' },
  options: [
    option('--no-urls', 'Leave out the addresses at the ends of the lines'),
    contextOption('organizationId'),
  ],
  operations: [api.getSite, sections.listSectionGroups, sections.listSections, siteSpaces.listSiteSpaces],
  returns: Type.Array(TreeRow),
  columns: ['kind', 'depth', 'title', 'path', 'default', 'url', 'space', 'parent', 'id'],
  empty: 'The site has no spaces.',
  examples: {
    'sites tree w1': 'print the tree of a site',
    'sites tree w1 > tree.txt': 'write it to a file, to edit it and hand it to sites arrange',
    'sites tree w1 --json': 'print a list of all groups, sections and spaces',
  },
  async run(session, input, { view }) {
    await (await import('./arrange.js')).printTree(session, input, view);
  },
});

const columns = [
  'title',
  { path: 'visibility', as: 'visibility', lead: true },
  'published',
  'type',
  'siteSpaces',
  { path: 'urls.published', lead: true },
  'createdAt',
  'id',
] as const;

export const sites: Group = {
  name: 'sites',
  noun: 'site',
  summary: 'Manage sites, their sections, spaces and versions',
  why: 'A site publishes spaces. Deleting a site keeps its spaces.',
  commands: [
    command({
      name: 'list',
      operation: api.listSites,
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
      operation: api.createSite,
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
      operation: api.getSite,
      why: 'Shows the type, visibility, addresses and spaces of a site.',
      args: { siteId: '<site>' },
      columns,
      examples: { 'sites get w1': 'show a site' },
    }),
    command({
      name: 'update',
      operation: api.updateSite,
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
      operation: api.deleteSite,
      why: 'Its addresses stop working immediately. Its spaces and their content stay.',
      args: { siteId: '<site...>' },
      danger: 'type-title',
      titleFrom: api.getSite,
      consequences: async () => (await import('../shared/consequences.js')).ofSite,
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
    useCommand('site', api.getSite),
  ],
};
