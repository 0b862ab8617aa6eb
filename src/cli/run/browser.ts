import { isLoopback } from '../../api/transport/base-url.js';
import { startChild } from '../../child-process.js';
import { DocsError, usageError } from '../../errors.js';
import type { Io } from '../../io.js';
import type { Session } from '../declare/session.js';
import { isOwnHost } from '../resolve/address.js';

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
    const message = 'The platform sent an address that is not safe to open: not https, or on another domain.';
    throw new DocsError('bad-response', 'unsafe_address', message, {
      details: { address },
      hint: 'docs open … --print',
    });
  }
  if (session.settings.sandbox) {
    throw usageError('sandbox_address', `The sandbox has no app to open; its address would be ${url.href}.`);
  }
  return url.href;
}

/** Starts the system's opener without a shell; it outlives docs. */
export async function startBrowser(io: Io, url: string): Promise<void> {
  const [command, ...args] =
    io.platform === 'darwin'
      ? ['open', url]
      : io.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url]
        : ['xdg-open', url];
  const child = startChild(io, command as string, args, { detached: true, stdio: 'ignore' });
  await new Promise<void>((done, fail) => {
    child.once('spawn', done);
    child.once('error', (cause) =>
      fail(
        new DocsError('local-io', 'no_browser', `Cannot start ${command} to open a browser.`, {
          cause,
          hint: 'docs open … --print',
        }),
      ),
    );
  });
  child.unref();
}
