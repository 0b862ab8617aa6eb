import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { timestamp } from '../api/shapes.js';
import type { Transport, TransportRequest } from '../api/transport.js';
import { Type } from '../api/type.js';
import { readJson } from '../api/validate.js';
import { DocsError, localIoError, systemCode } from '../base/errors.js';
import {
  type Answer,
  answerFile,
  answerFormat,
  answerIn,
  headOf,
  type PartEnd,
  type PartHead,
  type PartWriter,
} from './answer-part.js';
import { type PartFolder, type Shard, shardWords } from './shard.js';

/** Failures that end a run: they are no answer. */
const fatal: readonly string[] = ['interrupted', 'terminated', 'local-io', 'unauthenticated', 'bug'];

/** The same transport, which keeps what is answered to reads in a part. */
export function recorded(transport: Transport, writer: PartWriter): Transport {
  return {
    async send(request: TransportRequest) {
      if (request.method !== 'GET' || request.read !== 'json') return transport.send(request);
      const path = request.path;
      try {
        const response = await transport.send(request);
        await writer.add(path, { ok: true, response });
        return response;
      } catch (cause) {
        if (cause instanceof DocsError && !fatal.includes(cause.kind))
          await writer.add(path, { ok: false, error: cause });
        throw cause;
      }
    },
    download: (url, options) => transport.download(url, options),
    get platformNowMs() {
      return transport.platformNowMs;
    },
    get rateLimit() {
      return transport.rateLimit;
    },
    close: () => transport.close(),
  };
}

/**
 * Answers reads from parts, and sends nothing. What several parts read is as the one that started last read it, and a
 * failure only where none has an answer. What no part read is a failure: it is new since its part was read.
 */
export function replayed(parts: readonly AnswerPart[]): Transport {
  const newest = [...parts].sort(({ head: a }, { head: b }) =>
    a.startedAt > b.startedAt ? -1 : a.startedAt < b.startedAt ? 1 : a.shard.index - b.shard.index,
  );
  const times = parts.flatMap(({ end: { platformNowMs } }) => platformNowMs ?? []);
  const platformNowMs = times.length === 0 ? undefined : Math.min(...times);
  return {
    async send({ method, path }) {
      if (method !== 'GET') throw sent(method, path);
      const part = newest.find((one) => one.has(path) === 'answer') ?? newest.find((one) => one.has(path));
      if (part === undefined) throw unread();
      const answer: Answer | undefined = await part.answer(path);
      if (answer === undefined) throw changed(part);
      if (!answer.ok) throw answer.error;
      return answer.response;
    },
    async download(url) {
      throw sent('GET', url);
    },
    platformNowMs,
    close: async () => {},
  };
}

function sent(method: string, path: string): DocsError {
  const message = `this is a bug in docs: ${method} ${path} was not sent, because parts are joined without the platform`;
  return new DocsError('bug', 'read_only', message, { outcome: 'not-sent', hint: 'docs doctor' });
}

function unread(): DocsError {
  const message = 'no part has read it; it is new since its part was read';
  return new DocsError('partial', 'not_in_parts', message, { outcome: 'not-sent', retryable: true });
}

function changed({ shard }: AnswerPart): DocsError {
  const message = `${shardWords(shard)} was changed while it was joined`;
  return new DocsError('partial', 'part_changed', message, { outcome: 'not-sent', retryable: true });
}

/** Reads a part: its lines stay on disk, and only where each begins is held. */

/** Where an answer is in the file, in bytes. */
interface AnswerPosition {
  at: number;
  bytes: number;
  ok: boolean;
}

