import type { ContentFile, ContentPage } from '../../api/resources/revisions.js';
import { pageText } from '../backup/pack/page-text.js';
import type { SpaceContent } from './contents.js';
import { linksIn } from './markdown-links.js';

/** What an import of a page would change beside its links. */

/** Titles are cut by an import beyond this, in characters. */
const longestTitle = 200;
/** Names that an import takes for the page of the folder around them. */
const folderPage = /(?:^|\/)(?:readme|index)(?:\/|$)/;
const plainPath = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\/[a-z0-9]+(?:-[a-z0-9]+)*)*$/;

/** @returns why the page is left, as the end of a sentence; undefined where an import brings its text and nothing else */
export function lossOf(content: SpaceContent, pageId: string, markdown: string): string | undefined {
  const placed = content.byId.get(pageId);
  if (placed === undefined) return 'the page is not among the pages of its space';
  const { page, path } = placed;
  if (page.computed !== undefined) return 'the page is generated, and an import would make it plain text';
  if (!isFoundAgain(content, pageId, path)) return 'an import would not find the page again by its path';
  return lossOfFields(page) ?? lossOfText(page, markdown, content.files);
}

function isFoundAgain(content: SpaceContent, pageId: string, path: string): boolean {
  const file = content.packed().get(pageId);
  if (!plainPath.test(path) || folderPage.test(path)) return false;
  return file === `${path}.md` || file === `${path}/README.md`;
}

function lossOfFields({ title, description = '', layout = {}, cover }: ContentPage): string | undefined {
  if (title === '' || title !== title.trim() || title.length > longestTitle)
    return 'an import would change its title';
  if (description !== description.trim()) return 'an import would change its description';
  const { coverSize, ...shown } = layout;
  const known = ['cover', 'title', 'description', 'tableOfContents', 'outline', 'pagination'];
  const isHidden = Object.values(shown).includes(false);
  const isOdd = Object.keys(shown).some((key) => !known.includes(key));
  // Where a part is hidden, the front matter has a layout, which takes the place of the whole one.
  const usualSize = cover === undefined ? 'full' : 'hero';
  if (isHidden && (isOdd || (coverSize ?? usualSize) !== usualSize))
    return 'an import would change the layout of the page';
  return undefined;
}

function lossOfText(page: ContentPage, markdown: string, files: readonly ContentFile[]): string | undefined {
  if (markdown.includes('\r') || markdown.startsWith('\ufeff'))
    return 'an import would change its line endings';
  const body = bodyOf(pageText(page, markdown));
  if (body !== body.trimStart()) return 'an import would take away the spaces that its text begins with';
  const downloads = new Set(files.map(({ downloadURL }) => bare(downloadURL)));
  const expires = linksIn(markdown).some(({ address }) => downloads.has(bare(address)));
  return expires ? 'its text has addresses of files that expire, which an import would keep' : undefined;
}

/** What stands below the front matter. */
function bodyOf(text: string): string {
  const end = '\n---\n\n';
  return text.slice(text.indexOf(end) + end.length);
}

function bare(url: string): string {
  return url.replace(/[?#].*$/s, '');
}
