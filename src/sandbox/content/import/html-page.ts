import { slugOf } from '../../slug.js';
import { htmlToMarkdown } from './html-markdown.js';
import { type HtmlElement, parseHtml } from './html-tree.js';
import { type ImportedPage, longestTitle } from './imported.js';

/**
 * A page from HTML: what stands in `main` or else `article` or else `body`, as Markdown. Its title is the
 * first `h1` there, which then leaves the text, else that of the document, else `otherwise`; its
 * description is the one in the head.
 * @param url where it was found: relative links and images are made absolute with it
 */
export function htmlPage(html: string, otherwise: string, url?: string): ImportedPage {
  const root = parseHtml(html);
  const content = find(root, 'main') ?? find(root, 'article') ?? find(root, 'body') ?? root;
  const first = find(content, 'h1');
  const heading = first && textOf(first);
  const documentTitle = find(root, 'title');
  const title = (heading || (documentTitle && textOf(documentTitle)) || otherwise).slice(0, longestTitle);
  const description = descriptionOf(root);
  const leftOut = heading ? first : undefined;
  return {
    title,
    slug: slugOf(title, 'page'),
    ...(description !== undefined && { description }),
    attributes: {},
    markdown: htmlToMarkdown(content, { url, leftOut }),
    pages: [],
  };
}

function find(element: HtmlElement, tag: string): HtmlElement | undefined {
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    const found = child.tag === tag ? child : find(child, tag);
    if (found !== undefined) return found;
  }
  return undefined;
}

function descriptionOf(root: HtmlElement): string | undefined {
  const metas: HtmlElement[] = [];
  const walk = (element: HtmlElement): void => {
    for (const child of element.children) {
      if (typeof child === 'string') continue;
      if (child.tag === 'meta') metas.push(child);
      walk(child);
    }
  };
  walk(root);
  const meta = metas.find(({ attributes }) => attributes.get('name')?.toLowerCase() === 'description');
  return meta?.attributes.get('content')?.trim() || undefined;
}

function textOf(element: HtmlElement): string {
  const parts = element.children.map((child) => (typeof child === 'string' ? child : textOf(child)));
  return parts.join('').replaceAll(/\s+/g, ' ').trim();
}
