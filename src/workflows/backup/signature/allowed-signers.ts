import { readFile } from 'node:fs/promises';
import { type DocsError, usageError } from '../../../base/errors.js';
import { localIoError } from '../../../base/system-errors.js';
import { namespaces } from '../../../signing/ssh-signature.js';

/**
 * Who may sign: a file as `ssh-keygen -Y verify` and Git take it (ssh-keygen(1), "ALLOWED SIGNERS"). A line has
 * principals, options, and a key. Keys of certificate authorities allow nothing here.
 */
export interface AllowedSigner {
  principals: string;
  publicKey: Buffer;
  options: ReadonlyMap<string, string>;
}

/** @param path absolute @throws DocsError usage `bad_allowed_signers`; local-io if it cannot be read */
export async function readAllowedSigners(path: string): Promise<AllowedSigner[]> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw localIoError(cause, `Cannot read the allowed signers ${path}`);
  }
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (/^\s*(?:#|$)/.test(line)) return [];
    const signer = signerOf(line);
    if (signer === undefined) throw notOne(path, index + 1);
    return [signer];
  });
}

function notOne(path: string, line: number): DocsError {
  const message = `${path} is not a file of allowed signers: line ${line} has no principals and key`;
  return usageError('bad_allowed_signers', message);
}

/** Principals, options, kind of key, key: each without blanks outside of quotes. */
const pattern =
  /^\s*(?:"([^"]+)"|([^\s"]+))\s+(?:((?:[^\s"]|"[^"]*")+)\s+)?((?:ssh|ecdsa|sk)-[\w@.-]+)\s+([A-Za-z0-9+/]+=*)(?:\s|$)/;

function signerOf(line: string): AllowedSigner | undefined {
  const [, quoted, plain = '', options = '', type = '', base64] = pattern.exec(line) ?? [];
  if (base64 === undefined) return undefined;
  const publicKey = Buffer.from(base64, 'base64');
  // The key names its kind itself, after the length of the name.
  if (publicKey.subarray(4, 4 + type.length).toString('latin1') !== type) return undefined;
  const pairs = [...options.matchAll(/([\w-]+)(?:="([^"]*)")?(?:,|$)/g)];
  return {
    principals: quoted ?? plain,
    publicKey,
    options: new Map(pairs.map(([, name = '', value = '']) => [name.toLowerCase(), value])),
  };
}

/** The principals that a key signs backups for now; undefined if it is not allowed to. */
export function principalsOf(
  signers: readonly AllowedSigner[],
  publicKey: Buffer,
  nowMs: number,
): string | undefined {
  const allowed = signers.find(
    (signer) => signer.publicKey.equals(publicKey) && holds(signer.options, nowMs),
  );
  return allowed?.principals;
}

/** An option that is not known forbids, so that no restriction is overlooked. */
function holds(options: AllowedSigner['options'], nowMs: number): boolean {
  return [...options].every(([name, value]) => {
    if (name === 'namespaces') return matches(value, namespaces.backup);
    if (name === 'valid-after') return nowMs >= timeOf(value);
    if (name === 'valid-before') return nowMs < timeOf(value);
    return false;
  });
}

/** A list of patterns with `*` and `?`; one with `!` before it that matches forbids. */
function matches(list: string, text: string): boolean {
  const of = (glob: string) => {
    const source = glob
      .replaceAll(/[\\^$.+()[\]{}|]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.');
    return new RegExp(`^${source}$`).test(text);
  };
  const patterns = list.split(',');
  const forbidden = patterns.some((one) => one.startsWith('!') && of(one.slice(1)));
  return !forbidden && patterns.some((one) => !one.startsWith('!') && of(one));
}

/** `YYYYMMDD[HHMM[SS]]`, local time or with `Z` UTC. NaN, which no time is before or after, if it is neither. */
function timeOf(text: string): number {
  const [, year, month, day, hour = '00', minute = '00', second = '00', utc = ''] =
    /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?(Z?)$/.exec(text) ?? [];
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${utc}`);
}
