import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { parseJson } from '../api/transport/json-text.js';
import type { TransportResponse } from '../api/transport.js';
import { DocsError, type ExitName, exitCodes, type Failure } from '../base/errors.js';
import { isObject } from '../base/values.js';
import { stringify } from '../output/json.js';

/** What the platform answered, a request a line: `{"get":"/v1/…","ok":true,…}`. */

export type Answer = { ok: true; response: TransportResponse } | { ok: false; error: DocsError };

/** The start of a line, which is all that an index needs. */
const head = /^\{"get":("(?:[^"\\]|\\.){0,10000}"),"ok":(true|false),/;
/** Longer texts of answers are compressed, in characters. */
const shortest = 512;
/** The largest answer that the transport takes is 64 MB (RELIABILITY.md). */
const mostBytes = 1 << 27;

/** The line of an answer, with its end. @param path encoded path and query of a GET */
export function answerLine(path: string, answer: Answer): string {
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
  return path === undefined ? undefined : { path: JSON.parse(path) as string, ok: ok === 'true' };
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
