import { join } from 'node:path';
import type { Checker } from '../../api/check.js';
import type { Client } from '../../api/client.js';
import { usageError } from '../../base/errors.js';
import { derivedIo, type Io } from '../../base/io.js';
import { isEncoding } from '../../base/text-encoding.js';
import { defined } from '../../base/values.js';
import type { Titles } from '../../output/columns.js';
import { ConsolePrinter } from '../../output/console-printer.js';
import type { PagingSink } from '../../output/pager.js';
import { type Format, formats, type Printer, type PrinterOptions } from '../../output/printer.js';
import type { OutputSink } from '../../output/sink.js';
import { colorLevel, isAttended, isInteractive } from '../../output/terminal.js';
import type { Gate, Send } from '../../policy/policy.js';
import type { RunningSandbox } from '../../sandbox/start.js';
import { ownPlaces } from '../../settings/own-places.js';
import { settingsPaths } from '../../settings/paths.js';
import { type PolicyFile, policyFiles } from '../../settings/policy-files.js';
import { readRehearsal } from '../../settings/rehearsal.js';
import {
  policiesOf,
  readSettings,
  type SandboxContext,
  type Settings,
  type SettingsOverrides,
  signedOut,
} from '../../settings/settings.js';
import type { Command, ManualInput } from '../declare/command.js';
import type { RunOptions } from '../declare/run-line.js';
import type { ClientUse, Globals, Session } from '../declare/session.js';
import type { Watching } from '../declare/watching.js';
import { wholeNumber } from '../parse/values.js';
import { refuseOutside } from './in-rehearsal.js';
import { asksForRecord, isForPerson } from './output-form.js';
import { commandTimeoutMs, createSessionClient, type Place, paceOf, whereTo } from './session-client.js';
import type { Known, TitleSource } from './title-source.js';

/**
 * Reads the settings; with `--sandbox` starts the embedded platform. Sends nothing, loads nothing heavy.
 * @param openGate makes the gate of the policies that were found; it sends its own requests by `send`
 */
export async function openSession(
  { io: outer, globals, argv, options: asked = {} }: Opening,
  input: ManualInput,
  { local = false, tolerant = local, formats: further = [], effect, ...about }: OpenedFor,
  openGate: (settings: Settings, files: readonly PolicyFile[], send: Send) => Promise<Gate>,
): Promise<Session> {
  const closers: (() => Promise<void>)[] = [];
  const pace = paceOf(input.options.pace);
  const { settings, sandbox } = await openPlace(
    outer,
    globals,
    { ...overrides(globals, input), formats: further },
    {
      local,
      tolerant,
      further,
    },
  );
  const { rehearsal } = settings;
  const paging = input.options.watch !== undefined ? {} : { ...about, ...defined({ effect }) };
  const paged = await openPaging(outer, globals, settings, paging);
  const { sink } = paged;
  if (sandbox !== undefined) closers.push(() => sandbox.close());
  const policies = policyFiles(outer, settings);
  const own = () =>
    ownPlaces(outer, [...policies, ...(settings.profilePolicies ?? []).map((path) => ({ path }))]);
  const io = derivedIo(paged.io, { own });
  // With --sandbox, and in a rehearsal, only what is written on this machine matters.
  const isApart = globals.sandbox || rehearsal !== undefined;
  const isGoverned = policies.length > 0 && (!isApart || effect === 'local');
  const send: Send = async (request) => (connected ?? reading ?? (await session.client())).send(request);
  const gate = isGoverned
    ? await openGate(settings, policies, send).catch(async (cause: unknown) => {
        await sandbox?.close();
        throw cause;
      })
    : undefined;
  if (gate !== undefined) closers.push(() => gate.close());
  const nowMs = () => (connected ?? reading)?.platformNowMs ?? io.now();
  const client = () => session.client();
  const titles = titlesFor({ io, globals, settings, mayAsk: gate === undefined && !local, client });
  const more = defined({ titles, onCut: asked.onCut, sink });
  const printer = openPrinter({ io, globals, settings, input, further, nowMs, ...more });
  for (const warning of settings.warnings) printer.warn(warning);
  const { savePlan } = input.options;
  // A watch has the deadline that was given, and no other.
  const watch: Watching | undefined = input.options.watch === undefined ? undefined : {};
  const watchUse: ClientUse = { timeoutPerRequest: settings.timeoutMs === undefined };
  let connected: Client | undefined;
  let reading: Client | undefined;
  let sawToken = false;
  const onToken = () => {
    sawToken = true;
  };
  const connect = async (place: Place, use: ClientUse = {}): Promise<Client> => {
    const governed = sandbox === undefined ? defined({ gate }) : {};
    const client = await createSessionClient(
      { io, globals, settings, printer, onToken, ...governed, ...defined({ watch }) },
      place,
      { ...use, ...defined({ pace }) },
    );
    closers.push(() => client.close());
    return client;
  };
  const session: Session = {
    io,
    globals,
    settings,
    printer,
    ...defined({ gate }),
    line: argv,
    drafts: [],
    ...defined({ agentClient: asked.client, watch }),
    ...(typeof savePlan === 'string' && { savePlan }),
    ...(input.options.sortBy !== undefined && { sorts: true }),
    ...(isEncoding(input.options.encoding) && { encoding: input.options.encoding }),
    interactive: isInteractive(io, globals),
    attended: isAttended(io, globals),
    ...(settings.baseUrl === undefined && { signedOut: signedOut(settings) }),
    async client(use) {
      const readOnly = savePlan !== undefined || asked.readOnly === true || use?.readOnly === true;
      const known = readOnly ? reading : connected;
      const client =
        known ??
        (await connect(await whereTo(io, settings, sandbox), {
          ...use,
          ...(readOnly && { readOnly }),
          ...(watch && watchUse),
        }));
      if (readOnly) reading = client;
      else connected = client;
      return client;
    },
    clientFor: (baseUrl, token) =>
      connect({ baseUrl, credential: { token, origin: new URL(baseUrl).origin } }),
    checker: checkerOnce(),
    sawToken: () => sawToken,
    nowMs,
    outcome: (cause) => sink?.outcome(cause) ?? cause,
    async close() {
      try {
        for (const close of closers.reverse()) await close();
      } finally {
        await sink?.close();
      }
    },
  };
  return session;
}

