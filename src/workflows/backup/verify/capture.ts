import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Content } from '../../../base/write-file.js';
import { Digest, type Written } from '../folder/digest.js';
import type { FileEntry } from '../folder/manifest.js';
import type { Sink } from '../read/sink.js';

/** What the platform has now, as a backup would have it. Of files that are the same only the hash is kept. */
export class Capture implements Sink {
  readonly root = 'the platform';
  /** Pieces of files, compressed: a list of members may have 100,000. */
  readonly #held = new Map<string, Uint8Array[]>();
  readonly #hashes: ReadonlyMap<string, string>;
  readonly holds: Sink['holds'];

  /**
   * @param at folder of the files, with `/` at its end; '' for the top
   * @param old files of the backup
   * @param holds whether a file of the backup counts as there
   */
  constructor(at: string, old: readonly FileEntry[], holds: Sink['holds']) {
    this.#hashes = new Map(old.map(({ path, sha256 }) => [at + path, sha256]));
    this.holds = holds;
  }

  async put(path: string, content: Content): Promise<Written> {
    const digest = new Digest();
    const pieces: Uint8Array[] = [];
    for await (const piece of inPieces(content)) {
      digest.add(piece);
      pieces.push(deflateRawSync(piece));
    }
    const written = digest.result(path);
    if (this.#hashes.get(path) !== written.sha256) this.#held.set(path, pieces);
    return written;
  }

  /** The bytes of a file that differs from the backup. */
  async read(path: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    const pieces = this.#held.get(path);
    return pieces && inflated(pieces);
  }

  async text(path: string): Promise<string | undefined> {
    const pieces = this.#held.get(path)?.map((piece) => inflateRawSync(piece));
    return pieces && Buffer.concat(pieces).toString('utf8');
  }
}

async function* inPieces(content: Content): AsyncGenerator<Uint8Array> {
  if (typeof content === 'string') yield Buffer.from(content);
  else if (content instanceof Uint8Array) yield content;
  else yield* content;
}

async function* inflated(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield inflateRawSync(piece);
}
