import { inflateSync } from 'node:zlib';
import { dimensionsOf } from '../media.js';

export interface Picture {
  bytes: Uint8Array;
  width: number;
  height: number;
}

/** Larger ones are left out, in pixels. */
const mostPixels = 25_000_000;

/**
 * A PNG or JPEG with its dimensions; undefined for others, and for one that is damaged: pdfkit unpacks a PNG
 * later, where nothing could catch its error.
 */
export function pictureOf(bytes: Uint8Array): Picture | undefined {
  const size = dimensionsOf(bytes);
  if (size === undefined || size.width * size.height === 0 || size.width * size.height > mostPixels)
    return undefined;
  const isJpeg = bytes[0] === 0xff;
  return isJpeg || isWholePng(bytes, size) ? { bytes, ...size } : undefined;
}

/** Bits of a pixel by the type of colour, for one bit a channel. */
const channels: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
/** The passes of an interlaced image: first column and row, and the steps to the next ones. */
const passes = [
  ...[
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
  ],
  ...[
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
  ],
];

function isWholePng(bytes: Uint8Array, { width, height }: { width: number; height: number }): boolean {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (data.length < 33 || data.readUInt32BE(0) !== 0x89504e47) return false;
  const [depth = 0, color = -1, , , interlaced] = data.subarray(24, 29);
  const bits = (channels[color] ?? 0) * depth;
  const sizes = interlaced === 1 ? passes : [[0, 0, 1, 1]];
  const rows = sizes.flatMap(([x = 0, y = 0, dx = 1, dy = 1]) => {
    const columns = Math.ceil((width - x) / dx);
    const count = columns > 0 ? Math.max(0, Math.ceil((height - y) / dy)) : 0;
    return Array.from({ length: count }, () => 1 + Math.ceil((columns * bits) / 8));
  });
  const expected = rows.reduce((sum, row) => sum + row, 0);
  const pixels = bits === 0 ? undefined : unpacked(data, expected);
  return pixels !== undefined && pixels.length === expected && haveFilters(pixels, rows);
}

/** Every row begins with one of five filters. */
function haveFilters(pixels: Buffer, rows: readonly number[]): boolean {
  let at = 0;
  return rows.every((length) => {
    const filter = pixels[at] ?? 5;
    at += length;
    return filter < 5;
  });
}

function unpacked(png: Buffer, mostBytes: number): Buffer | undefined {
  const parts: Buffer[] = [];
  let ended = false;
  for (let at = 8; at + 12 <= png.length && !ended; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    if (at + 12 + length > png.length) return undefined;
    if (type === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length));
    ended = type === 'IEND';
    at += 12 + length;
  }
  try {
    return ended ? inflateSync(Buffer.concat(parts), { maxOutputLength: Math.max(mostBytes, 1) }) : undefined;
  } catch {
    return undefined;
  }
}
