import * as api from '../../api/resources/openapi.js';
import * as versionApi from '../../api/resources/openapi.js';
import { getOrg } from '../../api/resources/orgs.js';
import { DocsError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import { isObject } from '../../base/values.js';
import type {
  Command,
  DoneChange,
  FailureOf,
  FlagChange,
  Group,
  Watched,
} from '../../cli/declare/command.js';
import { command, manual } from '../../cli/declare/define.js';
import { contextOption } from '../../cli/declare/flags.js';
import { atPlace } from '../../cli/declare/global-flags.js';
import { option } from '../../cli/declare/option.js';
import { counted } from '../../output/text.js';
import { PublishResult, sourceNamed, sourceUrl, WaitResult } from './spec.js';

/** `--watch` of OpenAPI specs: until all are processed. */
const watched: Watched = {
  field: 'processingState',
  moving: ['pending', 'progress'],
  final: ['complete'],
  error: 'lastProcessErrorCode',
  failure: failed,
  exits: ['job-failed'],
};

async function failed(): Promise<FailureOf> {
  const { failureOf } = await import('./watch.js');
  return ({ io: { platform }, globals, settings: { org } }, specs) => {
    const place = org?.source === 'flag' ? ['--org', org.value] : [];
    const line = (...words: string[]) =>
      atPlace(
        ['docs openapi', ...[...words, ...place].map((word) => shellWord(word, platform))].join(' '),
        globals,
        platform,
      );
    const failures = specs.flatMap((spec) => {
      const { slug } = isObject(spec) ? spec : {};
      return isObject(spec) ? (failureOf({ slug: String(slug), line }, spec) ?? []) : [];
    });
    const [first] = failures;
    if (first === undefined || failures.length === 1) return first;
    const message = `the platform failed to process ${failures.length} of ${counted(specs.length, 'spec')}`;
    const lines = failures.map(({ message: one }) => one);
    const { details: _, ...facts } = first.failure;
    return new DocsError(first.kind, first.code, message, {
      ...facts,
      lines,
      hint: first.failure.hint ?? line('list'),
      details: { specs: failures.map(({ failure }) => failure.details ?? {}) },
    });
  };
}

const columns = [
  'slug',
  { path: 'processingState', label: 'STATE', as: 'state', lead: true },
  { path: 'lastProcessErrorCode', label: 'ERROR', lead: true },
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
      // A spec is a file that somebody has already, and no read shows the one that is there.
      edited: false,
      parse: (text) => ({ text }),
    },
  },
};

/** The platform processes a spec after its answer. */
function waiting(answered: DoneChange['answered'], textOf: DoneChange['textOf']): string | undefined {
  const isWaiting = ['pending', 'progress'].includes(String(answered('processingState')));
  return isWaiting ? `Run "docs openapi wait ${textOf('slug')}" to wait until it is processed.` : undefined;
}

const resultColumns = ['id', 'status', 'version'] as const;

const publish: Command = manual({
  name: 'publish',
  summary: 'Publish an OpenAPI spec and wait until it is processed',
  why:
    'Updates the spec, or creates it with --create, waits until the platform has processed it, and prints ' +
    'the resulting version. Exits 18 with the reason if processing fails, and 12 when the time is up; to ' +
    'keep waiting, or to wait after docs apply, use docs openapi wait.',
  args: {
    '<slug>': {
      description: 'Slug of the spec',
      asTyped: true,
      listedBy: 'openapi list',
      offers: async () => (await import('./publish.js')).knownSpecs,
      check: async () => (await import('./publish.js')).checkSlug,
    },
    '<source>': {
      check: async () => async (typed, session) => {
        await sourceNamed(session, typed);
      },
      description: 'URL for the platform to read, or a file to send: path, @file, - for standard input',
      reads: 'unless-url',
    },
  },
  options: [
    option('--wait [time]', 'How long to wait, such as 30s or 10m; 0 for no limit', {
      default: '5m',
      duration: true,
    }),
    option('--skip-unchanged', 'Send nothing if the latest version has the same content'),
    option('--create', 'Create the spec if it does not exist'),
    contextOption('organizationId'),
  ],
  operations: [
    api.getOpenApiSpec,
    api.setOpenApiSpec,
    versionApi.getLatestOpenApiContent,
    versionApi.getLatestOpenApiVersion,
    getOrg,
  ],
  returns: PublishResult,
  exits: ['job-failed'],
  applies: async () => (await import('./publish.js')).applyPublish,
  examples: {
    'openapi publish public-api https://acme.example/petstore.yaml': 'publish a spec from a URL',
    'openapi publish petstore petstore.yaml --create --skip-unchanged':
      'publish a file from a pipeline, unless it is unchanged',
    'openapi publish public-api @petstore.yaml --wait 15m --json': 'wait longer and print the result as JSON',
  },
  danger: 'change',
  columns: resultColumns,
  async run(session, input, { view }) {
    await (await import('./publish.js')).publish(session, publish, input, view);
  },
});

