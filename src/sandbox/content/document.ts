import type { Nodes, PhrasingContent, Root, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import type { Document } from '../../api/shapes.js';

/** A node of a document: a block with its nodes, an inline one such as a link, or text in leaves of one style. */
interface DocumentNode {
  object: 'block' | 'inline' | 'text';
  type?: string;
  data?: Readonly<Record<string, unknown>>;
  nodes?: DocumentNode[];
  leaves?: { object: 'leaf'; text: string; marks: { object: 'mark'; type: string }[] }[];
}

/**
 * A text, read as GitHub does, as structured content (platform-facts, "Shapes"). Slow (markdown.ts): for one text, not
 * for all of a space.
 */
export function documentOf(markdown: string): Document {
  const tree = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  return { object: 'document', nodes: blocks(tree.children) };
}

type Block = Exclude<RootContent, PhrasingContent> | PhrasingContent;

function blocks(children: Root['children'] | readonly Nodes[]): DocumentNode[] {
  return children.flatMap((child) => block(child as Block));
}

function block(node: Block): DocumentNode | DocumentNode[] {
  switch (node.type) {
    case 'paragraph':
      return withNodes('paragraph', inlines(node.children));
    case 'heading':
      return withNodes(`heading-${node.depth}`, inlines(node.children));
    case 'code':
      return { ...withNodes('code', [text(node.value)]), data: node.lang ? { syntax: node.lang } : {} };
    case 'list':
      return withNodes(node.ordered ? 'list-ordered' : 'list-unordered', blocks(node.children));
    case 'listItem': {
      const item = withNodes('list-item', blocks(node.children));
      return typeof node.checked === 'boolean' ? { ...item, data: { checked: node.checked } } : item;
    }
    case 'table':
      return withNodes('table', blocks(node.children));
    case 'tableRow':
      return withNodes('table-row', blocks(node.children));
    case 'tableCell':
      return withNodes('table-cell', inlines(node.children));
    case 'blockquote':
      return withNodes('blockquote', blocks(node.children));
    case 'thematicBreak':
      return withNodes('divider', []);
    case 'html':
      return withNodes('html', [text(node.value)]);
    default:
      return [];
  }
}

/** Neighbouring pieces of text form one node, with a leaf for each style. */
function inlines(children: readonly PhrasingContent[], marks: readonly string[] = []): DocumentNode[] {
  const nodes: DocumentNode[] = [];
  for (const node of children.flatMap((child) => inline(child, marks))) {
    const last = nodes.at(-1);
    if (last?.leaves !== undefined && node.leaves !== undefined) last.leaves.push(...node.leaves);
    else nodes.push(node);
  }
  return nodes;
}

const markOf = { strong: 'bold', emphasis: 'italic', delete: 'strikethrough' } as const;

function inline(node: PhrasingContent, marks: readonly string[]): DocumentNode[] {
  switch (node.type) {
    case 'text':
    case 'html':
      return [text(node.value, marks)];
    case 'inlineCode':
      return [text(node.value, [...marks, 'code'])];
    case 'break':
      return [text('\n', marks)];
    case 'strong':
    case 'emphasis':
    case 'delete':
      return inlines(node.children, [...marks, markOf[node.type]]);
    case 'link':
      return [
        {
          object: 'inline',
          type: 'link',
          data: { ref: { kind: 'url', url: node.url } },
          nodes: inlines(node.children, marks),
        },
      ];
    case 'image':
      return [
        {
          object: 'inline',
          type: 'inline-image',
          data: { ref: { kind: 'url', url: node.url }, alt: node.alt ?? '' },
          nodes: [],
        },
      ];
    default:
      return 'children' in node ? inlines(node.children as PhrasingContent[], marks) : [];
  }
}

function withNodes(type: string, nodes: DocumentNode[]): DocumentNode {
  return { object: 'block', type, data: {}, nodes };
}

function text(value: string, marks: readonly string[] = []): DocumentNode {
  const styles = marks.map((type) => ({ object: 'mark' as const, type }));
  return { object: 'text', leaves: [{ object: 'leaf', text: value, marks: styles }] };
}
