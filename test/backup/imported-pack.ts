import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import {
  type ContentPage,
  getPage,
  importContent,
  listFiles,
  listPages,
} from '../../src/api/resources/content.js';
import { listSiteSpaces } from '../../src/api/resources/site-spaces.js';
import { createSite } from '../../src/api/resources/sites.js';
import { listSpaceLinks } from '../../src/api/resources/spaces.js';
import { type Pack, type PackOptions, preparePack } from '../../src/backup/pack.js';
import { type ContentSandbox, flatten, openContentSandbox } from '../sandbox/content/content-folder.js';
import { type GeneratedSpace, generatedSpace } from './generated-space.js';

/** What an import makes of a pack: the same pages, files and links, whatever the space is like. */

async function bytesOf(pack: Pack): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of pack.bytes()) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Imports the pack into a new space; what is there then. */
async function imported(sandbox: ContentSandbox, space: GeneratedSpace, options: PackOptions = {}) {
  const pack = await preparePack(space.reader, space.entry, options);
  const { admin, organizationId, put } = sandbox;
  const site = await admin.ok(createSite, { path: { organizationId }, body: { spaces: 'empty' } });
  const [made] = await admin.all(listSiteSpaces, { path: { organizationId, siteId: site.id } });
  const spaceId = made?.space?.id ?? '';
  const url = put('pack.zip', await bytesOf(pack));
  await admin.ok(importContent, { path: { spaceId }, body: { url, source: 'zip' } });
  const { pages } = await admin.ok(listPages, { path: { spaceId } });
  const path = (pageId: string) => ({ path: { spaceId, pageId }, query: { format: 'markdown' } });
  const texts = new Map<string, ContentPage>();
  for (const page of flatten(pages)) texts.set(page.path ?? '', await admin.ok(getPage, path(page.id)));
  const files = await admin.all(listFiles, { path: { spaceId } });
  const links = await admin.all(listSpaceLinks, { path: { spaceId } });
  return { pack, pages, texts, files, links };
}

const shown = (title: string) => title.trim().slice(0, 200);

/** Declares the test of this many random spaces. @param seed the same ones each time */
export async function declareImports(numRuns: number, seed?: number): Promise<void> {
  const sandbox = await openContentSandbox();
  afterAll(() => sandbox.close());
  const timeout = 100_000 + numRuns * 10_000;
  test('an import has the pages, titles, texts, files and links of the space', { timeout }, async () => {
    const property = fc.asyncProperty(generatedSpace, (space) => expectImported(sandbox, space));
    await fc.assert(property, { numRuns, ...(seed !== undefined && { seed }) });
  });
}

/** Expects that an import has the pages, titles, texts, files and links of the space. */
async function expectImported(sandbox: ContentSandbox, space: GeneratedSpace): Promise<void> {
  const { pack, texts, files, links } = await imported(sandbox, space);
  expect([...texts.keys()].sort()).toEqual(space.pages.map(({ page }) => page.path).sort());
  expect(pack).toMatchObject({ whole: true, pages: space.pages.length, files: space.files.length });
  for (const { page, markdown } of space.pages) {
    const found = texts.get(page.path ?? '');
    expect(found?.hidden).toBe(page.hidden);
    // A title of white space alone is none; a lone surrogate cannot be sent.
    if (page.title.trim() !== '')
      expect(found?.title).toBe(shown(page.title.replaceAll(/\p{Surrogate}/gu, '\ufffd')));
    expect(withoutTargets(found?.markdown)).toBe(withoutTargets(`# ${found?.title}\n\n${markdown}`));
  }
  expect(files.map(({ size }) => size).sort()).toEqual(
    space.files.map(({ text }) => Buffer.byteLength(text)).sort(),
  );
  expect(linksOf(links)).toEqual(expectedLinks(space, pack));
}

/** Prose without the targets of links; code as it is. */
function withoutTargets(markdown = ''): string {
  return markdown.trim().replaceAll(/^(- \[link \d+\]).*?( and `)/gm, '$1$2');
}

type Links = Awaited<ReturnType<typeof imported>>['links'];

/** `from -> to`, by paths. */
function linksOf(links: Links): string[] {
  const all = links.flatMap(({ status, targetReference: target, locationReferences: from = [] }) => {
    const to = JSON.parse(JSON.stringify(target ?? {})) as Record<
      string,
      { path?: string; git?: { path: string } }
    >;
    const place = to.page?.path ?? to.file?.git?.path ?? JSON.stringify(target);
    return from.map((one) => {
      const { page } = JSON.parse(JSON.stringify(one)) as { page: { path: string } };
      return `${page.path} -> ${status} ${place}`;
    });
  });
  return all.sort();
}

function expectedLinks({ pages, files }: GeneratedSpace, { leftOut }: Pack): string[] {
  const pathOf = new Map(pages.map(({ page }) => [page.id, page.path ?? '']));
  for (const { id, path } of files) pathOf.set(id, path);
  for (const { kind, id = '', reason } of leftOut)
    if (kind === 'file-name') pathOf.set(id, / it is (.*) in the pack$/.exec(reason)?.[1] ?? '');
  const all = pages.flatMap(({ page, to }) => to.map((id) => `${page.path} -> ok ${pathOf.get(id)}`));
  return [...new Set(all)].sort();
}
