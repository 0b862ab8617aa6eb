import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Defaults } from '../../../src/sandbox/server/tokens.js';
import { type Client, openSandbox, type TestSandbox } from '../client.js';
import { openPlatform, type Platform } from '../in-process.js';
import * as ops from '../operations.js';

/** What a test of content needs. */
export interface Content {
  /** The administrator of Acme. */
  admin: Client;
  /** The first space, which has the sample pages. */
  spaceId: string;
  /** Puts a file into the content folder and returns a URL that stands for it. */
  put(name: string, content: string | Uint8Array): string;
}
export type ContentSandbox = TestSandbox & Content;
export type ContentPlatform = Platform & Content;

/** A sandbox whose content folder a test fills. */
export const openContentSandbox = (): Promise<ContentSandbox> => withContentFolder(openSandbox);
/** The same without a server. */
export const openContentPlatform = (): Promise<ContentPlatform> => withContentFolder(openPlatform);

/** What `open` opens, with a content folder that a test fills. */
export async function withContentFolder<
  Opened extends { admin: Client; defaults: Defaults; close(): Promise<void> },
>(open: (options: { contentFolder: string }) => Promise<Opened>): Promise<Opened & Content> {
  const contentFolder = mkdtempSync(join(tmpdir(), 'docs-content-'));
  const sandbox = await open({ contentFolder });
  return {
    ...sandbox,
    spaceId: sandbox.defaults.space ?? '',
    put(name, content) {
      const file = join(contentFolder, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      return `https://source.example/${encodeURIComponent(name)}`;
    },
    async close() {
      await sandbox.close();
      rmSync(contentFolder, { recursive: true, force: true });
    },
  };
}

/** Imports Markdown into the space, or into a change request of it. */
export async function importMarkdown(
  { admin, put, spaceId }: Content,
  text: string,
  options: { as?: Client; changeRequestId?: string; space?: string } = {},
) {
  const { as = admin, changeRequestId, space = spaceId } = options;
  const body = { url: put('page.md', text), source: 'markdown' };
  return changeRequestId === undefined
    ? as.ok(ops.importContent, { path: { spaceId: space }, body })
    : as.ok(ops.importChangeRequestContent, { path: { spaceId: space, changeRequestId }, body });
}

/** Paths of all pages of the space or change request, in order, each before those below it. */
export async function pagePaths(
  { admin, spaceId }: Content,
  changeRequestId?: string,
  space = spaceId,
): Promise<string[]> {
  const { pages } =
    changeRequestId === undefined
      ? await admin.ok(ops.listPages, { path: { spaceId: space } })
      : await admin.ok(ops.listChangeRequestPages, { path: { spaceId: space, changeRequestId } });
  return flatten(pages).map(({ path = '' }) => path);
}

/** The page at a path of the space or change request, with its text. */
export async function pageAt(
  { admin, spaceId }: Content,
  path: string,
  changeRequestId?: string,
): Promise<ops.ContentPage> {
  const query = { format: 'markdown' };
  if (changeRequestId === undefined) {
    const { pages } = await admin.ok(ops.listPages, { path: { spaceId } });
    return admin.ok(ops.getPage, { path: { spaceId, pageId: idAt(pages, path) }, query });
  }
  const { pages } = await admin.ok(ops.listChangeRequestPages, { path: { spaceId, changeRequestId } });
  const pageId = idAt(pages, path);
  return admin.ok(ops.getChangeRequestPage, { path: { spaceId, changeRequestId, pageId }, query });
}

function idAt(pages: readonly ops.ContentPage[], path: string): string {
  const page = flatten(pages).find((one) => one.path === path);
  if (page === undefined) throw new Error(`There is no page ${path}.`);
  return page.id;
}

export function flatten(pages: readonly ops.ContentPage[]): ops.ContentPage[] {
  return pages.flatMap((page) => [page, ...flatten((page.pages ?? []) as ops.ContentPage[])]);
}
