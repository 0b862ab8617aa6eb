import type { ChalkInstance } from 'chalk';
import type { Definition, Nodes, PhrasingContent } from 'mdast';
import { type Painter, plain } from '../colors.js';
import { safeLine } from '../safe-text.js';
import type { Piece } from './flow.js';

/** What the parts of one text share. */
export interface Shared {
  look: MarkdownLook;
  source: string;
  /** Addresses that links name, by their label. */
  definitions: ReadonlyMap<string, Definition>;
  /** What is written in place of the address of a link. */
  leadsTo?: (url: string) => string;
}

/** Nested deeper than this, text is shown as it was written. */
export const deepest = 30;

/** Phrasing as pieces of text. Whatever it holds is cleaned: entities can stand for control characters, too. */
export function phrasing(
  nodes: readonly PhrasingContent[],
  shared: Shared,
  paint: Painter = plain,
  depth = 0,
): Piece[] {
  return nodes.flatMap((node) => piecesOf(node, shared, paint, depth));
}

function piecesOf(node: PhrasingContent, shared: Shared, paint: Painter, depth: number): Piece[] {
  const { look } = shared;
  const piece = (text: string, own: Painter): Piece => ({ text: safeLine(text), paint: both(paint, own) });
  if (depth > deepest) return [piece(sourceOf(node, shared), look.quiet)];
  const inner = (own: Painter, children: readonly PhrasingContent[]) =>
    phrasing(children, shared, both(paint, own), depth + 1);
  switch (node.type) {
    case 'text':
      return [piece(node.value, plain)];
    case 'inlineCode':
      return [piece(look.hasColor ? node.value : `\`${node.value}\``, look.code)];
    case 'break':
      return [{ text: '\n', paint: plain }];
    case 'html':
      return /^<br\s*\/?>$/i.test(node.value)
        ? [{ text: '\n', paint: plain }]
        : [piece(node.value, look.quiet)];
    case 'strong':
      return inner(look.strong, node.children);
    case 'emphasis':
      return inner(look.emphasis, node.children);
    case 'delete':
      return look.hasColor
        ? inner(look.deleted, node.children)
        : [piece('~~', plain), ...inner(plain, node.children), piece('~~', plain)];
    case 'link':
      return [...inner(look.link, node.children), ...address(node.url, wordsOf(node), shared, paint)];
    case 'linkReference': {
      const target = shared.definitions.get(node.identifier);
      const shown = inner(look.link, node.children);
      return target ? [...shown, ...address(target.url, wordsOf(node), shared, paint)] : shown;
    }
    case 'image':
      return [piece(`[image: ${node.alt || node.url}]`, look.quiet)];
    case 'imageReference':
      return [piece(`[image: ${node.alt || node.identifier}]`, look.quiet)];
    case 'footnoteReference':
      return [piece(`[${node.label ?? node.identifier}]`, look.quiet)];
    default:
      return [piece(sourceOf(node, shared), look.quiet)];
  }
}

/** Where a link leads is written out: nothing can be clicked that does not say what it opens. */
function address(url: string, words: string, { look, leadsTo }: Shared, paint: Painter): Piece[] {
  const shown = safeLine(leadsTo?.(url) ?? url);
  if (shown === '') return [];
  if (shown === words || shown === `mailto:${words}` || shown === `http://${words}`) return [];
  return [{ text: ` (${shown})`, paint: both(paint, look.quiet) }];
}

/** The words of a node without their look. */
export function wordsOf(node: Nodes): string {
  let words = '';
  const waiting: Nodes[] = [node];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if ('value' in next) words += next.value;
    else if ('children' in next) waiting.push(...next.children.toReversed());
  }
  return safeLine(words);
}

/** A node as it was written. */
export function sourceOf({ position }: Nodes, { source }: Pick<Shared, 'source'>): string {
  return source.slice(position?.start.offset ?? 0, position?.end.offset ?? 0);
}

/** One painter for each pair, so that neighbours of one look are known by it. */
function both(outer: Painter, inner: Painter): Painter {
  if (outer === plain || outer === inner) return inner;
  return inner === plain ? outer : (text) => outer(inner(text));
}

/** How Markdown looks on a terminal: of the 16 colours alone; marks say the same where there is none. */
export interface MarkdownLook {
  heading: Painter;
  strong: Painter;
  emphasis: Painter;
  deleted: Painter;
  code: Painter;
  link: Painter;
  /** Addresses, marks of lists and quotes, raw HTML. */
  quiet: Painter;
  hasColor: boolean;
}

/** @param chalk undefined for no colour */
export function markdownLook(chalk: ChalkInstance | undefined): MarkdownLook {
  if (chalk === undefined) {
    const [heading, strong, emphasis, deleted] = [plain, plain, plain, plain];
    return { heading, strong, emphasis, deleted, code: plain, link: plain, quiet: plain, hasColor: false };
  }
  return {
    heading: chalk.bold,
    strong: chalk.bold,
    emphasis: chalk.italic,
    deleted: chalk.strikethrough,
    code: chalk.cyan,
    link: chalk.underline,
    quiet: chalk.dim,
    hasColor: true,
  };
}
