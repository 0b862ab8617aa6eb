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
import type { Command, FlagChange, Group } from '../../cli/declare/command.js';
import { command, manual } from '../../cli/declare/define.js';
import { contextOption } from '../../cli/declare/standing-flags.js';
import { PublishResult, WaitResult } from '../../workflows/openapi-publish/report.js';
import { sourceUrl } from './source.js';

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

const publish: Command = manual({
  name: 'publish',
  summary: 'Publish an OpenAPI spec and wait until it is processed',
  why:
    'Updates the spec, or creates it with --create, then waits until the platform has processed it and prints ' +
    'the version it became. Exits 18 with the reason if the processing failed, and 12 when the time is up; ' +
    'docs openapi wait then continues to wait.',
  args: {
    '<slug>': { description: 'Slug of the spec', asTyped: true },
    '<source>': 'URL that the platform reads; or a file that is sent: a path, @file, or - for standard input',
  },
  options: [
    {
      name: 'wait',
      value: '[time]',
      description: 'How long to wait, such as 30s or 10m; 0 is without end',
      default: '5m',
    },
    {
      name: 'skip-unchanged',
      boolean: true,
      description: 'Send nothing if the latest version has the same content',
    },
    { name: 'create', boolean: true, description: 'Create the spec if it does not exist' },
    contextOption('organizationId'),
  ],
  operations: [getOpenApiSpec, setOpenApiSpec, getLatestOpenApiContent, getLatestOpenApiVersion],
  returns: PublishResult,
  exits: ['job-failed'],
  examples: [
    { run: 'openapi publish petstore https://acme.example/petstore.yaml', does: 'read it from a URL' },
    {
      run: 'openapi publish petstore petstore.yaml --create --skip-unchanged',
      does: 'send a file, as a pipeline does after each change',
    },
    {
      run: 'openapi publish petstore @petstore.yaml --wait 15m --json',
      does: 'wait longer, and get the version as JSON',
    },
  ],
  danger: 'change',
  async run(session, input) {
    await (await import('./publish.js')).publish(session, publish, input);
  },
});

const wait: Command = manual({
  name: 'wait',
  summary: 'Wait until an OpenAPI spec is processed',
  why:
    'Prints the new version when the platform has processed the spec, or exits 18 with the reason if processing ' +
    'failed. Waits 5 minutes unless --timeout says otherwise, then exits 12.',
  args: { '<slug>': 'Slug of the spec' },
  options: [contextOption('organizationId')],
  operations: [getOpenApiSpec, getLatestOpenApiVersion],
  returns: WaitResult,
  exits: ['job-failed'],
  examples: [
    { run: 'openapi wait petstore', does: 'until it is processed, 5 minutes at most' },
    { run: 'openapi wait petstore --timeout 15m --json', does: 'wait longer, and print the result as JSON' },
  ],
  async run(session, input) {
    await (await import('./wait.js')).wait(session, wait, input);
  },
});

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
