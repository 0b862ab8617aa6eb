import { Readable } from 'node:stream';

/** A file of an archive; its bytes are asked for when it is its turn. */
export interface ZipItem {
  path: string;
  bytes(): Promise<AsyncIterable<Uint8Array>>;
}

/** The earliest time that an archive can state: the same bytes for the same content, in every time zone. */
const firstTime = new Date(1980, 0, 1);
const fileMode = 0o100644;

/**
 * A ZIP archive, piece by piece, with one file open at a time. The same files give the same bytes.
 * @throws whatever the bytes of a file throw
 */
export async function* zipOf(items: readonly ZipItem[]): AsyncGenerator<Uint8Array> {
  const { ZipFile } = await import('yazl');
  const zip = new ZipFile();
  const out = zip.outputStream as Readable;
  let current: Readable | undefined;
  zip.on('error', (error: Error) => out.destroy(error));
  const options = { mtime: firstTime, mode: fileMode, forceDosTimestamp: true };
  for (const { path, bytes } of items)
    zip.addReadStreamLazy(path, options, (take) => {
      bytes().then(
        (content) => {
          current = Readable.from(content, { objectMode: false });
          take(null, current);
        },
        (error: unknown) => out.destroy(error instanceof Error ? error : new Error(String(error))),
      );
    });
  zip.end();
  try {
    yield* out as AsyncIterable<Uint8Array>;
  } finally {
    current?.destroy();
    out.destroy();
  }
}
