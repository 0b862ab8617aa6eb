import type { Element, Nodes, Parents, Root } from 'hast';
import type { DefaultTreeAdapterTypes } from 'parse5';
import { defined, isObject } from '../../../base/values.js';
import { refusal } from '../../refusal.js';
import { textOf } from '../../sources.js';
import { slugOf } from '../../store/rows.js';
import { linesOf, plainText } from '../markdown.js';
import type { FileVersion, PageAttributes, ReusableVersion } from '../versions.js';
import type { HtmlOptions } from './html-markdown.js';

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
  const heading = first && plainTextOf(first);
  const documentTitle = find(root, 'title');
  const title = (heading || (documentTitle && plainTextOf(documentTitle)) || otherwise).slice(
    0,
    longestTitle,
  );
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
function plainTextOf(node: Nodes): string {
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

type FrontMatter = Readonly<Record<string, unknown>>;

/**
 * Parses Markdown into a page. Its title is that of the front matter, else a heading of level 1 at the start,
 * which the text then omits, else `otherwise`.
 * @throws 400 if the front matter is not YAML
 */
export async function markdownPage(text: string, otherwise: string): Promise<ImportedPage> {
  const { frontMatter, rest } = await splitFrontMatter(text);
  const { heading, body } = splitHeading(rest);
  const title = (stringOf(frontMatter.title) ?? heading ?? otherwise).slice(0, longestTitle);
  return {
    title,
    slug: slugOf(stringOf(frontMatter.slug) ?? title, 'page'),
    ...defined({ description: stringOf(frontMatter.description) }),
    attributes: attributesOf(frontMatter),
    markdown: stringOf(frontMatter.title) === undefined ? body : rest.trim(),
    pages: [],
  };
}

async function splitFrontMatter(text: string): Promise<{ frontMatter: FrontMatter; rest: string }> {
  const plain = text.replaceAll('\r\n', '\n');
  const end = plain.startsWith('---\n') ? plain.indexOf('\n---\n', 3) : -1;
  if (end === -1) return { frontMatter: {}, rest: plain };
  const { parse } = await import('yaml');
  try {
    const parsed: unknown = parse(plain.slice(4, end + 1), { logLevel: 'error' });
    return { frontMatter: isObject(parsed) ? parsed : {}, rest: plain.slice(end + 5) };
  } catch {
    throw refusal(400, 'the front matter is not valid YAML');
  }
}

/** A heading of level 1 at the start, and the text without it. */
function splitHeading(text: string): { heading?: string; body: string } {
  const start = text.search(/\S/);
  const [first] = linesOf(text.slice(Math.max(start, 0)));
  const [line = '', title] = first?.code
    ? []
    : (/^ {0,3}#[ \t]+(.*?)[ \t]*#*[ \t]*$/.exec(first?.line ?? '') ?? []);
  if (title === undefined) return { body: text.trim() };
  const heading = plainText(title).trim();
  return { ...(heading !== '' && { heading }), body: text.slice(start + line.length).trim() };
}

function attributesOf(frontMatter: FrontMatter): PageAttributes {
  const { layout } = frontMatter;
  const text = (key: string) => stringOf(frontMatter[key]);
  const flag = (key: string) => (typeof frontMatter[key] === 'boolean' ? frontMatter[key] : undefined);
  return defined({
    emoji: text('emoji'),
    icon: text('icon'),
    hidden: flag('hidden'),
    noIndex: flag('noIndex'),
    noRobotsIndex: flag('noRobotsIndex'),
    layout: isObject(layout) ? layoutOf(layout) : undefined,
  });
}

const layoutFlags = ['cover', 'title', 'description', 'tableOfContents', 'outline', 'pagination'];

/** `tableOfContents: false`, or as Git repositories have it, `tableOfContents: {visible: false}`. */
function layoutOf(layout: FrontMatter): NonNullable<PageAttributes['layout']> {
  const flags = layoutFlags.flatMap((key): [string, boolean][] => {
    const value = layout[key];
    const visible = isObject(value) ? value.visible : value;
    return typeof visible === 'boolean' ? [[key, visible]] : [];
  });
  return Object.fromEntries(flags);
}

function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** An imported page with its children. */
export interface ImportedPage {
  title: string;
  slug: string;
  description?: string;
  attributes: PageAttributes;
  /** Undefined for a folder without its own page; an existing page then stays unchanged. */
  markdown: string | undefined;
  pages: ImportedPage[];
}

export interface Imported {
  pages: ImportedPage[];
  files: Omit<FileVersion, 'fileId'>[];
  reusables: Omit<ReusableVersion, 'reusableId'>[];
  /** Resources that were found and not read; default 0. */
  missed?: number;
}

/** Longer titles are cut, in characters. */
const longestTitle = 200;

/** `getting-started` as a title: `Getting started`. */
export function titleOf(name: string): string {
  const words = name.replaceAll(/[-_]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The text of UTF-8 bytes, without a byte order mark. @throws 400 for bytes that are not UTF-8 */
export function decodeText(bytes: Uint8Array, name: string): string {
  const text = textOf(bytes);
  if (text === undefined) throw refusal(400, `${JSON.stringify(name)} is not text in UTF-8`);
  return text;
}
