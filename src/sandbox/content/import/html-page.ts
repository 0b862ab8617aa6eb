import type { Element, Nodes, Parents, Root } from 'hast';
import type { DefaultTreeAdapterTypes } from 'parse5';
import { slugOf } from '../../text.js';
import type { HtmlOptions } from './html-markdown.js';
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

type ParentNode = DefaultTreeAdapterTypes.ParentNode;
type ChildNode = DefaultTreeAdapterTypes.ChildNode;

/** Conversion recurses: elements nested deeper are replaced by the text and void elements inside them. */
const deepest = 200;

export async function parseHtml(html: string): Promise<Root> {
  const [{ parse }, { fromParse5 }] = await Promise.all([import('parse5'), import('hast-util-from-parse5')]);
  const document = parse(html);
  flatten(document, 0);
  return fromParse5(document) as Root;
}

function flatten(node: ParentNode, depth: number): void {
  if (depth === deepest) node.childNodes = leavesOf(node);
  else for (const child of node.childNodes) if ('childNodes' in child) flatten(child, depth + 1);
}

/** The nodes without children below a node, in document order. */
function leavesOf(node: ParentNode): ChildNode[] {
  const leaves: ChildNode[] = [];
  const rest = node.childNodes.toReversed();
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if ('childNodes' in next && next.childNodes.length > 0) rest.push(...next.childNodes.toReversed());
    else leaves.push(next);
  }
  return leaves;
}

function find(node: Parents, tag: string): Element | undefined {
  for (const element of elementsOf(node)) if (element.tagName === tag) return element;
  return undefined;
}

/** The text of a node, its white space collapsed. */
function textOf(node: Nodes): string {
  return rawText(node).replaceAll(/\s+/g, ' ').trim();
}

function descriptionOf(root: Root): string | undefined {
  for (const { tagName, properties } of elementsOf(root)) {
    if (tagName !== 'meta' || String(properties.name).toLowerCase() !== 'description') continue;
    return String(properties.content ?? '').trim() || undefined;
  }
  return undefined;
}

/** The targets of the links in a page, in order, as written. */
export function linksIn(root: Root): string[] {
  const links = Array.from(elementsOf(root)).filter(({ tagName }) => tagName === 'a');
  return links.map(({ properties }) => String(properties.href ?? '')).filter((href) => href !== '');
}

function* elementsOf(node: Parents): Generator<Element> {
  for (const child of node.children) {
    if (child.type !== 'element') continue;
    yield child;
    yield* elementsOf(child);
  }
}

function rawText(node: Nodes): string {
  if (node.type === 'text') return node.value;
  return 'children' in node ? node.children.map(rawText).join('') : '';
}
