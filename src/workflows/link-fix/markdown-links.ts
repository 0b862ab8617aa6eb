import type { Html, Nodes } from 'mdast';
import { type CompileContext, fromMarkdown, type Token } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import type { WrittenLink } from './written-link.js';

/** Links of a text with the place of each target, so that one is replaced where it stands and nothing else changes. */

export interface Replacement {
  start: number;
  end: number;
  text: string;
}

/** The links of a text in their order, outside code. Parses as GitHub does, and takes its time. */
export function linksIn(markdown: string): WrittenLink[] {
  const start = markdown.startsWith('\ufeff') ? 1 : 0;
  const text = markdown.slice(start);
  const { tree, targets } = parsed(text);
  const labels = new Map<string, string[]>();
  const found: WrittenLink[] = [];
  for (const node of all(tree))
    if (node.type === 'linkReference' || node.type === 'imageReference')
      labels.set(node.identifier, [...(labels.get(node.identifier) ?? []), wordsOf(node)]);
  for (const node of all(tree)) {
    if (node.type === 'html') found.push(...targetsInHtml(text, node));
    if (node.type === 'text') found.push(...targetsInBlocks(text, node));
    if (node.type !== 'link' && node.type !== 'image' && node.type !== 'definition') continue;
    const at = lastWithin(targets, node);
    if (at === undefined) continue;
    const texts = node.type === 'definition' ? (labels.get(node.identifier) ?? []) : [wordsOf(node)];
    found.push({ ...at, raw: text.slice(at.start, at.end), address: node.url, texts });
  }
  const moved = found.map((link) => ({ ...link, start: link.start + start, end: link.end + start }));
  return moved.sort((a, b) => a.start - b.start);
}

/** The text with some targets replaced; all else stays to the last character. */
export function withTargets(markdown: string, replacements: readonly Replacement[]): string {
  let text = '';
  let at = 0;
  for (const { start, end, text: other } of [...replacements].sort((a, b) => a.start - b.start)) {
    if (start < at) continue;
    text += markdown.slice(at, start) + other;
    at = end;
  }
  return text + markdown.slice(at);
}

/** The text without the targets of its links: what must be the same before and after. */
export function withoutTargets(markdown: string): string {
  return withTargets(
    markdown,
    linksIn(markdown).map(({ start, end }) => ({ start, end, text: '' })),
  );
}

interface Place {
  start: number;
  end: number;
}

/** The tree, and where the targets of its links stand, which the tree does not tell. */
function parsed(text: string) {
  const targets: Place[] = [];
  const note = function (this: CompileContext, token: Token): undefined {
    targets.push({ start: token.start.offset, end: token.end.offset });
    this.buffer();
  };
  const tree = fromMarkdown(text, {
    extensions: [gfm()],
    mdastExtensions: [
      gfmFromMarkdown(),
      { enter: { resourceDestinationString: note, definitionDestinationString: note } },
    ],
  });
  return { tree, targets: targets.sort((a, b) => a.start - b.start) };
}

/** A link may hold an image, whose target comes before its own. */
function lastWithin(targets: readonly Place[], node: Nodes): Place | undefined {
  const [start, end] = [node.position?.start.offset ?? 0, node.position?.end.offset ?? 0];
  const inner = 'children' in node ? (node.children.at(-1)?.position?.end.offset ?? start) : start;
  return targets.findLast((at) => at.start >= inner && at.end <= end);
}

/** All nodes in their order. A stack, because texts may nest deeper than calls. */
function* all(root: Nodes): Generator<Nodes> {
  const waiting: Nodes[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node;
    if ('children' in node) waiting.push(...(node.children as Nodes[]).toReversed());
  }
}

function wordsOf(of: Nodes): string {
  let words = '';
  for (const node of all(of)) {
    if (node.type === 'image' || node.type === 'imageReference') words += node.alt ?? '';
    else if ('value' in node && node.type !== 'html') words += node.value;
  }
  return words.replaceAll(/\s+/g, ' ').trim();
}

/** The platform's own blocks, which Markdown takes for text: `{% content-ref url="guides/install.md" %}`. */
const blocks = /\{%\s[^%\n]{0,500}?\b(?:url|src|href)="([^"\n%{}]{1,2000})"[^%\n]{0,500}%\}/dg;

function targetsInBlocks(text: string, { position }: Nodes): WrittenLink[] {
  const [from, to] = [position?.start.offset ?? 0, position?.end.offset ?? 0];
  return [...text.slice(from, to).matchAll(blocks)].map(({ indices, 1: raw = '' }) => {
    const [start, end] = indices?.[1] ?? [0, 0];
    return { start: from + start, end: from + end, raw, address: raw, texts: [] };
  });
}

/** Attributes of HTML that lead elsewhere, by element. */
const attributes: Readonly<Record<string, string>> = {
  a: 'href',
  img: 'src',
  source: 'src',
  video: 'src',
  iframe: 'src',
  embed: 'src',
};

/**
 * The targets of HTML within a text of Markdown. None where its lines stand in a quote or a list, so that their
 * places in the text are unknown, and none that is written without quotes or with escapes.
 */
function targetsInHtml(text: string, { value, position }: Html): WrittenLink[] {
  const from = position?.start.offset ?? 0;
  if (text.slice(from, position?.end.offset ?? from) !== value) return [];
  const found: WrittenLink[] = [];
  const waiting: DefaultTreeAdapterTypes.Node[] = [
    parseFragment(value, { sourceCodeLocationInfo: true, scriptingEnabled: false }),
  ];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if ('tagName' in node) found.push(...targetOf(node, value, from));
    if ('childNodes' in node) waiting.push(...node.childNodes.toReversed());
  }
  return found;
}

function targetOf(
  { tagName, attrs, sourceCodeLocation }: DefaultTreeAdapterTypes.Element,
  value: string,
  from: number,
): WrittenLink[] {
  const name = attributes[tagName];
  const address = attrs.find((one) => one.name === name)?.value;
  const place = name === undefined ? undefined : sourceCodeLocation?.attrs?.[name];
  if (address === undefined || address === '' || place === undefined) return [];
  const whole = value.slice(place.startOffset, place.endOffset);
  const quote = whole.at(-1) ?? '';
  if (!/["']/.test(quote) || !whole.endsWith(`${quote}${address}${quote}`)) return [];
  const start = from + place.endOffset - 1 - address.length;
  return [{ start, end: start + address.length, raw: address, address, texts: [] }];
}