/** A command line, and who runs it. */
interface Opening {
  io: Io;
  globals: Globals;
  argv: readonly string[];
  options?: RunOptions;
}

/** What of a command matters for its session. */
interface OpenedFor extends PagedBy {
  local?: boolean;
  tolerant?: boolean;
  /** Values of `-o` that the command prints itself. */
  formats?: readonly string[];
}

interface Opened {
  settings: Settings;
  sandbox?: RunningSandbox;
}

/** A sandbox that has not started: enough to check every setting. */
const notStarted: SandboxContext = { baseUrl: 'http://127.0.0.1' };

/**
 * Reads the settings and starts the embedded sandbox. The settings are checked before it starts, since a server
 * that is left open keeps the process alive.
 */
async function openPlace(
  io: Io,
  globals: Globals,
  given: SettingsOverrides,
  { local, tolerant, further }: { local: boolean; tolerant: boolean; further: readonly string[] },
): Promise<Opened> {
  const embedded = globals.sandbox && !local;
  const checked = openSettings(io, given, tolerant, embedded ? notStarted : undefined);
  if (checked.rehearsal !== undefined) refuseOutside(checked.rehearsal, checked, globals);
  formatOf(checked, further);
  if (!embedded) return { settings: checked };
  const sandbox = await embedSandbox(io);
  try {
    const { warnings } = checked;
    const context = { ...sandbox.defaults, baseUrl: sandbox.url };
    return { settings: { ...openSettings(io, given, tolerant, context), warnings }, sandbox };
  } catch (cause) {
    await sandbox.close();
    throw cause;
  }
}

/** Makes the checker of whole inputs once; paths need none. */
function checkerOnce(): Session['checker'] {
  let checker: Promise<Checker> | undefined;
  return async (takesInput) => {
    const { checkPath, createChecker } = await import('../../api/check.js');
    if (!takesInput) return checkPath;
    checker ??= createChecker({ knownOnly: false });
    return checker;
  };
}

/** With `tolerant` a broken settings file counts as none. */
function openSettings(
  io: Io,
  given: SettingsOverrides,
  tolerant: boolean,
  sandbox: SandboxContext | undefined,
): Settings {
  // Not even a broken settings file lets anything out of a rehearsal.
  readRehearsal(io);
  try {
    return readSettings(io, given, sandbox);
  } catch (cause) {
    if (!tolerant) throw cause;
    const { output, fields } = given;
    return {
      paths: settingsPaths(io),
      profile: { value: 'default', source: 'default', where: 'built in' },
      profiles: [],
      sandbox: false,
      warnings: [],
      policies: policiesOf({ io, paths: settingsPaths(io), overrides: given, project: undefined }),
      ...(output !== undefined && { output: { value: output, source: 'flag', where: '--output' } }),
      ...(fields !== undefined && {
        fields: { value: fields.split(','), source: 'flag', where: '--fields' },
      }),
    };
  }
}

async function embedSandbox(io: Io): Promise<RunningSandbox> {
  const { startSandbox } = await import('../../sandbox/start.js');
  return startSandbox({ file: join(settingsPaths(io).dataDir, 'sandbox.db'), io });
}

/** What flags say in place of settings. A repeatable flag is a filter, not part of the context. */
function overrides(globals: Globals, { options }: ManualInput): SettingsOverrides {
  const { profile, baseUrl, policy, output, json, fields, timeout } = globals;
  const [org, space, site] = [options.org, options.space, options.site].map((typed) =>
    typeof typed === 'string' && typed !== '' ? typed : undefined,
  );
  const context = { org, space, site, profile, baseUrl, policy };
  return defined({ ...context, output: json ? 'json' : output, fields, timeout });
}

