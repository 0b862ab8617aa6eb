import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipFile {
  name: string;
  text?: string;
  bytes?: Uint8Array;
  /** Not compressed. */
  stored?: boolean;
  /** What the directory tells instead of the truth. */
  told?: { size?: number; flags?: number; method?: number; checksum?: number; unixMode?: number };
}

/** A ZIP archive of the files, as honest as `told` lets it be. */
export function zipOf(files: readonly ZipFile[], comment = ''): Buffer {
  const bodies: Buffer[] = [];
  const lines: Buffer[] = [];
  let offset = 0;
  for (const { name, text = '', bytes = Buffer.from(text), stored = false, told = {} } of files) {
    const packed = stored ? Buffer.from(bytes) : deflateRawSync(bytes);
    const path = Buffer.from(name);
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(path.length, 26);
    bodies.push(head, path, packed);
    const line = Buffer.alloc(46);
    line.writeUInt32LE(0x02014b50, 0);
    line.writeUInt16LE(told.flags ?? 0x800, 8);
    line.writeUInt16LE(told.method ?? (stored ? 0 : 8), 10);
    line.writeUInt32LE(told.checksum ?? crc32(bytes), 16);
    line.writeUInt32LE(packed.length, 20);
    line.writeUInt32LE(told.size ?? bytes.length, 24);
    line.writeUInt16LE(path.length, 28);
    line.writeUInt32LE(((told.unixMode ?? 0o100644) << 16) >>> 0, 38);
    line.writeUInt32LE(offset, 42);
    lines.push(Buffer.concat([line, path]));
    offset += 30 + path.length + packed.length;
  }
  const directory = Buffer.concat(lines);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...bodies, directory, end, Buffer.from(comment)]);
}
