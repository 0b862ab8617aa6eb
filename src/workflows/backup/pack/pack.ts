import { defined } from '../../../base/values.js';
import { type SpaceEntry, spaceFolder } from '../folder/manifest.js';
import type { BackupReader } from '../reader.js';
import { absolutePath, relativePath, rewriteLinks } from './links.js';
import { pageText } from './page-text.js';
import { keepFolder, type PackedPage, type Placed, placeFiles, placeInPack } from './place.js';
import type { LeftOut } from './report.js';
import { type PackSource, packSource } from './source.js';
import { linkReader } from './targets.js';
import { type ZipItem, zipOf } from './zip.js';

/** A space of a backup as a ZIP archive that the platform can import from a URL (`source` is `zip`). */
export interface Pack {
  space: { id: string; title: string };
  changeRequest?: number;
  /** Name for the archive, from the folder of the space: `Welcome.zip`. */
  name: string;
  /** Whether the backup has all of its pages and files. */
  whole: boolean;
  pages: number;
  files: number;
  leftOut: LeftOut[];
  /** The archive, piece by piece: the same for the same backup. @throws DocsError as `BackupReader.bytes` */
  bytes(): AsyncIterable<Uint8Array>;
}

export interface PackOptions {
  /** Number of a change request whose content is packed. */
  changeRequest?: number;
  /** Whether names begin with numbers, which keep the order of pages and change their paths. */
  numbered?: boolean;
}

/**
 * Prepares the pack of a space; reads only the list of what is in it.
 * @throws DocsError as `packSource`
 */
export async function preparePack(
  reader: BackupReader,
  entry: SpaceEntry,
  { changeRequest: number, numbered = false }: PackOptions = {},
): Promise<Pack> {
  const source = await packSource(reader, entry, number);
  const placed = placeInPack(source.pages, numbered);
  const pages = placed.pages.filter(({ page }) => source.textOf(page.id) !== undefined);
  const there = source.files.filter(({ id }) => source.fileOf(id) !== undefined);
  const files = placeFiles(
    there.map(({ id, name, git }) => ({ id, path: git?.path ?? name })),
    pages,
  );
  const around = keepFolder(pages, [...files.values()], entry.folder);
  const leftOut = leftOutOf(source, placed, files);
  const mark = number === undefined ? '' : ` change request ${number}`;
  return {
    space: { id: entry.id, title: entry.title },
    ...defined({ changeRequest: number }),
    name: `${entry.folder}${mark}.zip`,
    whole: pages.length === placed.pages.length && there.length === source.files.length,
    pages: pages.length,
    files: files.size,
    leftOut,
    bytes: () =>
      zipOf(itemsOf({ reader, at: `${spaceFolder(entry.folder)}/`, source, pages, files, around })),
  };
}

interface Contents {
  reader: BackupReader;
  /** Folder of the space in the backup. */
  at: string;
  source: PackSource;
  pages: readonly PackedPage[];
  files: ReadonlyMap<string, string>;
  around: string;
}

/** Sorted by path. */
function itemsOf(contents: Contents): ZipItem[] {
  const { reader, at, source, pages, files, around } = contents;
  const text = textsOf(contents);
  const items: ZipItem[] = pages.map((packed) => ({
    path: around + packed.file,
    bytes: async () => once(Buffer.from(await text(packed))),
  }));
  for (const [id, path] of files) {
    const from = source.fileOf(id)?.path ?? '';
    items.push({ path: around + path, bytes: () => reader.bytes(at + from) });
  }
  return items.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes;
}

/** The texts of pages, with links that lead where their targets are in the pack. */
function textsOf({ reader, at, source, pages, files }: Contents): (packed: PackedPage) => Promise<string> {
  const fileOfPage = new Map(pages.map(({ page, file }) => [page.id, file]));
  const read = linkReader(source);
  return async (packed) => {
    const from = source.textOf(packed.page.id) ?? '';
    const markdown = await reader.text(at + from);
    const replaced = (written: string): string | undefined => {
      const target = read(packed.page.id, from, written);
      const to = target && (target.kind === 'page' ? fileOfPage.get(target.id) : files.get(target.id));
      if (target === undefined || to === undefined) return undefined;
      const path = packed.absolute ? absolutePath(to) : relativePath(packed.file, to);
      return path === target.path ? undefined : path + target.rest;
    };
    return pageText(packed.page, rewriteLinks(markdown, replaced));
  };
}

/**
 * What a pack, or an import of it, lacks. Ids, times and authors are left out of every pack and not listed.
 * @param files paths in the pack, by id
 */
function leftOutOf(source: PackSource, placed: Placed, files: ReadonlyMap<string, string>): LeftOut[] {
  return [...ofPages(source, placed), ...ofFiles(source, files), ...ofSpace(source, placed)];
}

function ofPages(source: PackSource, { pages }: Placed): LeftOut[] {
  return pages.flatMap(({ page: { id, title, cover, computed } }): LeftOut[] => [
    ...(source.textOf(id) === undefined
      ? [{ kind: 'page', id, title, reason: 'the backup could not read its text' }]
      : []),
    ...(cover === undefined
      ? []
      : [{ kind: 'cover', id, title, reason: 'an import sets no covers; its file is in the pack' }]),
    ...(computed === undefined
      ? []
      : [{ kind: 'computed-page', id, title, reason: 'an import makes it text that is generated no more' }]),
  ]);
}

function ofFiles(source: PackSource, files: ReadonlyMap<string, string>): LeftOut[] {
  return source.files.flatMap(({ id, name, git }): LeftOut[] => {
    const there = files.get(id);
    if (there === undefined)
      return [{ kind: 'file', id, title: name, reason: 'the backup could not read its bytes' }];
    if (there === (git?.path ?? name)) return [];
    const reason = `an import would not take its name for that of a file; it is ${there} in the pack`;
    return [{ kind: 'file-name', id, title: name, reason }];
  });
}

function ofSpace({ reusables, space, changeRequest }: PackSource, { reordered }: Placed): LeftOut[] {
  const { comments = 0, changeRequests = 0 } = changeRequest === undefined ? space.counts : {};
  const order = 'an import sorts pages by name; --numbered keeps the order, and changes their paths';
  return [
    ...reusables.map(({ id, title }) => ({
      ...{ kind: 'reusable-content', id, title },
      reason: 'a backup does not have its text',
    })),
    ...(reordered ? [{ kind: 'order', reason: order }] : []),
    ...(comments === 0 ? [] : [{ kind: 'comments', count: comments, reason: 'an import has no comments' }]),
    ...(changeRequests === 0
      ? []
      : [{ kind: 'change-requests', count: changeRequests, reason: 'pack them with --change-request' }]),
  ];
}
