import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { parseJson } from '../api/transport/json-text.js';
import type { TransportResponse } from '../api/transport.js';
import { DocsError, type Failure, localIoError } from '../base/errors.js';
import { type ExitName, exitCodes } from '../base/exit-codes.js';
import { makeFolders } from '../base/own-files.js';
import { isObject } from '../base/values.js';
import { isDraft, moveOver, openDraft } from '../base/write-file.js';
import { stringify } from '../output/json.js';
import { partName, type Shard } from './shard.js';

/** What the platform answered, a request a line: `{"get":"/v1/…","ok":true,…}`. */

export type Answer = { ok: true; response: TransportResponse } | { ok: false; error: DocsError };

/** The start of a line, which is all that an index needs. */
const head = /^\{"get":("(?:[^"\\]|\\.){0,10000}"),"ok":(true|false),/;
/** Longer texts of answers are compressed, in characters. */
const shortest = 512;
/** The largest answer that the transport takes is 64 MB (RELIABILITY.md). */
const mostBytes = 1 << 27;

/** The line of an answer, with its end. @param path encoded path and query of a GET */
function answerLine(path: string, answer: Answer): string {
  return `{"get":${JSON.stringify(path)},"ok":${answer.ok},${answer.ok ? success(answer.response) : failure(answer.error)}}\n`;
}

function success({ status, body, attempts, requestId, dateMs }: TransportResponse): string {
  const text = stringify(body);
  const kept = text.length < shortest ? { body: text } : { packed: deflateRawSync(text).toString('base64') };
  return JSON.stringify({ status, attempts, requestId, dateMs, ...kept }).slice(1, -1);
}

function failure({ kind, code, message, failure: { cause: _, ...facts } }: DocsError): string {
  return JSON.stringify({ error: { kind, code, message, facts } }).slice(1, -1);
}

/** What a line answers; undefined where it is no line of an answer. */
export function headOf(line: string): { path: string; ok: boolean } | undefined {
  const [, path, ok] = head.exec(line) ?? [];
  if (path === undefined) return undefined;
  try {
    return { path: JSON.parse(path) as string, ok: ok === 'true' };
  } catch {
    // Damaged within the text: a control character, or an escape that JSON does not have.
    return undefined;
  }
}

/** The answer of a line; undefined where it is not one. */
export function answerIn(line: string): Answer | undefined {
  try {
    const { status, attempts, requestId, dateMs, body, packed, error } = JSON.parse(line) as Record<
      string,
      unknown
    >;
    if (isObject(error)) return { ok: false, error: errorOf(error) };
    const bytes = typeof packed === 'string' ? unpacked(packed) : Buffer.from(String(body));
    const parsed = parseJson(bytes);
    if (!parsed.ok || typeof status !== 'number') return undefined;
    const facts = {
      ...(typeof requestId === 'string' && { requestId }),
      ...(typeof dateMs === 'number' && { dateMs }),
    };
    const response = { status, headers: {}, body: parsed.value, attempts: Number(attempts ?? 1), ...facts };
    return { ok: true, response };
  } catch {
    return undefined;
  }
}

function unpacked(text: string): Uint8Array {
  return inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength: mostBytes });
}

function errorOf({ kind, code, message, facts }: Record<string, unknown>): DocsError {
  const known = Object.keys(exitCodes).find((name): name is ExitName => name === kind);
  const more = isObject(facts) ? (facts as Failure) : {};
  return new DocsError(known ?? 'partial', String(code), String(message), more);
}

/**
 * A part of a list or a report: what the platform answered to the process that read it (decision 045). A file of
 * lines: the head, an answer each, and the end, which has the hash of all before it. So the whole is made by the same
 * code as one run, from the answers of all parts.
 */

export const answerFile = 'answers.ndjson';
export const answerFormat = 'docs-part/1';

/** What a part is a part of. */
export interface PartHead {
  format: string;
  command: string;
  shard: Shard;
  platform: string;
  organization: string;
  /** Flags that change what is read or found: the same in all parts, and at the merge. */
  flags: Readonly<Record<string, unknown>>;
  /** Items per request, where that was set. */
  pageSize?: number;
  startedAt: string;
}

