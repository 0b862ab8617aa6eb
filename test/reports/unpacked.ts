import { inflateRawSync } from 'node:zlib';
import type { DefaultTreeAdapterMap } from 'parse5';
import type { PagePart } from '../../src/document/document.js';
import type { Packed } from '../../src/reports/packed.js';

/** An element of a page. */
export interface Found {
  name: string;
  attributes: Record<string, string>;
  text: string;
}

/** All elements of a parsed page, in order, with the text in them. */
export function elementsOf(node: DefaultTreeAdapterMap['node']): Found[] {
  if (!('childNodes' in node)) return [];
  const below = node.childNodes.flatMap(elementsOf);
  if (!('tagName' in node)) return below;
  const attributes = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]));
  return [{ name: node.tagName, attributes, text: textOf(node) }, ...below];
}

function textOf(node: DefaultTreeAdapterMap['node']): string {
  if ('value' in node) return node.value;
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}

/** What the data of a page holds, read as `Packed` says. */
export function unpacked(html: string): { parts: PagePart[] } {
  const base64 = /<script type="text\/plain" id="data">([\w+/=]*)<\/script>/.exec(html)?.[1] ?? '';
  const bytes = inflateRawSync(Buffer.from(base64, 'base64'));
  const length = bytes.readUInt32LE(0);
  const { parts } = JSON.parse(bytes.toString('utf8', 4, 4 + length)) as Packed;
  let at = 4 + length;
  const take = (count: number) => {
    at += count;
    return Uint8Array.from(bytes.subarray(at - count, at));
  };
  const whole = parts.map((part): PagePart => {
    if (part.kind !== 'heat') return part;
    const count = part.rows.length * part.columns.length;
    const [cells, low, high] = [take(count), take(count), take(count)];
    return { ...part, cells, why: Uint16Array.from(low, (byte, index) => byte + (high[index] ?? 0) * 256) };
  });
  return { parts: whole };
}
