import { decodeEntities } from './html-entities.js';

/** An element of HTML, or a text, entities decoded. */
export type HtmlNode = HtmlElement | string;

export interface HtmlElement {
  /** Lower case; '' for the root. */
  tag: string;
  attributes: ReadonlyMap<string, string>;
  children: HtmlNode[];
}

const voids = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));
/** Their text is no HTML. */
const raw = /^(?:script|style|textarea|title|noscript)$/;
/** An opening tag of these ends the one before at the same level. */
const closes: Readonly<Record<string, readonly string[]>> = {
  li: ['li', 'p'],
  p: ['p'],
  dt: ['dt', 'dd', 'p'],
  dd: ['dt', 'dd', 'p'],
  tr: ['tr', 'td', 'th'],
  td: ['td', 'th'],
  th: ['td', 'th'],
};
const deepest = 200;

const token =
  /<!--[\s\S]*?(?:-->|$)|<[!?][^>]{0,1000}>|<(\/?)([a-zA-Z][a-zA-Z0-9-]{0,50})((?:[^<>"']|"[^"]{0,5000}"|'[^']{0,5000}'){0,5000})>/g;
const attribute = /([^\s"'<>/=]{1,100})(?:\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?/g;

/**
 * Reads HTML into a tree. It takes what browsers take in everyday pages: unclosed paragraphs and list
 * items, stray end tags, any case; what lies deeper than 200 elements is attached there.
 */
export function parseHtml(html: string): HtmlElement {
  const root: HtmlElement = { tag: '', attributes: new Map(), children: [] };
  const open = [root];
  const top = () => open.at(-1) ?? root;
  const addText = (text: string) => text !== '' && top().children.push(decodeEntities(text));
  let at = 0;
  token.lastIndex = 0;
  for (let match = token.exec(html); match !== null; match = token.exec(html)) {
    addText(html.slice(at, match.index));
    at = token.lastIndex;
    const tag = match[2]?.toLowerCase();
    if (tag === undefined) continue;
    if (match[1] === '/') close(open, tag);
    else at = openTag(html, open, tag, match[3] ?? '', at);
    token.lastIndex = at;
  }
  addText(html.slice(at));
  return root;
}

/** Adds an element and returns where to read on: behind its end for those whose text is no HTML. */
function openTag(html: string, open: HtmlElement[], tag: string, attributes: string, at: number): number {
  endBefore(open, tag);
  const element: HtmlElement = { tag, attributes: readAttributes(attributes), children: [] };
  open.at(-1)?.children.push(element);
  if (raw.test(tag)) {
    const end = html.slice(at).search(new RegExp(`</${tag}\\s*>`, 'i'));
    const stop = end === -1 ? html.length : at + end;
    element.children.push(decodeEntities(html.slice(at, stop)));
    return html.indexOf('>', stop) === -1 ? html.length : html.indexOf('>', stop) + 1;
  }
  if (!voids.has(tag) && !attributes.endsWith('/') && open.length < deepest) open.push(element);
  return at;
}

function endBefore(open: HtmlElement[], tag: string): void {
  const ended = Object.hasOwn(closes, tag) ? (closes[tag] ?? []) : [];
  while (ended.includes(open.at(-1)?.tag ?? '')) open.pop();
}

function close(open: HtmlElement[], tag: string): void {
  const index = open.findLastIndex((element) => element.tag === tag);
  if (index > 0) open.length = index;
}

function readAttributes(text: string): Map<string, string> {
  const found = Array.from(
    text.matchAll(attribute),
    ([, name = '', double, single, bare]): [string, string] => [
      name.toLowerCase(),
      decodeEntities(double ?? single ?? bare ?? ''),
    ],
  );
  return new Map(found);
}