export interface PartEnd {
  finishedAt: string;
  answers: number;
  /** The platform's clock at the first answer. */
  platformNowMs?: number;
  /** What was found out by other means than reading, by name. */
  facts: Readonly<Record<string, string>>;
  sha256: string;
}

/** Writes a part beside its place, and puts it there once it is whole. */
export class PartWriter {
  readonly facts: Record<string, string> = {};
  readonly #folder: string;
  readonly #draft: string;
  readonly #handle: FileHandle;
  readonly #hash: Hash = createHash('sha256');
  readonly #done = new Set<string>();
  #written: Promise<void> = Promise.resolve();
  #answers = 0;
  #nowMs: number | undefined;

  private constructor(folder: string, draft: string, handle: FileHandle) {
    this.#folder = folder;
    this.#draft = draft;
    this.#handle = handle;
  }

  /**
   * Begins a part. That of an earlier run goes first, so that a run which is killed, or fails, leaves none.
   * @param parts absolute: the folder of all parts
   * @throws DocsError local-io (exit 13)
   */
  static async begin(parts: string, head: Omit<PartHead, 'format'>): Promise<PartWriter> {
    const folder = join(parts, partName(head.shard));
    try {
      makeFolders(folder, 0o700);
      if (!(await lstat(folder)).isDirectory()) throw linked(folder);
      for (const name of await readdir(folder))
        if (name === answerFile || isDraft(name)) await rm(join(folder, name), { force: true });
      const { draft, handle } = await openDraft(folder);
      const writer = new PartWriter(folder, draft, handle);
      await writer.#line(`${JSON.stringify({ format: answerFormat, ...head })}\n`);
      return writer;
    } catch (cause) {
      if (cause instanceof DocsError) throw cause;
      throw localIoError(cause, `cannot write ${folder}`);
    }
  }

  /** Keeps what was answered; of several answers to one request, the first that is one. @throws DocsError (exit 13) */
  async add(path: string, answer: Answer): Promise<void> {
    if (this.#done.has(path)) return;
    if (answer.ok) {
      this.#done.add(path);
      this.#nowMs ??= answer.response.dateMs;
    }
    this.#answers += 1;
    await this.#line(answerLine(path, answer));
  }

  /** @param finishedAt ISO 8601 @throws DocsError (exit 13); the draft is gone then */
  async finish(finishedAt: string): Promise<void> {
    try {
      await this.#written;
      const platform = this.#nowMs === undefined ? {} : { platformNowMs: this.#nowMs };
      const counts = { finishedAt, answers: this.#answers, ...platform, facts: this.facts };
      const end: PartEnd = { ...counts, sha256: this.#hash.copy().digest('hex') };
      await this.#line(`${JSON.stringify({ end })}\n`);
      await this.#handle.sync();
      await this.#handle.close();
      await moveOver(this.#draft, join(this.#folder, answerFile));
    } catch (cause) {
      await this.abandon();
      if (cause instanceof DocsError) throw cause;
      throw localIoError(cause, `cannot write ${join(this.#folder, answerFile)}`);
    }
  }

  /** Leaves nothing. */
  async abandon(): Promise<void> {
    await this.#written.catch(() => {});
    await this.#handle.close().catch(() => {});
    await rm(this.#draft, { force: true }).catch(() => {});
  }

  /** One line after the other; who adds one waits for the disk. */
  #line(text: string): Promise<void> {
    this.#hash.update(text);
    this.#written = this.#written.then(async () => {
      try {
        await this.#handle.writeFile(text);
      } catch (cause) {
        throw localIoError(cause, `cannot write ${join(this.#folder, answerFile)}`);
      }
    });
    return this.#written;
  }
}

function linked(folder: string): DocsError {
  const message = `${folder} is a link or a file, and must be a folder; nothing was written`;
  return new DocsError('local-io', 'unsafe_link', message, { outcome: 'not-sent' });
}
