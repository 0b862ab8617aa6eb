import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { NewTarget } from '../../access/links/finding.js';
import type { Client } from '../../api/client.js';
import { isLoopback } from '../../api/transport/address.js';
import { type Static, Type } from '../../api/type.js';
import { keepFolder, pageText, placeInPack, zipOf } from '../../backup/pack.js';
import { DocsError, localIoError, systemCode, usageError } from '../../base/errors.js';
import { makeFolders } from '../../base/own-files.js';
import { groupBy } from '../../base/values.js';
import { safeFileName } from '../../base/write-file.js';
import type { Session } from '../../cli/declare/session.js';
import { platformOf } from '../../cli/run/session-job.js';
import { writeAskedFile } from '../../files/asked-file.js';
import { closed, oneOf, text } from '../../output/printed-shapes.js';
import { counted } from '../../output/text.js';
import type { CorrectedPage } from './find-links.js';

/**
 * The corrected pages of each space as an archive: made, written into a folder, and looked up where it is hosted.
 */

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

/** A space with corrected pages. */
export interface SpaceFix {
  space: { id: string; title: string };
  pages: readonly CorrectedPage[];
  /** How many links it corrects. */
  links: number;
  /** Name of the archive. */
  name: string;
  bytes: Uint8Array;
  sha256: string;
  /** Of its change request: the same for the same archive, so that a second run finds the first. */
  subject: string;
  /** Where each page stands in the archive, by id. */
  places: ReadonlyMap<string, string>;
}

/** What is in the archives, beside them: `index.json`. */
const FixIndex = closed({
  format: oneOf('docs-link-fixes/1'),
  spaces: Type.Array(
    closed({
      id: text,
      title: text,
      archive: text,
      sha256: text,
      subject: text,
      pages: Type.Array(
        closed({
          id: text,
          title: text,
          file: text,
          links: Type.Array(
            closed({ fingerprint: text, link: text, by: oneOf('id', 'title'), target: NewTarget }),
          ),
        }),
      ),
    }),
  ),
});
type FixIndex = Static<typeof FixIndex>;

/** One for each space, in the order of the pages. */
export async function spaceFixes(pages: readonly CorrectedPage[]): Promise<SpaceFix[]> {
  const spaces = groupBy(pages, ({ content }) => content.space.id);
  return Promise.all([...spaces.values()].map(fixOf));
}

async function fixOf(pages: readonly CorrectedPage[]): Promise<SpaceFix> {
  const { content } = pages[0] as CorrectedPage;
  const { space } = content;
  const corrected = new Map(pages.map((page) => [page.pageId, page.corrected]));
  const placed = placeInPack(content.pages, false).pages.filter(({ page }) => corrected.has(page.id));
  const folder = safeFileName(space.title);
  const around = keepFolder(placed, [], folder);
  const items = placed.map(({ page, file }) => ({
    path: around + file,
    bytes: async () => once(Buffer.from(pageText(page, corrected.get(page.id) ?? ''))),
  }));
  const bytes = await collected(zipOf(items.sort((a, b) => (a.path < b.path ? -1 : 1))));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const links = pages.reduce((sum, page) => sum + page.links.length, 0);
  return {
    ...{ space, pages, links, bytes, sha256, name: `${folder}-${space.id}.zip` },
    subject: `Fix ${counted(links, 'broken link')} (${sha256.slice(0, 8)})`,
    places: new Map(placed.map(({ page, file }) => [page.id, around + file])),
  };
}

/** How many links a change request of this subject corrects; undefined for the subject of any other. */
export function linksOfSubject(subject: string): number | undefined {
  const [, count] = /^Fix ([\d,]+) broken links? \([0-9a-f]{8}\)$/.exec(subject) ?? [];
  return count === undefined ? undefined : Number(count.replaceAll(',', ''));
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes;
}

async function collected(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

function indexOf(fixes: readonly SpaceFix[]): FixIndex {
  return {
    format: 'docs-link-fixes/1',
    spaces: fixes.map(({ space, name, sha256, subject, pages, places }) => ({
      ...space,
      ...{ archive: name, sha256, subject },
      pages: pages.map(({ content, pageId, links }) => ({
        id: pageId,
        title: content.byId.get(pageId)?.page.title ?? pageId,
        file: places.get(pageId) ?? '',
        links: links.map(({ finding, target, by }) => ({
          ...{ fingerprint: finding.fingerprint, link: finding.link, by, target },
        })),
      })),
    })),
  };
}
