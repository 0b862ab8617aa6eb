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
    'Ends when the platform has processed the spec, and prints the version it became. Exits 18 with the reason ' +
    'if the processing failed. Waits 5 minutes unless --timeout says otherwise, then exits 12.',
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
  summary: 'Versions of an OpenAPI spec',
  why: 'The platform adds a version whenever it has processed a new or changed spec.',
  commands: [
    command({
      name: 'list',
      aliases: ['ls'],
      operation: listOpenApiVersions,
      why: 'The platform adds one each time it processes the spec successfully.',
      args: { specSlug: '<slug>' },
      columns: ['id', 'createdAt', 'url'],
      examples: [{ run: 'openapi versions list petstore', does: 'all versions of a spec' }],
    }),
    command({
      name: 'get',
      operation: [getOpenApiVersion, getLatestOpenApiVersion],
      args: { specSlug: '<slug>', versionId: '[version]' },
      summary: 'Get a version of an OpenAPI spec, or the latest',
      why: 'Without a version it gets the latest.',
      columns: ['id', 'createdAt', 'url'],
      examples: [
        { run: 'openapi versions get petstore', does: 'the latest version' },
        { run: 'openapi versions get petstore v1', does: 'one version by its id' },
      ],
    }),
    command({
      name: 'content',
      operation: [getOpenApiContent, getLatestOpenApiContent],
      args: { specSlug: '<slug>', versionId: '[version]' },
      summary: 'Get the content of an OpenAPI spec version, or of the latest',
      why: 'Prints the specification itself, to compare with what a pipeline has built.',
      columns: ['url', 'filesystem'],
      examples: [
        { run: 'openapi versions content petstore', does: 'the content of the latest version' },
        { run: 'openapi versions content petstore v1 --jq .filesystem', does: 'the files of one version' },
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
      why: 'Shows whether the last processing of each spec succeeded.',
      columns,
      id: 'slug',
      examples: [{ run: 'openapi list', does: 'all specs and how their processing went' }],
    }),
    command({
      name: 'create',
      operation: createOpenApiSpec,
      why: 'Fails if the slug is taken; docs openapi set updates an existing spec.',
      args: { slug: '<slug>' },
      flags: { ...flags, slug: { asTyped: true } },
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
      why: 'Shows its source, its processing state and the latest version.',
      args: { specSlug: '<slug>' },
      columns,
      id: 'slug',
      examples: [{ run: 'openapi get petstore --jq .processingState', does: 'whether it was processed' }],
    }),
    command({
      name: 'set',
      operation: setOpenApiSpec,
      why: 'Safe to repeat. docs openapi publish also waits until the spec is processed.',
      args: { specSlug: '<slug>' },
      flags: { ...flags, specSlug: { asTyped: true } },
      columns,
      id: 'slug',
      examples: [
        {
          run: 'openapi set petstore --url https://acme.example/v2.yaml',
          does: 'create it, or read it again',
        },
      ],
    }),
    command({
      name: 'delete',
      aliases: ['rm'],
      operation: deleteOpenApiSpec,
      why: 'Deletes its versions too.',
      args: { specSlug: '<slug...>' },
      examples: [{ run: 'openapi delete petstore --yes', does: 'delete a spec with its versions' }],
    }),
    publish,
    wait,
    versions,
  ],
};
