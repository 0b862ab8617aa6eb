import type { Root } from 'hast';
import { slugOf } from '../../text/slug.js';
import type { HtmlOptions } from './html-markdown.js';
import { descriptionOf, find, parseHtml, textOf } from './html-tree.js';
import { type ImportedPage, longestTitle } from './imported.js';

/** As `htmlPageOf`, of the text of a page. `url`, its address, makes links and images absolute. */
export async function htmlPage(html: string, otherwise: string, url?: string): Promise<ImportedPage> {
  return htmlPageOf(await parseHtml(html), otherwise, { url });
}

/**
 * Converts HTML to a page: the content of `main`, else `article`, else `body`, as Markdown. The title is the
 * first `h1` there, which the text then omits, else the document's, else `otherwise`; the description is the
 * one in the head.
 */
export async function htmlPageOf(
  root: Root,
  otherwise: string,
  options: Pick<HtmlOptions, 'url' | 'local'>,
): Promise<ImportedPage> {
  const content = find(root, 'main') ?? find(root, 'article') ?? find(root, 'body') ?? root;
  const first = find(content, 'h1');
  const heading = first && textOf(first);
  const documentTitle = find(root, 'title');
  const title = (heading || (documentTitle && textOf(documentTitle)) || otherwise).slice(0, longestTitle);
  const description = descriptionOf(root);
  const { htmlToMarkdown } = await import('./html-markdown.js');
  return {
    title,
    slug: slugOf(title, 'page'),
    ...(description !== undefined && { description }),
    attributes: {},
    markdown: htmlToMarkdown(content, { ...options, leftOut: heading ? first : undefined }),
    pages: [],
  };
}
