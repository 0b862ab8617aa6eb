import type { Client } from '../../api/client.js';
import type { Transport } from '../../api/transport.js';
import { isCi } from '../../base/callers.js';
import { DocsError, usageError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { defined } from '../../base/values.js';
import { version } from '../../base/version.js';
import type { Printer } from '../../output/printer.js';
import { writeStandardError } from '../../output/terminal.js';
import { safeText } from '../../output/text.js';
import type { RunningSandbox } from '../../sandbox/start.js';
import { findCredential } from '../../settings/credentials.js';
import { type Settings, signedOut } from '../../settings/settings.js';
import type { ClientUse, Globals, Session } from '../declare/session.js';
import { numberValue, wholeNumber } from '../parse/values.js';
import { other } from './in-rehearsal.js';

/** The client of a session: where its requests go, by which limits, through which gate. */

/** One deadline for a whole command that is neither list nor job. (RELIABILITY, "Time, memory, signals") */
export const commandTimeoutMs = 60_000;

/** Where requests go. The token keeps the origin it belongs to, which the transport checks. */
export interface Place {
  baseUrl: string;
  credential: { token: string; origin: string };
}

export async function whereTo(
  io: Io,
  settings: Settings,
  sandbox: RunningSandbox | undefined,
): Promise<Place> {
  const credential = await findCredential(io, settings);
  if (sandbox !== undefined) {
    // A token of another sandbox, such as one started before, is none of this one's.
    const known = sandbox.tokens.some(({ token }) => token === credential?.token);
    const admin = { token: sandbox.token, origin: new URL(sandbox.url).origin };
    return { baseUrl: sandbox.url, credential: known && credential !== undefined ? credential : admin };
  }
  if (settings.baseUrl === undefined || credential === undefined) throw signedOut(settings);
  return { baseUrl: settings.baseUrl.value, credential };
}

export async function createSessionClient(
  session: Pick<Session, 'io' | 'globals' | 'settings' | 'printer' | 'gate' | 'watch'> & { onToken(): void },
  place: Place,
  { connections, timeoutPerRequest = false, readOnly, pace }: ClientUse & { pace?: number },
): Promise<Client> {
  const { io, globals, settings, printer, gate, watch } = session;
  const [{ createTransport }, { createClient }] = await Promise.all([
    import('../../api/transport.js'),
    import('../../api/client.js'),
  ]);
  const timeout = settings.timeoutMs?.value ?? (timeoutPerRequest ? undefined : commandTimeoutMs);
  const timeoutMs = typeof timeout === 'number' ? timeout : undefined;
  const debug = globals.debug || (io.env.DOCS_DEBUG ?? '') !== '';
  const { rehearsal } = settings;
  if (rehearsal !== undefined && new URL(place.baseUrl).origin !== rehearsal.url) throw other(place.baseUrl);
  const direct = createTransport({
    ...place,
    io,
    userAgent: `docs/${version}`,
    maxAttempts: attemptsOf(globals),
    onWait: (wait) =>
      (watch?.waits ?? ((ms, reason) => tellWait(io, globals, ms, reason)))(wait.ms, wait.reason),
    onSecret: tellOnce(printer, session.onToken),
    ...defined({ connections, readOnly, pace, caFile: globals.caFile }),
    ...(gate !== undefined && { admit: (request) => gate.request(request) }),
    ...(timeoutMs !== undefined && !timeoutPerRequest && { timeoutMs }),
    ...(debug && {
      debug: {
        body: io.env.DOCS_DEBUG === 'body',
        write: (line) => writeStandardError(io, `${safeText(line)}\n`),
      },
    }),
  });
  const transport =
    rehearsal === undefined ? direct : (await import('./to-copy.js')).toCopy(direct, rehearsal);
  const perRequest = timeoutMs !== undefined && timeoutPerRequest ? each(transport, timeoutMs) : transport;
  return createClient(perRequest, settings.pageSize && { pageSize: settings.pageSize.value });
}

/** Tries in all: `--no-retry` is one. */
function attemptsOf({ retry, maxAttempts }: Globals): number {
  if (retry === false) return 1;
  return maxAttempts === undefined ? 4 : wholeNumber('--max-attempts', maxAttempts);
}

/** Requests per second, as `--pace` says. @throws DocsError usage `invalid_pace` */
export function paceOf(typed: unknown): number | undefined {
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
function tellOnce(printer: Printer, onToken: () => void): (isToken: boolean) => void {
  let told = false;
  return (isToken) => {
    if (isToken) onToken();
    if (!told) printer.warn('The platform repeated the token in its answer; docs removed it.');
    told = true;
  };
}

/** A command whose answers contain the token is done, but fails: someone has published the token. */
export function repeatedToken(): DocsError {
  const message =
    'An answer of the platform contains the token in use; docs removed it from its output and files. The command is done. Replace the token: whoever reads that answer has it.';
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
