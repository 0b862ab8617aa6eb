import type { Html } from 'mdast';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import type { WrittenLink } from './written-link.js';

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
export function targetsInHtml(text: string, { value, position }: Html): WrittenLink[] {
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
