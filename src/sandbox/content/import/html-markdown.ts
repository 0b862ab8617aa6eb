import type { HtmlElement, HtmlNode } from './html-tree.js';

export interface HtmlOptions {
  /** Makes links and images absolute. */
  url?: string | undefined;
  /** An element that does not come into the text, such as the title. */
  leftOut?: HtmlElement | undefined;
}

const unread = new Set(
  'head title script style noscript template svg nav footer aside form button select textarea iframe'.split(
    ' ',
  ),
);
const blocks = new Set(
  (
    'address article blockquote body center dd details div dl dt fieldset figcaption figure h1 h2 h3 h4 h5 h6 ' +
    'header hr html li main menu ol p pre section summary table tbody td tfoot th thead tr ul'
  ).split(' '),
);

/**
 * The element as Markdown: headings, paragraphs, lists, quotes, code, tables, rules, links, images and
 * emphasis. Scripts, styles, forms, navigation, asides and footers are left out; of anything else the
 * text stays.
 */
export function htmlToMarkdown(element: HtmlElement, options: HtmlOptions = {}): string {
  return blocksOf(element.children, options).join('\n\n').trim();
}

/** The blocks of a run of nodes: texts and inline elements between two blocks are a paragraph. */
function blocksOf(nodes: readonly HtmlNode[], options: HtmlOptions): string[] {
  const found: string[] = [];
  let line: HtmlNode[] = [];
  const endLine = () => {
    const text = tidy(inline(line, options));
    if (text !== '') found.push(text);
    line = [];
  };
  for (const node of nodes) {
    if (typeof node !== 'string' && (unread.has(node.tag) || node === options.leftOut)) continue;
    if (typeof node === 'string' || !holdsBlocks(node)) {
      line.push(node);
      continue;
    }
    endLine();
    found.push(...block(node, options).filter((text) => text !== ''));
  }
  endLine();
  return found;
}

function holdsBlocks(element: HtmlElement): boolean {
  return (
    blocks.has(element.tag) ||
    element.children.some((child) => typeof child !== 'string' && holdsBlocks(child))
  );
}

function block(element: HtmlElement, options: HtmlOptions): string[] {
  const { tag, children } = element;
  const level = /^h([1-6])$/.exec(tag)?.[1];
  if (level !== undefined) {
    const text = tidy(inline(children, options)).replaceAll('\n', ' ');
    return text === '' ? [] : [`${'#'.repeat(Number(level))} ${text}`];
  }
  if (tag === 'hr') return ['---'];
  if (tag === 'pre') return [codeBlock(element)];
  if (tag === 'ul' || tag === 'ol' || tag === 'menu') return [list(element, options)];
  if (tag === 'blockquote') return [prefix(blocksOf(children, options).join('\n\n'), '> ', '> ')];
  if (tag === 'table') return [table(element, options)];
  return blocksOf(children, options);
}

function list({ tag, children }: HtmlElement, options: HtmlOptions): string {
  const items = children.filter((child) => typeof child !== 'string' && child.tag === 'li') as HtmlElement[];
  return items
    .map((item, index) => {
      const mark = tag === 'ol' ? `${index + 1}. ` : '- ';
      const parts = blocksOf(item.children, options);
      const joined = parts.join(item.children.some(isParagraph) ? '\n\n' : '\n');
      return prefix(joined, mark, ' '.repeat(mark.length));
    })
    .join('\n');
}

function isParagraph(node: HtmlNode): boolean {
  return typeof node !== 'string' && node.tag === 'p';
}

function table(element: HtmlElement, options: HtmlOptions): string {
  const rows = descendants(element, 'tr').map((row) =>
    row.children
      .filter((child): child is HtmlElement => typeof child !== 'string' && /^t[hd]$/.test(child.tag))
      .map((cell) => blocksOf(cell.children, options).join(' ').replaceAll('\n', ' ').replaceAll('|', '\\|')),
  );
  const width = Math.max(0, ...rows.map((row) => row.length));
  if (width === 0) return '';
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, index) => cells[index] ?? '').join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(Array.from({ length: width }, () => '---')), ...body.map(line)].join('\n');
}

