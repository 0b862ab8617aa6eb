import { crc32, deflateSync } from 'node:zlib';

const size = 32;

/** A small PNG: a white ring on blue, 32 pixels square. Uncompressed, so that its bytes are the same everywhere. */
export function logoPng(): Uint8Array {
  const rows = Array.from({ length: size }, (_, y) => [
    0,
    ...Array.from({ length: size }, (_, x) => pixel(x, y)).flat(),
  ]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 2], 8); // Eight bits a channel, red, green and blue.
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()), { level: 0 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function pixel(x: number, y: number): [number, number, number] {
  const distance = Math.hypot(x - (size - 1) / 2, y - (size - 1) / 2);
  return distance > 6 && distance < 12 ? [255, 255, 255] : [37, 99, 235];
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
}
