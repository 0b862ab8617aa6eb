import { isIP } from 'node:net';
import type { Client } from '../../api/client.js';
import { isLoopback } from '../../api/transport/base-url.js';
import { DocsError, usageError } from '../../base/errors.js';
import type { Session } from '../../cli/declare/session.js';
import { isPublicAddress } from '../../sandbox/fetch-public.js';
import { platformOf } from './platform.js';

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

/**
 * Looks whether the archives are there, so that no change request is made for one that is not. From here: what the
 * platform can reach only its import tells. A sandbox has them in its folder, where nothing can be looked up.
 * @throws DocsError not-found `pack_missing`, with all of them
 */
export async function checkPacks(session: Session, client: Client, urls: readonly string[]): Promise<void> {
  if (platformOf(session) === 'sandbox') return;
  const missing: string[] = [];
  for (const url of urls) if (!(await isArchive(session, client, url))) missing.push(url);
  const [first] = missing;
  if (first === undefined) return;
  const more = missing.length === 1 ? '' : ` and ${missing.length - 1} more`;
  throw new DocsError('not-found', 'pack_missing', `no archive at ${first}${more}; nothing was changed`, {
    outcome: 'not-sent',
    hint: 'docs backup pack --help',
    details: { missing },
  });
}

/** A ZIP archive begins with these bytes. */
const zipHead = Buffer.from('PK');

async function isArchive({ io }: Session, client: Client, url: string): Promise<boolean> {
  const end = new AbortController();
  try {
    const bytes = await client.download(url, { signal: AbortSignal.any([io.signal, end.signal]) });
    for await (const piece of bytes) return Buffer.from(piece.subarray(0, zipHead.length)).equals(zipHead);
    return false;
  } catch (cause) {
    if (io.signal.aborted || !(cause instanceof DocsError)) throw cause;
    return false;
  } finally {
    end.abort();
  }
}