const wait: Command = manual({
  name: 'wait',
  summary: 'Wait until an OpenAPI spec is processed',
  why:
    'Prints the resulting version, or exits 18 with the reason if processing fails. Waits 5 minutes unless ' +
    '--timeout says otherwise, then exits 12.',
  args: { '<slug>': 'Slug of the spec' },
  options: [contextOption('organizationId')],
  operations: [api.getOpenApiSpec, versionApi.getLatestOpenApiVersion],
  returns: WaitResult,
  exits: ['job-failed'],
  examples: {
    'openapi wait public-api': 'wait until it is processed, for up to 5 minutes',
    'openapi wait public-api --timeout 15m --json': 'wait longer and print the result as JSON',
  },
  columns: resultColumns,
  async run(session, input, { view }) {
    await (await import('./publish.js')).wait(session, wait, input, view);
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
      operation: versionApi.listOpenApiVersions,
      why: 'The platform adds a version each time it processes the spec successfully.',
      args: { specSlug: '<slug>' },
      columns: ['id', 'createdAt', 'url'],
      examples: { 'openapi versions list public-api': 'list the versions of a spec' },
    }),
    command({
      name: 'get',
      operation: [versionApi.getOpenApiVersion, versionApi.getLatestOpenApiVersion],
      args: { specSlug: '<slug>', versionId: '[version]' },
      summary: 'Get a version of an OpenAPI spec',
      why: 'Without a version, gets the latest one.',
      columns: ['id', 'createdAt', 'url'],
      examples: {
        'openapi versions get public-api': 'get the latest version',
        'openapi versions get public-api n1': 'get a specific version',
      },
    }),
    command({
      name: 'content',
      operation: [versionApi.getOpenApiContent, versionApi.getLatestOpenApiContent],
      args: { specSlug: '<slug>', versionId: '[version]' },
      summary: 'Get the content of a version of an OpenAPI spec',
      why:
        'Prints the specification itself, for example to compare it with a build. Without a version, ' +
        'prints the latest one.',
      columns: ['url', 'filesystem'],
      examples: {
        'openapi versions content public-api': 'print the latest version',
        'openapi versions content public-api n1 --jq .filesystem': 'print the files of a specific version',
      },
    }),
  ],
};

export const openapi: Group = {
  name: 'openapi',
  noun: 'OpenAPI spec',
  summary: 'Manage OpenAPI specs and their versions',
  guide: 'publish-openapi',
  why:
    'The platform processes specs in the background; get shows whether one is pending, in progress or ' +
    'complete.',
  commands: [
    command({
      name: 'list',
      operation: api.listOpenApiSpecs,
      why: 'Shows each spec and whether its last processing succeeded.',
      columns,
      id: 'slug',
      watch: watched,
      examples: {
        'openapi list': 'list all specs with their processing state',
        'openapi list --watch': 'watch them until every spec is processed',
      },
    }),
    command({
      name: 'create',
      operation: api.createOpenApiSpec,
      why: 'Fails if the slug is taken; to update a spec, use docs openapi set.',
      args: { slug: '<slug>' },
      flags: { ...flags, slug: { asTyped: true } },
      columns,
      id: 'slug',
      says: ({ sentence, answered, textOf }) => [sentence, waiting(answered, textOf)],
      examples: {
        'openapi create petstore --url https://acme.example/petstore.yaml': 'create a spec from a URL',
        'openapi create petstore --text @petstore.yaml': 'create a spec from a file',
      },
    }),
    command({
      name: 'get',
      operation: api.getOpenApiSpec,
      why: 'Shows the source, processing state and latest version of a spec.',
      args: { specSlug: '<slug>' },
      columns,
      id: 'slug',
      watch: watched,
      examples: {
        'openapi get public-api --jq .processingState': 'print the processing state',
        'openapi get public-api --watch': 'watch it until it is processed',
      },
    }),
    command({
      name: 'set',
      operation: api.setOpenApiSpec,
      why:
        'Safe to run again: the same input gives the same result. To wait until the spec is processed, use ' +
        'docs openapi publish.',
      args: { specSlug: '<slug>' },
      flags: { ...flags, specSlug: { asTyped: true } },
      columns,
      id: 'slug',
      says: ({ what, answered, textOf }) => [`Set the source of ${what}`, waiting(answered, textOf)],
      examples: {
        'openapi set public-api --url https://acme.example/v2.yaml': 'create a spec, or read its URL again',
      },
    }),
    command({
      name: 'delete',
      operation: api.deleteOpenApiSpec,
      why: 'Deletes its versions as well.',
      args: { specSlug: '<slug...>' },
      examples: { 'openapi delete public-api --yes': 'delete a spec and its versions' },
    }),
    publish,
    wait,
    versions,
  ],
};
