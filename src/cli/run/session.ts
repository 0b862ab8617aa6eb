import { join } from 'node:path';
import type { Checker } from '../../api/check.js';
import type { Client } from '../../api/client.js';
import type { Transport, Wait } from '../../api/transport.js';
import { defined } from '../../defined.js';
import { DocsError, usageError } from '../../errors.js';
import type { Io } from '../../io.js';
import { ConsolePrinter } from '../../output/console-printer.js';
import { type Format, formats, type Printer } from '../../output/printer.js';
import { safeText } from '../../output/safe-text.js';
import { colorLevel, isAttended, isCi, isInteractive } from '../../output/terminal.js';
import type { RunningSandbox } from '../../sandbox/start.js';
import { findCredential } from '../../settings/credentials.js';
import { settingsPaths } from '../../settings/paths.js';
import {
  readSettings,
  type Settings,
  type SettingsOverrides,
  unknownProfile,
} from '../../settings/settings.js';
import { version } from '../../version.js';
import type { ManualInput } from '../declare/command.js';
import type { ClientUse, Globals, Session } from '../declare/session.js';
import { wholeNumber } from '../parse/values.js';

/** One deadline for a whole command that is neither list nor job. (RELIABILITY, "Time, memory, signals") */
const commandTimeoutMs = 60_000;

/** Reads the settings; with `--sandbox` starts the embedded platform. Sends nothing, loads nothing heavy. */
export async function openSession(
  io: Io,
  globals: Globals,
  input: ManualInput,
  { local = false, tolerant = local }: { local?: boolean; tolerant?: boolean },
): Promise<Session> {
  const closers: (() => Promise<void>)[] = [];
  const sandbox = globals.sandbox && !local ? await embedSandbox(io) : undefined;
  if (sandbox !== undefined) closers.push(() => sandbox.close());
  const [settings, printer] = await orClosed(sandbox, () => {
    const read = openSettings(io, overrides(globals, input), tolerant, sandbox);
    return [read, openPrinter(io, globals, read, () => connected?.platformNowMs ?? io.now())] as const;
  });
  for (const warning of settings.warnings) printer.warn(warning);
  let connected: Client | undefined;
  const connect = async (place: Place, use: ClientUse = {}): Promise<Client> => {
    const client = await createSessionClient(io, globals, settings, place, use);
    closers.push(() => client.close());
    return client;
  };
  return {
    io,
    globals,
    settings,
    printer,
    interactive: isInteractive(io, globals),
    attended: isAttended(io, globals),
    async client(use) {
      connected ??= await connect(await whereTo(io, settings, sandbox), use);
      return connected;
    },
    clientFor: (baseUrl, token) =>
      connect({ baseUrl, credential: { token, origin: new URL(baseUrl).origin } }),
    checker: checkerOnce(),
    async close() {
      for (const close of closers.reverse()) await close();
    },
  };
}

