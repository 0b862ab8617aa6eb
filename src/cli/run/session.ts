import type { Client } from '../../api/client.js';
import type { Transport } from '../../api/transport.js';
import { isCi } from '../../base/ci.js';
import { isEncoding } from '../../base/encodings.js';
import { DocsError, usageError } from '../../base/errors.js';
import { derivedIo, type Io, withSignal } from '../../base/io.js';
import { version } from '../../base/version.js';
import type { Titles } from '../../output/columns.js';
import { ConsolePrinter } from '../../output/console-printer.js';
import type { PagingSink } from '../../output/pager.js';
import type { Printer, PrinterOptions } from '../../output/printer.js';
import {
  canRedraw,
  colorLevel,
  isAttended,
  isInteractive,
  writeStandardError,
} from '../../output/terminal.js';
import { safeText } from '../../output/text.js';
import type { Gate, Send } from '../../policy/policy.js';
import { ownPlaces } from '../../settings/own-files.js';
import {
  type PolicyFile,
  policyFiles,
  type Settings,
  type SettingsOverrides,
  signedOut,
} from '../../settings/settings.js';
import type { Command, ManualInput } from '../declare/command.js';
import type { ClientUse, Globals, RunOptions, Session, Watching } from '../declare/session.js';
import { numberValue, wholeNumber } from '../parse/plain-values.js';
import type { Known, TitleSource } from './find-titles.js';
import { asksForRecord, isForPerson } from './output.js';
import { formatOf, openPlace, type PlatformAccess, whereTo } from './place.js';

/**
 * Reads the settings; with `--sandbox` starts the embedded platform. Sends nothing, loads nothing heavy.
 * @param openGate makes the gate of the policies that were found; it sends its own requests by `send`
 */
