import { isLoopback } from '../../api/transport/address.js';
import { agentOf } from '../../base/callers.js';
import { startChild } from '../../base/child-process.js';
import { isCi } from '../../base/ci.js';
import { DocsError, usageError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { asText, isObject } from '../../base/values.js';
import type { Session } from '../declare/session.js';
import { isOwnHost } from '../resolve/find-by-title.js';

/**
 * The address, where it is safe to open: https (http for loopback), and the platform's own domain or a
 * published address. (RELIABILITY, "What the platform sends")
 */
export function checkAddress(address: string, session: Session, published: boolean): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const local = url !== undefined && isLoopback(url.hostname);
  const secure = url !== undefined && (url.protocol === 'https:' || (url.protocol === 'http:' && local));
  const base = session.settings.baseUrl?.value;
  const own = url !== undefined && (published || (base !== undefined && isOwnHost(url.hostname, base)));
  if (url === undefined || !secure || !own || url.username !== '' || url.password !== '') {
    const message = 'the platform sent an address that is not safe to open: not https, or on another domain';
    throw new DocsError('bad-response', 'unsafe_address', message, {
      details: { address },
      hint: 'docs open … --print',
    });
  }
  if (session.settings.sandbox) {
    throw usageError('sandbox_address', `the sandbox has no app to open; its address would be ${url.href}`);
  }
  return url.href;
}

/** Why no browser can be seen here, as the rest of `No browser: …`; undefined where one may start. */
export function whyNoBrowser(io: Io): string | undefined {
  const { env, platform } = io;
  if (agentOf(io) !== undefined) return 'an agent runs this command';
  if (isCi(io)) return 'this is CI';
  if (platform === 'win32' || platform === 'darwin')
    return env.SSH_CONNECTION === undefined ? undefined : 'this is an SSH session';
  const shows = ['DISPLAY', 'WAYLAND_DISPLAY', 'BROWSER', 'WSL_DISTRO_NAME'];
  if (shows.some((name) => (env[name] ?? '') !== '')) return undefined;
  return env.SSH_CONNECTION === undefined ? 'there is no display' : 'this is an SSH session';
}

/** For how long an opener may fail. One that runs longer is taken for the browser itself. */
const patienceMs = 2000;

/**
 * Starts the system's opener without a shell; it outlives docs.
 * @returns why it did not start, as the rest of a sentence; undefined where it did
 */
async function startBrowser(io: Io, url: string): Promise<string | undefined> {
  const [command = '', ...args] =
    io.platform === 'darwin'
      ? ['open', url]
      : io.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url]
        : ['xdg-open', url];
  const child = startChild(io, command, args, { detached: true, stdio: 'ignore' });
  const over = new AbortController();
  try {
    return await Promise.race([
      new Promise<string | undefined>((done) => {
        child.once('error', ({ message }) => done(`${command} cannot be started (${message})`));
        child.once('exit', (code) => done(code === 0 ? undefined : `${command} failed (code ${code})`));
      }),
      io.sleep(patienceMs, over.signal).then(
        () => undefined,
        () => undefined,
      ),
    ]);
  } finally {
    over.abort();
    child.unref();
  }
}

/** What is opened. */
export interface Opened {
  id: string;
  address: string;
  /** Whether readers see it there, so that it may be on any domain. */
  isPublished: boolean;
}

/**
 * Opens an address in the browser; where none starts, prints it.
 * @throws DocsError as `checkAddress`
 */
export async function showInBrowser(session: Session, { id, address, isPublished }: Opened): Promise<void> {
  await showUrl(session, id, checkAddress(address, session, isPublished));
}

/** As `showInBrowser`, for an address that was made here. */
export async function showUrl(session: Session, id: string, url: string): Promise<void> {
  const { io, printer, globals, settings } = session;
  if (globals.dryRun)
    return printer.done({ id, status: 'not-opened', url }, `Dry run: ${url} was not opened.`);
  const why = whyNoBrowser(io) ?? (await io.guard?.whyNoProgram()) ?? (await startBrowser(io, url));
  if (why === undefined) return printer.done({ id, status: 'opened', url }, `Opened ${url}.`);
  printer.note(`No browser was opened: ${why}.`);
  if (settings.output !== undefined || settings.fields !== undefined || globals.jq !== undefined)
    return printer.done({ id, status: 'not-opened', url }, `${url}`);
  await printer.text(`${url}\n`);
}

/** The address of a resource, the app's unless another is asked for. @throws DocsError not-found `no_address` */
export function addressOf(what: string, urls: Urls | undefined, published = false): Omit<Opened, 'id'> {
  const address = published ? urls?.published : (urls?.app ?? urls?.published);
  if (address !== undefined) return { address, isPublished: address === urls?.published };
  const message = `${what} has no ${published ? 'published ' : ''}address`;
  throw new DocsError('not-found', 'no_address', message);
}

export interface Urls {
  app?: string;
  published?: string;
}

/** The addresses in an answer that nobody has checked. */
export function urlsOf(answer: unknown): Urls | undefined {
  const { urls } = (isObject(answer) ? answer : {}) as { urls?: unknown };
  if (!isObject(urls)) return undefined;
  const { app, published } = urls;
  return {
    app: asText(app),
    published: asText(published),
  };
}
