import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onDisk } from '../base/errors.js';

/** Bytes of a file that are read at once. */
const readAtOnce = 64 * 1024;

/**
 * Items sorted into a few buckets, each in the order in which they came. Of more than some are held, the rest is
 * in temporary files, of this user alone, until `remove`.
 */
export class Buckets<T> {
  readonly #most: number;
  readonly #held = new Map<number, T[]>();
  readonly #files = new Map<number, FileHandle>();
  #folder: string | undefined;
  #count = 0;

  /** @param most items in memory */
  constructor(most = 20_000) {
    this.#most = most;
  }

  /** @throws DocsError `disk_full` and the like (exit 13) */
  async add(bucket: number, item: T): Promise<void> {
    const held = this.#held.get(bucket);
    if (held === undefined) this.#held.set(bucket, [item]);
    else held.push(item);
    this.#count += 1;
    if (this.#count >= this.#most) await onDisk(doing, () => this.#spill());
  }

  /** All items, from the lowest bucket, some at a time. @throws DocsError as `add` */
  async *items(): AsyncGenerator<T[]> {
    const numbers = new Set([...this.#files.keys(), ...this.#held.keys()]);
    for (const bucket of [...numbers].sort((one, other) => one - other)) {
      const file = this.#files.get(bucket);
      if (file !== undefined) yield* spilled<T>(file);
      const held = this.#held.get(bucket);
      if (held !== undefined) yield held;
    }
  }

  async remove(): Promise<void> {
    for (const file of this.#files.values()) await file.close().catch(() => {});
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }

  async #spill(): Promise<void> {
    this.#folder ??= await mkdtemp(join(tmpdir(), 'docs-'));
    for (const [bucket, items] of this.#held) {
      let file = this.#files.get(bucket);
      if (file === undefined) {
        file = await open(join(this.#folder, `${bucket}.ndjson`), 'wx+', 0o600);
        this.#files.set(bucket, file);
      }
      await file.appendFile(items.map((item) => `${JSON.stringify(item)}\n`).join(''));
    }
    this.#held.clear();
    this.#count = 0;
  }
}

async function* spilled<T>(file: FileHandle): AsyncGenerator<T[]> {
  const buffer = Buffer.alloc(readAtOnce);
  let rest = Buffer.alloc(0);
  for (let at = 0; ; ) {
    const { bytesRead } = await onDisk(doing, () => file.read(buffer, 0, readAtOnce, at));
    if (bytesRead === 0) return;
    at += bytesRead;
    const text = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
    const end = text.lastIndexOf(0x0a) + 1;
    rest = Buffer.from(text.subarray(end));
    const lines = text.subarray(0, end).toString('utf8').split('\n').filter(Boolean);
    if (lines.length > 0) yield lines.map((line): T => JSON.parse(line));
  }
}

const doing = 'cannot write temporary files';
