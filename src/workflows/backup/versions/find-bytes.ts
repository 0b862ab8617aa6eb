import { createHash } from 'node:crypto';
import { DocsError } from '../../../base/errors.js';
import type { Folder } from '../folder/folder.js';
import type { Hashed } from './entries.js';
import { objectPath } from './objects.js';

/** Files up to this size are checked in memory; larger ones are read twice. In bytes. */
const mostHeld = 1 << 20;

/**
 * The bytes that have a hash: of the object, or of a file of the present backup that is still the same.
 * @param places where else to look, in this order
 * @returns undefined if they are nowhere
 * @throws DocsError (exit 13)
 */
export async function findBytes(
  folder: Folder,
  file: Pick<Hashed, 'sha256' | 'bytes'>,
  places: AsyncIterable<string> | Iterable<string>,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const object = objectPath(file.sha256);
  const first = await checked(folder, object, file);
  if (first !== undefined) return first;
  for await (const place of places) {
    const found = await checked(folder, place, file);
    if (found !== undefined) return found;
  }
  // A run may have replaced the file since, and made the object.
  return checked(folder, object, file);
}

async function checked(
  folder: Folder,
  path: string,
  { sha256, bytes }: Pick<Hashed, 'sha256' | 'bytes'>,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const stats = await folder.stat(path);
  if (stats?.isFile() !== true || (bytes !== undefined && stats.size !== bytes)) return undefined;
  if (stats.size > mostHeld) {
    const same = (await folder.digest(path))?.sha256 === sha256;
    const stream = same ? await folder.read(path) : undefined;
    return stream && checkedAlong(stream, sha256, path);
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await folder.read(path)) ?? []) chunks.push(chunk);
  const whole = Buffer.concat(chunks);
  return createHash('sha256').update(whole).digest('hex') === sha256 ? only(whole) : undefined;
}

/** A run may replace the file between the check and the reading. */
async function* checkedAlong(
  stream: AsyncIterable<Uint8Array>,
  sha256: string,
  path: string,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const chunk of stream) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest('hex') === sha256) return;
  throw new DocsError('local-io', 'changed_in_backup', `${path} was changed while it was read`, {
    outcome: 'not-sent',
    retryable: true,
  });
}

async function* only(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  yield chunk;
}

export async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
