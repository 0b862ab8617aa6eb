import type { HeatPart, PagePart } from '../../document/document.js';
import type { Packed, PackedHeat, PackedPart } from '../packed.js';

/** What a page says, as its program made it. */
export interface Content {
  parts: readonly PagePart[];
  madeAt: number;
}

/** Reads the data of the page: see `Packed`. @throws if the browser is too old for it, or the page is damaged */
export async function unpack(base64: string): Promise<Content> {
  const stream = new Blob([bytesOf(base64)]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const whole = new Uint8Array(await new Response(stream).arrayBuffer());
  const length = new DataView(whole.buffer).getUint32(0, true);
  const packed = JSON.parse(new TextDecoder().decode(whole.subarray(4, 4 + length))) as Packed;
  let at = 4 + length;
  const take = (count: number) => {
    at += count;
    return whole.subarray(at - count, at);
  };
  return { parts: packed.parts.map((part) => withBytes(part, take)), madeAt: packed.madeAt };
}

function withBytes(part: PackedPart, take: (count: number) => Uint8Array): PagePart {
  return part.kind === 'heat' ? heatOf(part, take) : part;
}

function heatOf(part: PackedHeat, take: (count: number) => Uint8Array): HeatPart {
  const count = part.rows.length * part.columns.length;
  const [cells, low, high] = [take(count), take(count), take(count)];
  const why = new Uint16Array(count);
  for (let at = 0; at < count; at += 1) why[at] = (low[at] ?? 0) | ((high[at] ?? 0) << 8);
  return { ...part, cells, why };
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}
