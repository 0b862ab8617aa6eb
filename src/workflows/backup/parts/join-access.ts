import { isObject } from '../../../base/values.js';
import { shardOf } from '../../../shards/shard.js';
import type { Folder } from '../folder/folder.js';
import { jsonLines, linesOf } from '../folder/json-files.js';
import { type AccessLine, isAccess, isAccessLine } from '../read/access.js';
import type { Part } from './open-parts.js';

/**
 * `access.json` of the whole: the lines of all parts in the order of the members, which the first part has read.
 * Lines of members who are not in it, as they joined while the parts were read, come last.
 * @returns undefined where no part has any
 */
export function joinedAccess(parts: readonly Part[]): AsyncIterable<Uint8Array> | undefined {
  return parts.some(({ manifest }) => manifest.files.some(isAccess)) ? jsonLines(lines(parts)) : undefined;
}

async function* lines(parts: readonly Part[]): AsyncGenerator<AccessLine> {
  const queues = parts.map((part) => new Lines(part));
  try {
    const [first] = parts;
    for await (const id of first === undefined ? [] : membersIn(first)) {
      const line = await queues[shardOf(id, parts.length) - 1]?.of(id);
      if (line !== undefined) yield line;
    }
    for (const queue of queues) yield* queue.rest();
  } finally {
    for (const queue of queues) await queue.close();
  }
}

async function* membersIn({ folder, manifest }: Part): AsyncGenerator<string> {
  const entry = manifest.files.find(({ kind }) => kind === 'members');
  if (entry === undefined) return;
  for await (const member of itemsOf(folder, entry.path))
    if (isObject(member) && typeof member.id === 'string') yield member.id;
}

async function* itemsOf(folder: Folder, path: string): AsyncGenerator<unknown> {
  const bytes = await folder.read(path);
  if (bytes !== undefined) yield* linesOf(bytes);
}

/** The lines of a part. They are in the order in which they are asked for, with few exceptions. */
class Lines {
  readonly #source: AsyncGenerator<unknown>;
  /** Read before they were asked for. */
  readonly #held = new Map<string, AccessLine>();

  constructor({ folder, manifest }: Part) {
    const path = manifest.files.find(isAccess)?.path;
    this.#source = path === undefined ? none() : itemsOf(folder, path);
  }

  async of(member: string): Promise<AccessLine | undefined> {
    const held = this.#held.get(member);
    this.#held.delete(member);
    if (held !== undefined) return held;
    for (;;) {
      const line = await this.#next();
      if (line === undefined || line.member === member) return line;
      this.#held.set(line.member, line);
    }
  }

  async *rest(): AsyncGenerator<AccessLine> {
    yield* this.#held.values();
    for (let line = await this.#next(); line !== undefined; line = await this.#next()) yield line;
  }

  async close(): Promise<void> {
    await this.#source.return(undefined);
  }

  async #next(): Promise<AccessLine | undefined> {
    for (;;) {
      const { done, value } = await this.#source.next();
      if (done) return undefined;
      if (isAccessLine(value)) return value;
    }
  }
}

async function* none(): AsyncGenerator<unknown> {}
