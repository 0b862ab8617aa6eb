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
  summary: 'Versions of an OpenAPI spec',
  why: 'The platform adds a version whenever it has processed a new or changed spec.',
  commands: [
    command({
      name: 'list',
      aliases: ['ls'],
      operation: listOpenApiVersions,
      why: 'Each processing that went well made one.',
      args: { specSlug: '<slug>' },
      columns: ['id', 'createdAt', 'url'],
      examples: [{ run: 'openapi versions list petstore', does: 'all versions of a spec' }],
    }),
    command({
      name: 'get',
      operation: [getOpenApiVersion, getLatestOpenApiVersion],
      args: { specSlug: '<slug>', versionId: '[version]' },
      summary: 'Get a version of an OpenAPI spec, or the latest',
      why: 'Where no version is named, the latest.',
      columns: ['id', 'createdAt', 'url'],
      examples: [
        { run: 'openapi versions get petstore', does: 'the latest version' },
        { run: 'openapi versions get petstore v1', does: 'a certain one' },
      ],
    }),
    command({
      name: 'content',
      operation: [getOpenApiContent, getLatestOpenApiContent],
      args: { specSlug: '<slug>', versionId: '[version]' },
      summary: 'Get the content of a version of an OpenAPI spec, or of the latest',
      why: 'For a comparison with what a pipeline has built: it prints the specification itself.',
      columns: ['url', 'filesystem'],
      examples: [
        { run: 'openapi versions content petstore', does: 'the content of the latest version' },
        { run: 'openapi versions content petstore v1 --jq .filesystem', does: 'the files of a certain one' },
      ],
    }),
  ],
};

export const openapi: Group = {
  name: 'openapi',
  noun: 'OpenAPI spec',
  summary: 'OpenAPI specs and their versions',
  why: 'The platform reads a spec in the background: get shows whether it is pending, in progress or complete.',
  commands: [
    command({
      name: 'list',
      aliases: ['ls'],
      operation: listOpenApiSpecs,
      why: 'Which API specs there are, and whether the last processing of each went well.',
      columns,
      id: 'slug',
      examples: [{ run: 'openapi list', does: 'all specs and how their processing went' }],
    }),
    command({
      name: 'create',
      operation: createOpenApiSpec,
      why: 'Refused where the slug is taken: docs openapi set updates that one.',
      args: { slug: '<slug>' },
      flags,
      columns,
      id: 'slug',
      examples: [
        { run: 'openapi create petstore --url https://acme.example/petstore.yaml', does: 'read from a URL' },
        { run: 'openapi create petstore --text @petstore.yaml', does: 'from a file' },
      ],
    }),
    command({
      name: 'get',
      operation: getOpenApiSpec,
      why: 'Its source, how far the platform is with it, and the last version.',
      args: { specSlug: '<slug>' },
      columns,
      id: 'slug',
      examples: [{ run: 'openapi get petstore --jq .processingState', does: 'whether it was processed' }],
    }),
    command({
      name: 'set',
      operation: setOpenApiSpec,
      why: 'The same input gives the same result. docs openapi publish waits until it is processed, too.',
      args: { specSlug: '<slug>' },
      flags,
      columns,
      id: 'slug',
      examples: [
        {
          run: 'openapi set petstore --url https://acme.example/v2.yaml',
          does: 'create it, or read it anew',
        },
      ],
    }),
    command({
      name: 'delete',
      aliases: ['rm'],
      operation: deleteOpenApiSpec,
      why: 'Its versions go with it.',
      args: { specSlug: '<slug...>' },
      examples: [{ run: 'openapi delete petstore --yes', does: 'delete a spec with its versions' }],
    }),
    publish,
    wait,
    versions,
  ],
};