/** A longer line is none of ours: an answer has 64 MB at most. */
const mostLine = 1 << 28;
const piece = 1 << 16;
const readOnly = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export class AnswerPart {
  readonly shard: Shard;
  readonly head: PartHead;
  readonly end: PartEnd;
  readonly #handle: FileHandle;
  readonly #places: ReadonlyMap<string, AnswerPosition>;

  private constructor(handle: FileHandle, { head, end, places }: Scanned) {
    this.shard = head.shard;
    this.head = head;
    this.end = end;
    this.#handle = handle;
    this.#places = places;
  }

  /** Opens a part that is whole. @returns why it cannot be joined: `unfinished`, `damaged: …` @throws DocsError (exit 13) */
  static async open({ path, index, of }: PartFolder): Promise<AnswerPart | string> {
    const file = join(path, answerFile);
    const handle = await open(file, readOnly).catch((cause: unknown) => {
      const code = systemCode(cause);
      if (code === 'ENOENT') return 'unfinished';
      if (code === 'ELOOP' || code === 'EMLINK' || code === 'ENXIO')
        return `damaged: ${answerFile} is a link`;
      throw localIoError(cause, `cannot read ${file}`);
    });
    if (typeof handle === 'string') return handle;
    const found = await scanned(handle, { index, of }).catch(async (cause: unknown) => {
      await handle.close();
      throw localIoError(cause, `cannot read ${file}`);
    });
    if (typeof found !== 'string') return new AnswerPart(handle, found);
    await handle.close();
    return `damaged: ${found}`;
  }

  /** Whether it has an answer to a request: one, a failure, none. */
  has(path: string): 'answer' | 'failure' | undefined {
    const place = this.#places.get(path);
    if (place === undefined) return undefined;
    return place.ok ? 'answer' : 'failure';
  }

  /** What was answered; undefined where the file was changed since it was opened. */
  async answer(path: string): Promise<Answer | undefined> {
    const place = this.#places.get(path);
    if (place === undefined) return undefined;
    const buffer = Buffer.allocUnsafe(place.bytes);
    await this.#handle.read(buffer, 0, place.bytes, place.at);
    const line = buffer.toString('utf8');
    return headOf(line)?.path === path ? answerIn(line) : undefined;
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

interface Scanned {
  head: PartHead;
  end: PartEnd;
  places: ReadonlyMap<string, AnswerPosition>;
}

/** Reads a file once, from start to end. @returns what is wrong with it */
async function scanned(handle: FileHandle, shard: Shard): Promise<Scanned | string> {
  if (!(await handle.stat()).isFile()) return `${answerFile} is not a file`;
  const hash = createHash('sha256');
  const places = new Map<string, AnswerPosition>();
  let head: PartHead | undefined;
  /** The last line so far: what follows tells whether it is the end. */
  let last: { line: Buffer; at: number } | undefined;
  for await (const { line, at } of linesOf(handle)) {
    if (line === undefined) return `${answerFile} has a line that is too long`;
    if (last !== undefined) {
      hash.update(last.line);
      if (head === undefined) head = headIn(last.line);
      else if (!addPlace(places, last.line, last.at)) return `${answerFile} has a line that is not an answer`;
      if (head === undefined) return `${answerFile} is not in the format ${answerFormat}`;
    }
    last = { line, at };
  }
  const end = last === undefined ? undefined : endIn(last.line);
  if (head === undefined || end === undefined) return `${answerFile} is cut short`;
  if (end.sha256 !== hash.digest('hex')) return `the checksum of ${answerFile} does not fit`;
  const own = head.shard;
  if (own.index !== shard.index || own.of !== shard.of) return `${answerFile} is that of ${shardWords(own)}`;
  return { head, end, places };
}

/** Lines with their ends; undefined for one that is too long. What follows the last end is a line, too. */
async function* linesOf(handle: FileHandle): AsyncGenerator<{ line: Buffer | undefined; at: number }> {
  let [rest, at]: [Buffer[], number] = [[], 0];
  const buffer = Buffer.allocUnsafe(piece);
  for (let from = 0; ; ) {
    const { bytesRead } = await handle.read(buffer, 0, piece, from);
    if (bytesRead === 0) break;
    from += bytesRead;
    let start = 0;
    for (;;) {
      const stop = buffer.subarray(0, bytesRead).indexOf(10, start);
      if (stop === -1) break;
      const line = Buffer.concat([...rest, buffer.subarray(start, stop + 1)]);
      yield { line, at };
      [rest, at, start] = [[], at + line.length, stop + 1];
    }
    rest.push(Buffer.from(buffer.subarray(start, bytesRead)));
    if (rest.length * piece > mostLine) return yield { line: undefined, at };
  }
  const left = Buffer.concat(rest);
  if (left.length > 0) yield { line: left, at };
}

/** A later answer replaces a failure, and nothing else. */
function addPlace(places: Map<string, AnswerPosition>, line: Buffer, at: number): boolean {
  const found = headOf(line.toString('utf8', 0, Math.min(line.length, piece)));
  if (found === undefined) return false;
  if (places.get(found.path)?.ok !== true) places.set(found.path, { at, bytes: line.length, ok: found.ok });
  return true;
}

/** Heads and ends are short, in bytes. */
const longestEdge = 16 * piece;

const texts = Type.Record(Type.String(), Type.String());

const Head = Type.Object({
  format: Type.Literal(answerFormat),
  command: Type.String(),
  platform: Type.String(),
  organization: Type.String(),
  startedAt: timestamp,
  flags: Type.Record(
    Type.String(),
    Type.Union([Type.String(), Type.Boolean(), Type.Array(Type.Union([Type.String(), texts]))]),
  ),
  shard: Type.Object({}),
  pageSize: Type.Optional(Type.Number()),
});

const End = Type.Object({
  end: Type.Object({ finishedAt: timestamp, sha256: Type.String(), facts: texts }),
});

function headIn(line: Buffer): PartHead | undefined {
  const head = line.length > longestEdge ? undefined : readJson(Head, line.toString('utf8'));
  return head as PartHead | undefined;
}

function endIn(line: Buffer): PartEnd | undefined {
  if (line.at(-1) !== 10 || line.length > longestEdge) return undefined;
  return readJson(End, line.toString('utf8'))?.end as PartEnd | undefined;
}