function descendants(element: HtmlElement, tag: string): HtmlElement[] {
  return element.children.flatMap((child) => {
    if (typeof child === 'string') return [];
    return child.tag === tag ? [child] : descendants(child, tag);
  });
}

function codeBlock(element: HtmlElement): string {
  const code = descendants(element, 'code')[0];
  const language = /(?:^|\s)lang(?:uage)?-([\w+-]+)/.exec(code?.attributes.get('class') ?? '')?.[1] ?? '';
  const text = rawText(element).replace(/^\n/, '').trimEnd();
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([marks]) => marks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

function rawText(node: HtmlNode): string {
  if (typeof node === 'string') return node;
  return node.tag === 'br' ? '\n' : node.children.map(rawText).join('');
}

function inline(nodes: readonly HtmlNode[], options: HtmlOptions): string {
  return nodes.map((node) => inlineNode(node, options)).join('');
}

function inlineNode(node: HtmlNode, options: HtmlOptions): string {
  if (typeof node === 'string') return escapeMarks(node.replaceAll(/\s+/g, ' '));
  const { tag, attributes, children } = node;
  if (unread.has(tag) || node === options.leftOut) return '';
  if (tag === 'br') return '\\\n';
  if (tag === 'code' || tag === 'kbd' || tag === 'samp') return `\`${rawText(node).replaceAll('`', "'")}\``;
  if (tag === 'img') return image(attributes, options);
  const text = inline(children, options);
  if (tag === 'strong' || tag === 'b') return around(text, '**');
  if (tag === 'em' || tag === 'i') return around(text, '*');
  if (tag === 'del' || tag === 's') return around(text, '~~');
  if (tag === 'a') return link(text, attributes.get('href'), options);
  return text;
}

function image(attributes: ReadonlyMap<string, string>, { url }: HtmlOptions): string {
  const source = attributes.get('src');
  const alt = escapeMarks((attributes.get('alt') ?? '').replaceAll(/\s+/g, ' '));
  return source === undefined || source.startsWith('data:') ? alt : `![${alt}](${address(source, url)})`;
}

function link(text: string, href: string | undefined, { url }: HtmlOptions): string {
  const dead = href === undefined || href === '' || /^\s*(?:javascript|data):/i.test(href);
  return dead || text.trim() === '' ? text : around(text, '[', `](${address(href, url)})`);
}

/** Absolute where the page's own address is known, and safe between parentheses. */
function address(target: string, url: string | undefined): string {
  const isWithin = target.startsWith('#');
  const whole =
    url !== undefined && !isWithin && URL.canParse(target, url) ? new URL(target, url).href : target;
  return /[\s()<>]/.test(whole) ? `<${whole.replaceAll(/[<>\n]/g, encodeURIComponent)}>` : whole;
}

/** The marks right at the text: spaces stay outside. */
function around(text: string, before: string, after = before): string {
  const inner = text.trim();
  if (inner === '') return text;
  const [lead, trail] = [/^\s*/.exec(text)?.[0], /\s*$/.exec(text)?.[0]];
  return `${lead}${before}${inner}${after}${trail}`;
}

/** Keeps text from being read as marks. */
function escapeMarks(text: string): string {
  return text.replaceAll(/[\\`*_[\]<]/g, '\\$&');
}

function tidy(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replaceAll(/ {2,}/g, ' ').trim().replace(/ \\$/, '\\'))
    .join('\n')
    .replace(/(?:\\\n)+$|\\$/g, '')
    .trim();
}

function prefix(text: string, first: string, rest: string): string {
  return text
    .split('\n')
    .map((line, index) => (index === 0 ? first + line : line === '' ? rest.trimEnd() : rest + line))
    .join('\n');
}
