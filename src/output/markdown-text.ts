import type { ChalkInstance } from 'chalk';
import type { Definition, Nodes, PhrasingContent } from 'mdast';
import { type Painter, painters, plain } from './colors.js';
import { safeLine } from './text.js';
import { widthOf, wrap } from './text-width.js';

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
  const ofText = { heading: 'bold', strong: 'bold', emphasis: 'italic', deleted: 'strikethrough' } as const;
  const ofRest = { code: 'cyan', link: 'underline', quiet: 'dim' } as const;
  return { ...painters(chalk, { ...ofText, ...ofRest }), hasColor: chalk !== undefined };
}

/** A stretch of text of one look, sanitised. A newline is a break that the author wants. */
interface Piece {
  text: string;
  paint: Painter;
}

/** Part of a word: it is not broken off the parts beside it. */
type MeasuredPiece = Piece & { width: number };

/** Pieces as painted lines of at most `columns`; broken between words, and within one only where it is longer. */
export function flow(pieces: readonly Piece[], columns: number): string[] {
  const lines = new Lines(Math.max(1, columns));
  for (const { text, paint } of pieces) {
    for (const token of text.split(/(\n| +)/)) {
      if (token === '\n') lines.end();
      else if (token.startsWith(' ')) lines.space(paint);
      else if (token !== '') lines.part({ text: token, paint, width: widthOf(token) });
    }
  }
  return lines.all();
}

class Lines {
  readonly #columns: number;
  readonly #done: string[] = [];
  #line: MeasuredPiece[] = [];
  #used = 0;
  #word: MeasuredPiece[] = [];
  /** The space before the word, if there is one. */
  #space: Painter | undefined;

  constructor(columns: number) {
    this.#columns = columns;
  }

  part(part: MeasuredPiece): void {
    this.#word.push(part);
  }

  space(paint: Painter): void {
    this.#endWord();
    this.#space = paint;
  }

  end(): void {
    this.#endWord();
    this.#endLine();
  }

  all(): string[] {
    this.#endWord();
    if (this.#line.length > 0 || this.#done.length === 0) this.#endLine();
    return this.#done;
  }

  #endWord(): void {
    const word = this.#word;
    if (word.length === 0) return;
    this.#word = [];
    const width = word.reduce((sum, part) => sum + part.width, 0);
    const space = this.#space !== undefined && this.#used > 0 ? 1 : 0;
    if (this.#used > 0 && this.#used + space + width > this.#columns) this.#endLine();
    else if (space > 0 && this.#space !== undefined) this.#put({ text: ' ', paint: this.#space, width: 1 });
    this.#space = undefined;
    for (const part of word) this.#putWhole(part);
  }

  /** Puts a part, broken where it is longer than what is left of the line. */
  #putWhole(part: MeasuredPiece): void {
    if (this.#used + part.width <= this.#columns) {
      this.#put(part);
      return;
    }
    if (this.#used > 0 && part.width <= this.#columns) this.#endLine();
    const room = this.#columns - this.#used;
    const [first = '', ...rest] = room > 1 ? wrap(part.text, room) : ['', ...wrap(part.text, this.#columns)];
    this.#put({ ...part, text: first, width: widthOf(first) });
    const below = room > 1 ? wrap(part.text.slice(first.length), this.#columns) : rest;
    for (const text of below) {
      if (text === '') continue;
      this.#endLine();
      this.#put({ ...part, text, width: widthOf(text) });
    }
  }

  #put(part: MeasuredPiece): void {
    this.#line.push(part);
    this.#used += part.width;
  }

  /** Neighbours of one look are painted together. */
  #endLine(): void {
    let painted = '';
    for (let at = 0; at < this.#line.length; ) {
      const paint = this.#line[at]?.paint;
      let text = '';
      for (; at < this.#line.length && this.#line[at]?.paint === paint; at += 1) text += this.#line[at]?.text;
      painted += paint?.(text) ?? text;
    }
    this.#done.push(painted);
    [this.#line, this.#used, this.#space] = [[], 0, undefined];
  }
}
