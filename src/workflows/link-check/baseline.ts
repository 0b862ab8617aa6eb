import { readFile } from 'node:fs/promises';
import { type LinkStatus, linkStatuses } from '../../access/links/reference.js';
import { type DocsError, localIoError, systemCode, usageError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { decodeText } from '../../base/text-encoding.js';
import { defined, isObject } from '../../base/values.js';
import { writeAskedFile } from '../../files/asked-file.js';
import type { Finding } from './finding.js';

export interface KnownFinding {
  fingerprint: string;
  status: LinkStatus;
  space: string;
  page?: string;
  link: string;
}

/**
 * Findings that are known and not reported again, by fingerprint. A JSON file with a finding a line in a
 * stable order, to be kept in version control.
 */
export type Baseline = ReadonlyMap<string, KnownFinding>;

const format = 'docs-links-baseline/1';

/**
 * @param path absolute
 * @param orEmpty whether a missing file counts as an empty baseline
 * @throws DocsError usage `bad_baseline`, `bad_encoding`; local-io if it cannot be read
 */
export async function readBaseline(path: string, orEmpty: boolean): Promise<Baseline> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (cause) {
    if (orEmpty && systemCode(cause) === 'ENOENT') return new Map();
    throw localIoError(cause, `Cannot read the baseline ${path}`);
  }
  return new Map(parse(decodeText(bytes, path), path).map((known) => [known.fingerprint, known]));
}

function parse(text: string, path: string): KnownFinding[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw notOne(path, 'it is not JSON');
  }
  if (!isObject(value) || value.format !== format || !Array.isArray(value.findings))
    throw notOne(path, `it is not in the format ${format}`);
  const wrong = value.findings.findIndex((known) => !isKnown(known));
  if (wrong !== -1) throw notOne(path, `finding ${wrong + 1} is incomplete`);
  return value.findings as KnownFinding[];
}

function notOne(path: string, why: string): DocsError {
  return usageError('bad_baseline', `${path} is not a baseline of links: ${why}`);
}

function isKnown(value: unknown): value is KnownFinding {
  if (!isObject(value)) return false;
  const { fingerprint, status, space, link } = value;
  const texts = [fingerprint, space, link].every((member) => typeof member === 'string');
  return texts && (linkStatuses as readonly unknown[]).includes(status);
}

/** What a run looked at: it removes nothing else from the baseline. */
export interface Ground {
  statuses: readonly LinkStatus[];
  /** Whether a space was read to its end, or no longer exists. */
  covers(space: string): boolean;
}

/**
 * Writes the next baseline: what was found, and what is known of places that this run did not look at.
 * @returns how many findings it has
 * @throws DocsError local-io
 */
export async function writeBaseline(
  io: Pick<Io, 'own'>,
  path: string,
  old: Baseline,
  found: ReadonlyMap<string, KnownFinding>,
  { statuses, covers }: Ground,
): Promise<number> {
  const next = new Map(found);
  for (const [fingerprint, known] of old)
    if (!statuses.includes(known.status) || !covers(known.space)) next.set(fingerprint, known);
  const lines = [...next.values()].sort(byPlace).map((known) => `    ${JSON.stringify(known)}`);
  const list = lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n  ]`;
  await writeAskedFile(io, path, `{\n  "format": "${format}",\n  "findings": ${list}\n}\n`);
  return lines.length;
}

export function knownOf({ fingerprint, status, space, page, link }: Finding): KnownFinding {
  return defined({ fingerprint, status, space: space.id, page: page?.id, link });
}

function byPlace(a: KnownFinding, b: KnownFinding): number {
  const key = ({ space, page = '', link, fingerprint }: KnownFinding) =>
    [space, page, link, fingerprint].join('\n');
  return key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0;
}
