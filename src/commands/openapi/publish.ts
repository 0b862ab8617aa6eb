import type { Client } from '../../api/client.js';
import {
  createOpenApiSpec,
  getOpenApiSpec,
  type OpenApiSpec,
  setOpenApiSpec,
} from '../../api/resources/openapi.js';
import { getLatestOpenApiContent, getLatestOpenApiVersion } from '../../api/resources/openapi-versions.js';
import type { Command, ManualInput } from '../../cli/declare/command.js';
import { manual } from '../../cli/declare/define.js';
import type { Session } from '../../cli/declare/session.js';
import { contextOption } from '../../cli/declare/standing-flags.js';
import type { PlannedCall } from '../../cli/run/assemble.js';
import { contextId } from '../../cli/run/context.js';
import { DocsError, usageError } from '../../errors.js';
import type { Printer } from '../../output/printer.js';
import { parseDuration } from '../../settings/duration.js';
import { type SpecSource, sourceNamed } from '../../workflows/openapi-publish/source.js';
import { specResult } from './spec-result.js';
import {
  asVersion,
  commandLine,
  msOf,
  printSpec,
  readSpec,
  requireWord,
  resultOf,
  resultView,
  type SpecResult,
  usualWaitMs,
  watchSpec,
} from './wait.js';

/** `docs openapi publish`: sets a spec and sees it through until it is a version. */

export const publish: Command = manual({
  name: 'publish',
  summary: 'Publish an OpenAPI spec and wait until it is processed',
  why:
    'Updates the spec, or creates it with --create, then watches until the platform has processed it, and ' +
    'tells the version it became. Where the processing failed it exits 18 and says why; where the time is ' +
    'up it exits 12, and docs openapi wait goes on.',
  args: {
    '<slug>': 'Slug of the spec',
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
      description: 'Send nothing where the latest version has the same content',
    },
    { name: 'create', boolean: true, description: 'Create the spec where there is none' },
    contextOption('organizationId'),
  ],
  operations: [getOpenApiSpec, setOpenApiSpec, getLatestOpenApiContent, getLatestOpenApiVersion],
  returns: specResult('created', 'updated', 'unchanged'),
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
    const plan = await planned(session, input);
    const before = await specBefore(session, input, plan);
    if (before !== undefined && input.options.skipUnchanged === true) {
      const { isUnchanged } = await import('../../workflows/openapi-publish/unchanged.js');
      if (await isUnchanged(session, plan, before)) return skip(session, plan, before);
    }
    const call = callOf(plan);
    if (session.globals.dryRun) return (await import('../../cli/run/preview.js')).preview(session, [call]);
    const { changeOne } = await import('../../cli/run/send-changes.js');
    const first = (await changeOne(unprinted(session), publish, call, input)) as OpenApiSpec;
    const watch = { ...plan, line: commandLine(session, publish, input) };
    const spec = await watchSpec(session, watch, { first, before });
    const done = await resultOf(plan, spec, before === undefined ? 'created' : 'updated');
    const previous = before?.lastVersion;
    const result = previous === undefined ? done : { ...done, previousVersion: previous };
    await printSpec(session, result, sentenceOf(result));
  },
});

/** What was typed, understood and checked; nothing was sent. */
interface Plan {
  client: Client;
  org: string;
  slug: string;
  source: SpecSource;
  waitMs: number;
}

async function planned(session: Session, input: ManualInput): Promise<Plan> {
  const waitMs = waitOf(input);
  const slug = requireWord(input, 'slug', 'Slug of the spec');
  const typed = requireWord(input, 'source', 'a URL, or a file with the specification');
  await session.printer.check(resultView);
  const source = await sourceNamed(session.io, typed);
  // Waiting has its own limit; --timeout holds for each request.
  const client = await session.client({ timeoutPerRequest: true });
  const org = await contextId(session, 'org');
  if (input.options.create === true) await refuseSlug(session, org, slug, source);
  return { client, org, slug, source, waitMs };
}

/** A PUT also for a new one: it can be sent again where its answer is lost. */
function callOf({ org, slug, source }: Plan): PlannedCall {
  const path = { organizationId: org, specSlug: slug };
  return { op: setOpenApiSpec, input: { path, query: {}, body: { source } }, id: slug };
}

/** `--wait` alone is the usual time. What follows it is taken for its value, so a slug or URL is told apart. */
function waitOf({ options }: ManualInput): number {
  const { wait: typed } = options;
  if (typeof typed !== 'string') return usualWaitMs;
  try {
    return msOf(parseDuration(typed));
  } catch {
    const message = `--wait takes a time such as 30s or 5m, not ${JSON.stringify(typed)}; put --wait alone last, or write --wait=5m.`;
    throw usageError('invalid_duration', message);
  }
}

/** The slug of a new spec has its limits. */
async function refuseSlug(session: Session, org: string, slug: string, source: SpecSource): Promise<void> {
  const check = await session.checker(true);
  const issues = check(createOpenApiSpec, { path: { organizationId: org }, body: { slug, source } });
  const issue = issues.find(({ field }) => field === 'slug');
  if (issue === undefined) return;
  throw usageError('invalid_input', `<slug> ${issue.message}, not ${JSON.stringify(slug)}.`);
}

/** The spec as it stands; undefined where there is none and it may be created. */
async function specBefore(
  session: Session,
  input: ManualInput,
  plan: Plan,
): Promise<OpenApiSpec | undefined> {
  try {
    return await readSpec(plan);
  } catch (cause) {
    if (!(cause instanceof DocsError) || cause.kind !== 'not-found') throw cause;
    if (input.options.create === true) return undefined;
    const line = commandLine(session, publish, input);
    throw new DocsError('not-found', cause.code, `There is no OpenAPI spec ${plan.slug} yet.`, {
      ...cause.failure,
      hint: line('publish', plan.slug, String(input.args.source), '--create'),
    });
  }
}

async function skip(session: Session, plan: Plan, spec: OpenApiSpec): Promise<void> {
  const result = await resultOf(plan, spec, 'unchanged');
  await printSpec(session, result, sentenceOf(result));
  if ('url' in plan.source && spec.sourceURL !== plan.source.url) {
    const from = spec.sourceURL ?? 'a text that was sent';
    session.printer.note(`The content is the same, so the source stays ${from}.`);
  }
}

function sentenceOf(result: SpecResult): string {
  const { id, status, version, previousVersion } = result;
  if (status === 'unchanged') return `${id} is unchanged${asVersion(result)}. Nothing was sent.`;
  const verb = status === 'created' ? 'Created' : 'Updated';
  if (previousVersion === undefined) return `${verb} ${id}${asVersion(result)}.`;
  if (previousVersion === version) return `${verb} ${id}: still version ${version}.`;
  return `${verb} ${id}${asVersion(result)}, before ${previousVersion}.`;
}

/** The session without what a change prints: here the result comes after it was processed. */
function unprinted(session: Session): Session {
  const { printer } = session;
  const silent: Printer = {
    check: (view) => printer.check(view),
    list: (pages, view, options) => printer.list(pages, view, options),
    one: async () => {},
    done: async () => {},
    text: (text) => printer.text(text),
    value: (value) => printer.value(value),
    whole: () => printer.whole(),
    note: (line) => printer.note(line),
    warn: (line) => printer.warn(line),
  };
  return { ...session, printer: silent };
}
