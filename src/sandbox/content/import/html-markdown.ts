import type { Element, ElementContent, Parents } from 'hast';
import { defaultHandlers, type State, toMdast } from 'hast-util-to-mdast';
import { gfmStrikethroughToMarkdown } from 'mdast-util-gfm-strikethrough';
import { gfmTableToMarkdown } from 'mdast-util-gfm-table';
import { gfmTaskListItemToMarkdown } from 'mdast-util-gfm-task-list-item';
import { toMarkdown } from 'mdast-util-to-markdown';

export interface HtmlOptions {
  /** Makes links and images absolute. */
  url?: string | undefined;
  /** Where an absolute link leads instead, if elsewhere. */
  local?: ((url: URL) => string | undefined) | undefined;
  leftOut?: Element | undefined;
}

/** Elements whose content belongs to the page around a text, or to no text at all. */
const omitted =
  /^(?:head|title|script|style|noscript|template|svg|nav|footer|aside|form|button|select|textarea|iframe)$/;

/**
 * Converts the content of an element to Markdown, as GitHub reads it. Omits scripts, styles, forms,
 * navigation, asides and footers; keeps the text of elements that Markdown does not have.
 */
export function htmlToMarkdown({ children }: Parents, options: HtmlOptions = {}): string {
  const tree = toMdast({ type: 'root', children: kept(children, options) }, { handlers: { li: listItem } });
  return toMarkdown(tree, {
    bullet: '-',
    listItemIndent: 'one',
    rule: '-',
    extensions: [
      gfmStrikethroughToMarkdown(),
      gfmTableToMarkdown({ tablePipeAlign: false }),
      gfmTaskListItemToMarkdown(),
    ],
  }).trim();
}

/** Blank lines separate items with several paragraphs only, not those with a nested list. */
function listItem(state: State, node: Element) {
  const paragraphs = node.children.filter((child) => child.type === 'element' && child.tagName === 'p');
  return { ...defaultHandlers.li(state, node), spread: paragraphs.length > 1 };
}

function kept(nodes: Parents['children'], options: HtmlOptions): ElementContent[] {
  return nodes.flatMap((node): ElementContent[] => {
    if (node.type === 'text') return [node];
    if (node.type !== 'element' || omitted.test(node.tagName) || node === options.leftOut) return [];
    const children = kept(node.children, options);
    const { tagName, properties } = node;
    if (tagName === 'a') return withAddress(node, 'href', children, options);
    if (tagName !== 'img') return [{ ...node, children }];
    return withAddress(node, 'src', [{ type: 'text', value: String(properties.alt ?? '') }], options);
  });
}

/** The element with its absolute address; only its children if it has none or executes code. */
function withAddress(
  element: Element,
  property: 'href' | 'src',
  children: ElementContent[],
  { url, local }: HtmlOptions,
): ElementContent[] {
  const address = String(element.properties[property] ?? '');
  if (address === '' || /^\s*(?:javascript|data):/i.test(address)) return children;
  const isWithin = address.startsWith('#');
  const absolute =
    url !== undefined && !isWithin && URL.canParse(address, url) ? new URL(address, url) : undefined;
  const elsewhere = absolute && property === 'href' ? local?.(absolute) : undefined;
  const shown = elsewhere ?? absolute?.href ?? address;
  return [{ ...element, children, properties: { ...element.properties, [property]: shown } }];
}