/** Titles beside ids, for a person who reads a table on a terminal. Everything is loaded at the first id. */

/** Titles where a person reads. */
function titlesFor(source: TitleSource): Titles | undefined {
  return isForPerson(source) ? titlesFrom(source) : undefined;
}

/** Finds titles in the answer itself, in recent lists, and by a few requests. */
function titlesFrom(source: TitleSource): Titles {
  let known: Known | undefined;
  return {
    async learn(items, refs, within) {
      if (Object.keys(refs).length === 0) return;
      const { findTitles, nothingKnown } = await import('./find-titles.js');
      known ??= nothingKnown();
      await findTitles(source, known, items, refs, within);
    },
    titleOf: (kind, id) => known?.titles.get(kind)?.get(id) ?? known?.own.get(id),
  };
}

/** What of a command says whether its output may go to a pager. */
type PagedBy = Partial<Pick<Command, 'danger' | 'effect' | 'asks' | 'unpaged' | 'passThrough'>>;

/** The world of a command, and what pages its output, if anything does. */
interface Paged {
  io: Io;
  sink?: PagingSink;
}

/** Prepares a pager for a command that only reads, where somebody is at a terminal. Starts nothing yet. */
async function openPaging(io: Io, globals: Globals, settings: Settings, command: PagedBy): Promise<Paged> {
  if (!isPaged(io, globals, command)) return { io };
  const { mayPage } = await import('../../output/pager.js');
  if (!mayPage(io)) return { io };
  const { PagingSink } = await import('../../output/pager.js');
  const sink = new PagingSink(io, { setting: settings.pager?.value, quiet: globals.quiet ?? false });
  return { io: derivedIo(io, { paging: sink, signal: sink.signal }), sink };
}

/** Whatever changes something, asks, or prints as it goes keeps the terminal, and so does the log of requests. */
function isPaged(io: Io, globals: Globals, { danger, effect, asks, unpaged, passThrough }: PagedBy): boolean {
  const { pager, input, debug, dryRun } = globals;
  const isOff = pager === false || input === false || debug === true || dryRun === true;
  const only = danger === 'read' && effect === undefined;
  const live = asks === true || unpaged === true || passThrough === true;
  // What runs inside of a command that is paged already writes to the same screen.
  return (
    !isOff && only && !live && io.paging === undefined && (io.stdout.rows ?? 0) > 0 && !io.env.DOCS_DEBUG
  );
}

/** From flags and settings to the printer of a run. */

/** What is printed, and where to. */
interface Printing extends Pick<PrinterOptions, 'nowMs' | 'titles' | 'onCut'> {
  io: Io;
  globals: Globals;
  settings: Settings;
  input: ManualInput;
  /** Values of `-o` that the command prints itself. */
  further: readonly string[];
  /** Where the output goes in place of the terminal: a pager. */
  sink?: OutputSink;
}

/** @throws DocsError usage `unknown_format`, or for a `--limit` that is not a number */
function openPrinter({ io, globals, settings, input, further, sink, ...more }: Printing): Printer {
  const { header, csvRaw, jq, dryRun } = globals;
  const options: PrinterOptions = {
    io,
    format: formatOf(settings, further),
    color: colorLevel(io, globals, 'stdout'),
    quiet: globals.quiet ?? false,
    record: asksForRecord(globals, input),
    ...more,
    jqLimitMs: jqLimitOf(settings),
    ...defined({ sort: sortOf(input), header, csvRaw, jq, dryRun, fields: settings.fields?.value }),
    asked: { format: settings.output?.source === 'flag', fields: settings.fields?.source === 'flag' },
  };
  return new ConsolePrinter(options, sink);
}

/** `--timeout` holds for each run of a filter, beside the requests. */
function jqLimitOf({ timeoutMs }: Settings): number {
  const { value = commandTimeoutMs } = timeoutMs ?? {};
  return value === 'none' ? Number.POSITIVE_INFINITY : value;
}

/** `--sort-by`, and the limit of what is printed then. @throws DocsError usage */
function sortOf({ options: { sortBy, limit } }: ManualInput): PrinterOptions['sort'] {
  if (typeof sortBy !== 'string') return undefined;
  return { by: sortBy, ...(limit !== undefined && { limit: wholeNumber('--limit', limit) }) };
}

/**
 * The output format; undefined for the usual one, and for one that the command prints itself.
 * @throws DocsError usage `unknown_format`
 */
function formatOf({ output }: Settings, further: readonly string[]): Format | undefined {
  if (output === undefined || further.includes(output.value)) return undefined;
  const { value, where } = output;
  if (isFormat(value)) return value;
  const message = `${where}: ${value} is not an output format; known: ${formats.join(', ')}.`;
  throw usageError('unknown_format', message);
}

const isFormat = (name: string): name is Format => (formats as readonly string[]).includes(name);