/** A server that is left open keeps the process alive, so a failure closes it. */
async function orClosed<T>(sandbox: RunningSandbox | undefined, open: () => T): Promise<T> {
  try {
    return open();
  } catch (cause) {
    await sandbox?.close();
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
  sandbox: RunningSandbox | undefined,
): Settings {
  try {
    return readSettings(io, given, sandbox && { ...sandbox.defaults, baseUrl: sandbox.url });
  } catch (cause) {
    if (!tolerant) throw cause;
    const { output, fields } = given;
    return {
      paths: settingsPaths(io),
      profile: { value: 'default', source: 'default', where: 'built in' },
      profiles: [],
      sandbox: false,
      warnings: [],
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
  const { profile, baseUrl, output, json, fields, timeout } = globals;
  const [org, space, site] = [options.org, options.space, options.site].map((typed) =>
    typeof typed === 'string' && typed !== '' ? typed : undefined,
  );
  return defined({ org, space, site, profile, baseUrl, output: json ? 'json' : output, fields, timeout });
}

function openPrinter(io: Io, globals: Globals, settings: Settings, nowMs: () => number): Printer {
  const { header, csvRaw, jq } = globals;
  const output = settings.output?.value;
  if (output !== undefined && !(formats as readonly string[]).includes(output)) {
    const where = settings.output?.where ?? '--output';
    const message = `${where}: ${output} is not an output format; known: ${formats.join(', ')}.`;
    throw usageError('unknown_format', message);
  }
  return new ConsolePrinter({
    io,
    format: output as Format | undefined,
    color: colorLevel(io, globals, 'stdout'),
    quiet: globals.quiet ?? false,
    nowMs,
    ...defined({ header, csvRaw, jq, fields: settings.fields?.value }),
    asked: { format: settings.output?.source === 'flag', fields: settings.fields?.source === 'flag' },
  });
}

/** Where requests go. The token keeps the origin it belongs to, which the transport checks. */
interface Place {
  baseUrl: string;
  credential: { token: string; origin: string };
}

async function whereTo(io: Io, settings: Settings, sandbox: RunningSandbox | undefined): Promise<Place> {
  const credential = await findCredential(io, settings);
  if (sandbox !== undefined) {
    const admin = { token: sandbox.token, origin: new URL(sandbox.url).origin };
    return { baseUrl: sandbox.url, credential: credential ?? admin };
  }
  if (settings.baseUrl === undefined || credential === undefined)
    throw unknownProfile(settings) ?? signedOut();
  return { baseUrl: settings.baseUrl.value, credential };
}

function signedOut(): DocsError {
  const message = 'You are not signed in. Sign in, or add --sandbox to try it on the embedded platform.';
  return new DocsError('unauthenticated', 'signed_out', message, {
    outcome: 'not-sent',
    hint: 'docs auth login',
  });
}

async function createSessionClient(
  io: Io,
  globals: Globals,
  settings: Settings,
  place: Place,
  { connections, timeoutPerRequest = false }: ClientUse,
): Promise<Client> {
  const [{ createTransport }, { createClient }] = await Promise.all([
    import('../../api/transport.js'),
    import('../../api/client.js'),
  ]);
  const timeout = settings.timeoutMs?.value ?? (timeoutPerRequest ? undefined : commandTimeoutMs);
  const timeoutMs = typeof timeout === 'number' ? timeout : undefined;
  const debug = globals.debug || (io.env.DOCS_DEBUG ?? '') !== '';
  const transport = createTransport({
    ...place,
    io,
    userAgent: `docs/${version}`,
    maxAttempts: attemptsOf(globals),
    onWait: (wait) => tellWait(io, globals, wait),
    ...defined({ connections, caFile: globals.caFile }),
    ...(timeoutMs !== undefined && !timeoutPerRequest && { timeoutMs }),
    ...(debug && {
      debug: { body: io.env.DOCS_DEBUG === 'body', write: (line) => io.stderr.write(`${safeText(line)}\n`) },
    }),
  });
  const perRequest = timeoutMs !== undefined && timeoutPerRequest ? each(transport, timeoutMs) : transport;
  return createClient(perRequest, settings.pageSize && { pageSize: settings.pageSize.value });
}

/** Tries in all: `--no-retry` is one. */
function attemptsOf({ retry, maxAttempts }: Globals): number {
  if (retry === false) return 1;
  return maxAttempts === undefined ? 4 : wholeNumber('--max-attempts', maxAttempts);
}

/** A wait of over a second is one line on a terminal, and silent elsewhere. (RELIABILITY, "Retries") */
function tellWait(io: Io, globals: Globals, { ms, reason }: Wait): void {
  if (ms <= 1000 || globals.quiet || io.stderr.isTTY !== true || isCi(io)) return;
  io.stderr.write(`waiting ${Math.round(ms / 1000)} s: ${reason}\n`);
}

/** The same transport, with a time limit for each request. */
function each(transport: Transport, timeoutMs: number): Transport {
  return {
    send: (request) => transport.send({ timeoutMs, ...request }),
    download: (url, options) => transport.download(url, options),
    get platformNowMs() {
      return transport.platformNowMs;
    },
    close: () => transport.close(),
  };
}
