import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

/** A written file, with what identifies its content. */
export interface Written {
  /** Below the folder, with `/` between the names on every system. */
  path: string;
  bytes: number;
  /** In hexadecimal. */
  sha256: string;
}

/** Size and hash of content that comes in pieces. */
export class Digest {
  readonly #hash = createHash('sha256');
  #bytes = 0;
  #sha256: string | undefined;

  add(chunk: string | Uint8Array): void {
    this.#bytes += typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
    this.#hash.update(chunk);
  }

  result(path: string): Written {
    this.#sha256 ??= this.#hash.digest('hex');
    return { path, bytes: this.#bytes, sha256: this.#sha256 };
  }
}

/** The content as it was, once its digest has taken it. */
export async function* digested(
  content: AsyncIterable<Uint8Array>,
  digest: Digest,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    digest.add(chunk);
    yield chunk;
  }
}

/** One buffer for the whole file, so that pieces leave no garbage. */
export async function digestOf(handle: FileHandle, path: string, piece: number): Promise<Written> {
  const digest = new Digest();
  const buffer = Buffer.allocUnsafe(piece);
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, piece);
    if (bytesRead === 0) return digest.result(path);
    digest.add(buffer.subarray(0, bytesRead));
  }
}

/** Whether two files have the same content. */
export function same(old: Written | undefined, now: Written): boolean {
  return old !== undefined && old.bytes === now.bytes && old.sha256 === now.sha256;
}
