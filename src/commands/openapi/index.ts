import {
  createOpenApiSpec,
  deleteOpenApiSpec,
  getOpenApiSpec,
  listOpenApiSpecs,
  setOpenApiSpec,
} from '../../api/resources/openapi.js';
import {
  getLatestOpenApiContent,
  getLatestOpenApiVersion,
  getOpenApiContent,
  getOpenApiVersion,
  listOpenApiVersions,
} from '../../api/resources/openapi-versions.js';
import type { FlagChange, Group } from '../../cli/declare/command.js';
import { command } from '../../cli/declare/define.js';
import { sourceUrl } from '../../workflows/openapi-publish/source.js';
import { publish } from './publish.js';
import { wait } from './wait.js';

const columns = [
  'slug',
  { path: 'processingState', label: 'STATE', as: 'state' },
  { path: 'lastProcessErrorCode', label: 'ERROR' },
  'lastProcessedAt',
  'sourceURL',
  'id',
] as const;

const flags: Record<string, FlagChange> = {
  source: {
    name: 'url',
    value: '<url>',
    description: 'URL the specification is read from; or give --text',
    parse: sourceUrl,
    or: {
      name: 'text',
      value: '<text>',
      description: 'The specification itself',
      longText: true,
      parse: (text) => ({ text }),
    },
  },
};

const versions: Group = {
  name: 'versions',
  noun: 'version',
  summary: 'Read the versions of an OpenAPI spec',
  why: 'The platform adds a version each time it has processed a new or changed spec.',
  commands: [
    command({
      name: 'list',
      aliases: ['ls'],
      operation: listOpenApiVersions,
      why: 'Each successful processing added a version.',
      args: { specSlug: '<slug>' },
      columns: ['id', 'createdAt', 'url'],
      examples: [{ run: 'openapi versions list petstore', does: 'list the versions of a spec' }],
    }),
    command({
      name: 'get',
      operation: [getOpenApiVersion, getLatestOpenApiVersion],
      args: { specSlug: '<slug>', versionId: '[version]' },
      summary: 'Get a version of an OpenAPI spec',
      why: 'Without a version, gets the latest one.',
      columns: ['id', 'createdAt', 'url'],
      examples: [
        { run: 'openapi versions get petstore', does: 'get the latest version' },
        { run: 'openapi versions get petstore v1', does: 'get a specific version' },
      ],
    }),
    command({
      name: 'content',
      operation: [getOpenApiContent, getLatestOpenApiContent],
      args: { specSlug: '<slug>', versionId: '[version]' },
      summary: 'Get the content of a version of an OpenAPI spec',
      why:
        'Prints the specification itself, for example to compare it with a build. Without a version, ' +
        'prints the latest one.',
      columns: ['url', 'filesystem'],
      examples: [
        { run: 'openapi versions content petstore', does: 'print the latest version' },
        {
          run: 'openapi versions content petstore v1 --jq .filesystem',
          does: 'print the files of a specific version',
        },
      ],
    }),
  ],
};

export const openapi: Group = {
  name: 'openapi',
  noun: 'OpenAPI spec',
  summary: 'Manage OpenAPI specs and their versions',
  why:
    'The platform processes specs in the background; get shows whether one is pending, in progress or ' +
    'complete.',
  commands: [
    command({
      name: 'list',
      aliases: ['ls'],
      operation: listOpenApiSpecs,
      why: 'Shows each spec and whether its last processing succeeded.',
      columns,
      id: 'slug',
      examples: [{ run: 'openapi list', does: 'list all specs with their processing state' }],
    }),
    command({
      name: 'create',
      operation: createOpenApiSpec,
      why: 'Fails if the slug is taken; to update a spec, use docs openapi set.',
      args: { slug: '<slug>' },
      flags: { ...flags, slug: { asTyped: true } },
      columns,
      id: 'slug',
      examples: [
        {
          run: 'openapi create petstore --url https://acme.example/petstore.yaml',
          does: 'create a spec from a URL',
        },
        { run: 'openapi create petstore --text @petstore.yaml', does: 'create a spec from a file' },
      ],
    }),
    command({
      name: 'get',
      operation: getOpenApiSpec,
      why: 'Shows the source, processing state and latest version of a spec.',
      args: { specSlug: '<slug>' },
      columns,
      id: 'slug',
      examples: [{ run: 'openapi get petstore --jq .processingState', does: 'print the processing state' }],
    }),
    command({
      name: 'set',
      operation: setOpenApiSpec,
      why:
        'Safe to run again: the same input gives the same result. To wait until the spec is processed, use ' +
        'docs openapi publish.',
      args: { specSlug: '<slug>' },
      flags: { ...flags, specSlug: { asTyped: true } },
      columns,
      id: 'slug',
      examples: [
        {
          run: 'openapi set petstore --url https://acme.example/v2.yaml',
          does: 'create a spec, or read it again',
        },
      ],
    }),
    command({
      name: 'delete',
      aliases: ['rm'],
      operation: deleteOpenApiSpec,
      why: 'Deletes its versions as well.',
      args: { specSlug: '<slug...>' },
      examples: [{ run: 'openapi delete petstore --yes', does: 'delete a spec and its versions' }],
    }),
    publish,
    wait,
    versions,
  ],
};