export async function openSession(
  { io: outer, globals, argv, options: asked = {} }: Opening,
  input: ManualInput,
  command: OpenedFor,
  openGate: (settings: Settings, files: readonly PolicyFile[], send: Send) => Promise<Gate>,
): Promise<Session> {
  // What else a command has is made on its first use, so nothing is copied.
  const { local = false, tolerant = local, formats: further = [], effect, alone = false } = command;
  const closers: (() => Promise<void>)[] = [];
  const pace = paceOf(input.options.pace);
  const given = { ...overrides(globals, input), formats: further };
  const { settings, sandbox } = await openPlace(outer, globals, given, { local, tolerant, further, alone });
  const { rehearsal } = settings;
  const paging = input.options.watch !== undefined ? {} : command;
  const mayRun = async () => (await io.guard?.whyNoProgram()) === undefined;
  const paged = await openPaging(outer, globals, settings, paging, mayRun);
  const { sink } = paged;
  if (sandbox !== undefined) closers.push(() => sandbox.close());
  const policies = policyFiles(outer, settings);
  const own = () =>
    ownPlaces(
      outer,
      [...policies, ...(settings.profilePolicies ?? []).map((path) => ({ path }))],
      guardPlaces(),
    );
  const guardPlaces = () => (gate ?? localOnly)?.places ?? [];
  const underPolicy = () => gate !== undefined;
  const withOwn = derivedIo(paged.io, { own, guardPlaces, underPolicy });
  let opened: Promise<Gate> | undefined;
  // With --sandbox, for files and programs alone.
  let localOnly: Gate | undefined;
  const localGate = async () => {
    opened ??= gate === undefined ? openGate(settings, policies, send) : Promise.resolve(gate);
    localOnly = await opened;
    return localOnly;
  };
  const guard =
    policies.length > 0 && asked.trial !== true
      ? (await import('./local-guard.js')).localGuard(withOwn, localGate)
      : undefined;
  const io = derivedIo(withOwn, { guard });
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
  const mayAsk = gate === undefined && !local;
  const titles = isForPerson({ io, globals, settings })
    ? titlesFrom({ io, globals, settings, mayAsk, client })
    : undefined;
  const { onCut } = asked;
  const printing = printerOptions({ io, globals, settings, input, further, nowMs, titles, onCut });
  // A read of one resource prints nothing before its answer.
  let printer: Printer | undefined;
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
  let hasToken: Transport['hasToken'];
  const onTransport = (made: Transport) => {
    hasToken = (text) => made.hasToken?.(text) === true;
  };
  const connect = async (place: PlatformAccess, use: ClientUse = {}): Promise<Client> => {
    const governing = sandbox === undefined ? gate : undefined;
    const { onChange } = asked;
    const events = { onToken, onTransport, onChange };
    const warn = (text: string) => session.printer.warn(text);
    const around = { io, globals, settings, warn, ...events, gate: governing, watch };
    const client = await createSessionClient(around, place, { ...use, pace });
    closers.push(() => client.close());
    return client;
  };
  const session: Session = {
    io,
    globals,
    settings,
    get printer() {
      printer ??= new ConsolePrinter(printing, sink);
      return printer;
    },
    gate,
    line: argv,
    drafts: [],
    previewed: [],
    agentClient: asked.client,
    watch,
    savePlan: typeof savePlan === 'string' ? savePlan : undefined,
    sorts: input.options.sortBy === undefined ? undefined : true,
    encoding: isEncoding(input.options.encoding) ? input.options.encoding : undefined,
    interactive: isInteractive(io, globals),
    attended: isAttended(io, globals),
    signedOut: settings.baseUrl === undefined ? signedOut(settings) : undefined,
    async client(use) {
      const readOnly = savePlan !== undefined || asked.readOnly === true || use?.readOnly === true;
      const known = readOnly ? reading : connected;
      const own = { ...use, ...(readOnly && { readOnly }), ...(watch && watchUse) };
      const client = known ?? (await connect(await whereTo(io, settings, sandbox), own));
      if (readOnly) reading = client;
      else connected = client;
      return client;
    },
    clientFor: (baseUrl, token) =>
      connect({ baseUrl, credential: { token, origin: new URL(baseUrl).origin } }),
    sawToken: () => sawToken,
    hasToken: (text) => hasToken?.(text) === true,
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
  for (const warning of settings.warnings) session.printer.warn(warning);
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
  /** Whether nothing of this run asks for the address of the platform: an embedded sandbox need not listen. */
  alone?: boolean;
}

/** What flags say in place of settings. A repeatable flag is a filter, not part of the context. */
function overrides(globals: Globals, { options }: ManualInput): SettingsOverrides {
  const { profile, baseUrl, policy, output, json, fields, timeout } = globals;
  const [org, space, site] = [options.org, options.space, options.site].map((typed) =>
    typeof typed === 'string' && typed !== '' ? typed : undefined,
  );
  const context = { org, space, site, profile, baseUrl, policy };
  return { ...context, output: json ? 'json' : output, fields, timeout };
}

/** Titles beside ids, for a person who reads a table on a terminal. Everything is loaded at the first id. */

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

/** Prepares a pager for a command that only reads, where somebody is at a terminal. Starts nothing yet. */
async function openPaging(
  io: Io,
  globals: Globals,
  settings: Settings,
  command: PagedBy,
  mayRun: () => Promise<boolean>,
): Promise<{ io: Io; sink?: PagingSink }> {
  if (!isPaged(io, globals, command) || !canRedraw(io, 'stdout')) return { io };
  const { PagingSink } = await import('../../output/pager.js');
  const sink = new PagingSink(io, {
    setting: settings.pager?.value,
    quiet: globals.quiet ?? false,
    mayRun,
  });
  return { io: withSignal(derivedIo(io, { paging: sink }), sink.signal), sink };
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

/** What is printed. */
interface Printing extends Pick<PrinterOptions, 'nowMs' | 'titles' | 'onCut'> {
  io: Io;
  globals: Globals;
  settings: Settings;
  input: ManualInput;
  /** Values of `-o` that the command prints itself. */
  further: readonly string[];
}

/** @throws DocsError usage `unknown_format`, or for a `--limit` that is not a number */
function printerOptions({ io, globals, settings, input, further, ...more }: Printing): PrinterOptions {
  const { header, csvRaw, jq, dryRun } = globals;
  return {
    io,
    format: formatOf(settings, further),
    color: colorLevel(io, globals, 'stdout'),
    quiet: globals.quiet ?? false,
    record: asksForRecord(globals, input),
    ...more,
    jqLimitMs: jqLimitOf(settings),
    ...{ sort: sortOf(input), header, csvRaw, jq, dryRun, fields: settings.fields?.value },
    asked: { format: settings.output?.source === 'flag', fields: settings.fields?.source === 'flag' },
  };
}

/** `--timeout` holds for each run of a filter, beside the requests. */
function jqLimitOf({ timeoutMs }: Settings): number {
  const { value = commandTimeoutMs } = timeoutMs ?? {};
  return value === 'none' ? Number.POSITIVE_INFINITY : value;
}

/** `--sort-by`, and the limit of what is printed then. @throws DocsError usage */
function sortOf({ options: { sortBy, limit } }: ManualInput): PrinterOptions['sort'] {
  if (typeof sortBy !== 'string') return undefined;
  return { by: sortBy, limit: limit === undefined ? undefined : wholeNumber('--limit', limit) };
}

/** Events of a client. */
interface ClientEvents {
  warn(text: string): void;
  /** An answer had the token in it. */
  onToken(): void;
  onTransport(made: Transport): void;
  /** Of `RunOptions`. */
  onChange?: (() => void) | undefined;
}

/** One deadline for a whole command that is neither list nor job. (RELIABILITY, "Time, memory, signals") */
const commandTimeoutMs = 60_000;

async function createSessionClient(
  session: Pick<Session, 'io' | 'globals' | 'settings' | 'gate' | 'watch'> & ClientEvents,
  place: PlatformAccess,
  { connections, timeoutPerRequest = false, single, series, readOnly, pace }: ClientUse & { pace?: number },
): Promise<Client> {
  const { io, globals, settings, gate, watch } = session;
  const [{ createTransport }, { createClient }] = await Promise.all([
    import('../../api/transport.js'),
    import('../../api/client.js'),
  ]);
  const timeout = settings.timeoutMs?.value ?? (timeoutPerRequest ? undefined : commandTimeoutMs);
  const timeoutMs = typeof timeout === 'number' ? timeout : undefined;
  const debug = globals.debug || (io.env.DOCS_DEBUG ?? '') !== '';
  const { rehearsal } = settings;
  if (rehearsal !== undefined && new URL(place.baseUrl).origin !== rehearsal.url)
    throw (await import('./rehearsal.js')).other(place.baseUrl);
  const direct = createTransport({
    ...place,
    io,
    userAgent: `docs/${version}`,
    maxAttempts: attemptsOf(globals),
    onWait: (wait) =>
      (watch?.waits ?? ((ms, reason) => tellWait(io, globals, ms, reason)))(wait.ms, wait.reason),
    onSecret: tellOnce(session),
    connections,
    single,
    series,
    readOnly,
    pace,
    caFile: globals.caFile,
    async admit(request) {
      await gate?.request(request);
      if (request.method !== 'GET') session.onChange?.();
    },
    timeoutMs: timeoutPerRequest ? undefined : timeoutMs,
    debug: debug
      ? {
          body: io.env.DOCS_DEBUG === 'body',
          write: (line) => writeStandardError(io, `${safeText(line)}\n`),
        }
      : undefined,
  });
  session.onTransport(direct);
  const transport =
    rehearsal === undefined ? direct : (await import('./rehearsal.js')).toCopy(direct, rehearsal);
  const perRequest = timeoutMs !== undefined && timeoutPerRequest ? each(transport, timeoutMs) : transport;
  return createClient(perRequest, settings.pageSize && { pageSize: settings.pageSize.value });
}

/** Tries in all: `--no-retry` is one. */
function attemptsOf({ retry, maxAttempts }: Globals): number {
  if (retry === false) return 1;
  return maxAttempts === undefined ? 4 : wholeNumber('--max-attempts', maxAttempts);
}

/** Requests per second, as `--pace` says. @throws DocsError usage `invalid_pace` */
function paceOf(typed: unknown): number | undefined {
  if (typed === undefined) return undefined;
  const pace = numberValue('--pace', typed);
  if (pace > 0 && Number.isFinite(pace)) return pace;
  throw usageError('invalid_pace', `--pace must be more than 0 requests per second, not "${typed}"`);
}

/** A wait of over a second is one line on a terminal, and silent elsewhere. (RELIABILITY, "Retries") */
function tellWait(io: Io, globals: Globals, ms: number, reason: string): void {
  if (ms <= 1000 || globals.quiet || io.stderr.isTTY !== true || isCi(io)) return;
  writeStandardError(io, `waiting ${Math.round(ms / 1000)} s: ${reason}\n`);
}

/** Content that differs from the platform's is never passed on in silence. */
function tellOnce({ warn, onToken }: ClientEvents): (isToken: boolean) => void {
  let told = false;
  return (isToken) => {
    if (isToken) onToken();
    if (!told) warn('The platform repeated the token in its answer; docs removed it.');
    told = true;
  };
}

/** A command whose answers contain the token is done, but fails: someone has published the token. */
export function repeatedToken(): DocsError {
  const message =
    'an answer of the platform contains the token in use; docs removed it from its output and files. The command is done. Replace the token: whoever reads that answer has it.';
  return new DocsError('bad-response', 'repeats_token', message, { hint: 'docs auth login' });
}

/** The same transport, with a time limit for each request. */
function each(transport: Transport, timeoutMs: number): Transport {
  return {
    send: (request) => transport.send({ timeoutMs, ...request }),
    download: (url, options) => transport.download(url, options),
    get platformNowMs() {
      return transport.platformNowMs;
    },
    get rateLimit() {
      return transport.rateLimit;
    },
    close: () => transport.close(),
  };
}
