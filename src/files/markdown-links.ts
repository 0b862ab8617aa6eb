import type { Html, Nodes } from 'mdast';
import { type CompileContext, fromMarkdown, type Token } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { decodePercent } from '../base/values.js';

/**
 * Links of a text with the place of each target, so that one is replaced where it stands and nothing else changes.
 */

/** What an address on a page names, whether or not that is there. */
export interface Named {
  /** Id of the space that it names; undefined for the one of the page. */
  space?: string;
  kind?: 'page' | 'file' | 'space';
  id?: string;
  /** Of a path, its last name without ending: `install` of `../guides/install.md`. */
  slug?: string;
  /** Of a path to a file, its name. */
  file?: string;
  /** The path as it is written, without what follows it. */
  path: string;
  /** Query and fragment as they are written. */
  rest: string;
}

const byId = /^(?:\/spaces\/([\w-]+))?(?:\/(pages|files)\/([\w-]+))?\/?$/;
const pageEnding = /\.(?:md|markdown|html?)$/i;

/** @returns undefined for an address with a scheme or a host, and for one within the page */
export function namedBy(address: string): Named | undefined {
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(address)) return undefined;
  const path = address.split(/[?#]/, 1)[0] ?? '';
  const rest = address.slice(path.length);
  const plain = decodePercent(path);
  if (plain === '' || plain === '/') return undefined;
  const [ids, space, kinds, id] = byId.exec(plain) ?? [];
  if (ids !== undefined) {
    const what = kinds === 'pages' ? ('page' as const) : ('file' as const);
    if (id === undefined) return { kind: 'space', id: space, path, rest };
    return { space, kind: what, id, path, rest };
  }
  const names = stepsOf(plain);
  const last = names.at(-1) ?? '';
  if (/\.[a-z0-9]{1,5}$/i.test(last) && !pageEnding.test(last))
    return { kind: 'file', file: last, path, rest };
  const isFolder = /^(?:readme|index)(?:\.\w+)?$/i.test(last);
  const slug = (isFolder ? (names.at(-2) ?? '') : last).replace(pageEnding, '');
  return { kind: 'page', ...(slug !== '' && { slug }), path, rest };
}

/** The names of a path to a page, as slugs have them: `archive`, `install` of `../archive/install.md`. */
export function namesIn(path: string): string[] {
  const names = stepsOf(decodePercent(path).toLowerCase());
  const last = names.pop();
  if (last === undefined) return [];
  return /^(?:readme|index)(?:\.\w+)?$/.test(last) ? names : [...names, last.replace(pageEnding, '')];
}

function stepsOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.' && name !== '..');
}

/** Whether a path says that it leads to a file of Markdown or HTML. */
export function hasPageEnding(path: string): boolean {
  return pageEnding.test(path);
}

interface Replacement {
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

interface Offsets {
  start: number;
  end: number;
}

/** The tree, and where the targets of its links stand, which the tree does not tell. */
function parsed(text: string) {
  const targets: Offsets[] = [];
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
function lastWithin(targets: readonly Offsets[], node: Nodes): Offsets | undefined {
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

/** The target of a link, image or definition, or of an attribute of HTML or of a block such as `{% embed %}`. */
export interface WrittenLink {
  /** Offsets of the target in the text, without angle brackets or quotes. */
  start: number;
  end: number;
  /** As it stands in the text. */
  raw: string;
  /** Without escapes of Markdown. */
  address: string;
  /** What readers see of it; of a definition, all texts that refer to it. */
  texts: readonly string[];
}
