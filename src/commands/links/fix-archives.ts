import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '../../api/client.js';
import { isLoopback } from '../../api/transport/address.js';
import { DocsError, usageError } from '../../base/errors.js';
import { makeFolders } from '../../base/own-files.js';
import { localIoError, systemCode } from '../../base/system-errors.js';
import type { Session } from '../../cli/declare/session.js';
import { writeAskedFile } from '../../files/asked-file.js';
import { indexOf, type SpaceFix } from '../../workflows/link-fix/archives.js';
import { platformOf } from '../backup/run.js';

/** The archives of corrected pages: written into a folder, and looked up where they are hosted. */

/** The list of what is in the archives, beside them. */
const indexName = 'index.json';

/** @throws DocsError usage `file_exists`; local-io (exit 13) */
export async function writeArchives(
  { globals, io }: Session,
  out: string,
  fixes: readonly SpaceFix[],
): Promise<void> {
  const index = `${JSON.stringify(indexOf(fixes), undefined, 2)}\n`;
  const files = [
    ...fixes.map(({ name, bytes }) => ({ path: join(out, name), bytes })),
    { path: join(out, indexName), bytes: index },
  ];
  for (const { path } of files) {
    const found = await stat(path).catch((cause: unknown) => {
      if (systemCode(cause) === 'ENOENT') return undefined;
      throw localIoError(cause, `Cannot write ${path}`);
    });
    if (found !== undefined && !globals.yes)
      throw usageError(
        'file_exists',
        `${path} already exists; nothing was written. Add --yes to replace it.`,
      );
  }
  try {
    makeFolders(out);
  } catch (cause) {
    throw localIoError(cause, `Cannot write ${out}`);
  }
  for (const { path, bytes } of files) await writeAskedFile(io, path, bytes);
}

/**
 * Where the platform imports an archive from. The revision that it was made from goes along: hosts ignore it, and
 * applying a plan compares it.
 */
export function archiveUrl(base: string, { name, pages }: SpaceFix): string {
  const revision = encodeURIComponent(pages[0]?.content.revision ?? '');
  return `${base.replace(/\/+$/, '')}/${encodeURIComponent(name)}?revision=${revision}`;
}

/** The revision in an address of `archiveUrl`. */
export function revisionOf(url: string): string | undefined {
  return URL.canParse(url) ? (new URL(url).searchParams.get('revision') ?? undefined) : undefined;
}

/**
 * Compares what is hosted with what was made now, so that no change request is made of anything else. A sandbox has
 * archives in its folder, where nothing can be looked up, unless the address is of this machine.
 * @throws DocsError not-found `archive_missing`; conflict `archive_differs`
 */
export async function checkArchives(
  session: Session,
  client: Client,
  archives: readonly { fix: SpaceFix; url: string }[],
): Promise<void> {
  for (const { fix, url } of archives) {
    if (platformOf(session) === 'sandbox' && !isLoopback(new URL(url).hostname)) continue;
    const hosted = await hostedBytes(session, client, url, fix.bytes.length);
    const hint = 'docs links fix --out <folder>';
    if (hosted === undefined)
      throw new DocsError('not-found', 'archive_missing', `no archive at ${url}; nothing was changed`, {
        ...{ outcome: 'not-sent', hint },
      });
    if (!hosted.equals(fix.bytes)) {
      const message = `the archive at ${url} does not have the corrected pages of now; nothing was changed`;
      throw new DocsError('conflict', 'archive_differs', message, { outcome: 'not-sent', hint });
    }
  }
}

/** @returns undefined where nothing can be downloaded; one byte more than asked for at most */
async function hostedBytes(
  { io }: Session,
  client: Client,
  url: string,
  length: number,
): Promise<Buffer | undefined> {
  const end = new AbortController();
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    const bytes = await client.download(url, { signal: AbortSignal.any([io.signal, end.signal]) });
    for await (const piece of bytes) {
      pieces.push(piece);
      size += piece.length;
      if (size > length) break;
    }
    return Buffer.concat(pieces);
  } catch (cause) {
    if (io.signal.aborted || !(cause instanceof DocsError)) throw cause;
    return undefined;
  } finally {
    end.abort();
  }
}
