import { isIP } from 'node:net';
import { isLoopback } from '../../api/transport/address.js';
import { usageError } from '../../base/errors.js';
import type { Session } from '../../cli/declare/session.js';
import { platformOf } from '../../cli/run/session-job.js';
import { isPublicAddress } from '../../sandbox/fetch-public.js';

/**
 * Checks the address of `--import-base`: the platform fetches from it, so it must be one that the platform can reach.
 * The address of a sandbox stands for its folder of content, whatever it is.
 * @throws DocsError usage `bad_url`
 */
export function checkImportBase(session: Session, typed: string, hint = 'docs backup pack --help'): void {
  const url = URL.canParse(typed) ? new URL(typed) : undefined;
  const bad = (why: string) => usageError('bad_url', `--import-base ${why}; nothing was changed.`, { hint });
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw bad('must be an http or https URL');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw bad('must not have credentials, a query or a fragment');
  if (platformOf(session) === 'sandbox') return;
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isPrivate = isLoopback(url.hostname) || (isIP(host) !== 0 && !isPublicAddress(host));
  const isLocal = /(?:^|\.)(?:local|localhost|internal|lan|home\.arpa)$/i.test(host) || !/[.:]/.test(host);
  if (isPrivate || isLocal) throw bad(`${host} is not an address that the platform can reach`);
}
