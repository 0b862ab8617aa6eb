import type { ContentFile, ContentPage } from '../../../api/resources/content.js';
import { DocsError } from '../../../base/errors.js';
import { shellWord } from '../../../base/shell-word.js';
import { isObject } from '../../../base/values.js';
import { jsonOf } from '../folder/json-files.js';
import { type FileEntry, type SpaceEntry, type SpaceManifest, spaceFolder } from '../folder/manifest.js';
import type { BackupReader } from '../reader.js';

/** The content of a space, or of one of its change requests, where a backup has it. */
export interface PackSource {
  space: SpaceManifest;
  changeRequest: { id: string; number: number } | undefined;
  pages: readonly ContentPage[];
  files: readonly ContentFile[];
  reusables: readonly { id: string; title: string }[];
  /** Where the text of a page is, below the folder of the space; undefined if the backup lacks it. */
  textOf(pageId: string): string | undefined;
  fileOf(fileId: string): FileEntry | undefined;
  /** The file at a path below the folder of the space. */
  fileAt(path: string): string | undefined;
}

/**
 * @param number of a change request; undefined for the space itself
 * @throws DocsError not-found `space_not_read`, `change_request_not_found`; configuration `bad_content`; exit 13
 */
export async function packSource(
  reader: BackupReader,
  entry: SpaceEntry,
  number: number | undefined,
): Promise<PackSource> {
  const verify = `docs backup verify ${shellWord(reader.root, process.platform)} --offline`;
  const space = await reader.space(entry);
  if (space === undefined)
    throw notThere('space_not_read', `the backup has no content of space "${entry.title}"`, verify);
  const at = `${spaceFolder(entry.folder)}/`;
  const changeRequest = number === undefined ? undefined : await changeRequestOf(reader, space, at, number);
  const owned = (file: FileEntry) => file.changeRequest === changeRequest?.id;
  const content = space.files.find((file) => file.kind === 'content' && owned(file));
  if (content === undefined)
    throw notThere('space_not_read', `the backup has no content of space "${entry.title}"`, verify);
  const { pages, files, reusableContents = [] } = await contentAt(reader, at + content.path);
  const mains = space.files.filter((file) => file.changeRequest === undefined);
  // A change request has only what differs from its space.
  const known = changeRequest === undefined ? mains : [...mains, ...space.files.filter(owned)];
  const byId = (kind: string) =>
    new Map(known.filter((file) => file.kind === kind).map((file) => [file.id, file]));
  const [texts, bytes] = [byId('page-markdown'), byId('file')];
  const atPath = new Map(space.files.filter(({ kind }) => kind === 'file').map(({ path, id }) => [path, id]));
  return {
    space,
    changeRequest,
    pages,
    files,
    reusables: reusableContents,
    textOf: (id) => texts.get(id)?.path,
    fileOf: (id) => bytes.get(id),
    fileAt: (path) => atPath.get(path),
  };
}

async function changeRequestOf(reader: BackupReader, space: SpaceManifest, at: string, number: number) {
  const files = space.files.filter(({ kind }) => kind === 'change-request');
  for (const { id = '', path } of files) {
    // Its folder begins with the number.
    if (!path.startsWith(`change-requests/${number} `) && !path.startsWith(`change-requests/${number}/`))
      continue;
    const found = parsed(await reader.text(at + path), at + path);
    if (isObject(found) && found.number === number) return { id, number };
  }
  const hint = 'docs backup search <folder> <words> --in change-requests';
  throw notThere(
    'change_request_not_found',
    `the backup has no change request ${number} of space "${space.title}"`,
    hint,
  );
}

interface Content {
  pages: ContentPage[];
  files: ContentFile[];
  reusableContents?: { id: string; title: string }[];
}

async function contentAt(reader: BackupReader, path: string): Promise<Content> {
  const content = parsed(await reader.text(path), path);
  if (isObject(content) && isPages(content.pages) && isList(content.files, ['id', 'name'])) {
    const { reusableContents = [] } = content;
    if (isList(reusableContents, ['id', 'title'])) return content as unknown as Content;
  }
  throw damaged(path);
}

function isPages(value: unknown): boolean {
  const below = (pages: unknown[]) =>
    pages.every((page) => isObject(page) && (page.pages === undefined || isPages(page.pages)));
  return Array.isArray(value) && isList(value, ['id', 'title']) && below(value);
}

function isList(value: unknown, texts: readonly string[]): boolean {
  const fits = (item: unknown) => isObject(item) && texts.every((key) => typeof item[key] === 'string');
  return Array.isArray(value) && value.every(fits);
}

function parsed(text: string, path: string): unknown {
  try {
    return jsonOf(text);
  } catch {
    throw damaged(path);
  }
}

function damaged(path: string): DocsError {
  return new DocsError(
    'configuration',
    'bad_content',
    `${path} of the backup is damaged; nothing was written`,
    {
      outcome: 'not-sent',
      hint: 'docs backup verify <folder> --offline',
    },
  );
}

function notThere(code: string, message: string, hint: string): DocsError {
  return new DocsError('not-found', code, message, { outcome: 'not-sent', hint });
}
