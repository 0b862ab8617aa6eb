import type { IncomingMessage } from 'node:http';
import { depthOf, maxDepth } from '../../api/transport/json-text.js';
import { isObject } from '../../base/values.js';
import { refusal } from '../refusal.js';

const limitBytes = 10 * 1024 * 1024;

/**
 * Reads the body of a request: a JSON object; an empty body counts as none.
 * @throws 415 for another media type, 413 for more than 10 MB, 400 for other values, and for more than 1,000 levels
 */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  const { 'content-type': type, 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (type === undefined && encoding === undefined && (length ?? '0') === '0') return undefined;
  if (mediaType(type ?? '') !== 'application/json') throw refusal(415, 'Unsupported Media Type');
  const bytes = await readBytes(request, Number(length ?? 0));
  if (bytes.length === 0) return undefined;
  if (depthOf(bytes) > maxDepth) throw refusal(400, `The body is nested over ${maxDepth} levels.`);
  const body = parseJson(bytes.toString('utf8'));
  if (!isObject(body)) throw refusal(400, 'The body must be a JSON object.');
  return body;
}

function mediaType(type: string): string {
  return (type.split(';', 1)[0] ?? '').trim().toLowerCase();
}

async function readBytes(request: IncomingMessage, announcedBytes: number): Promise<Buffer> {
  // Refused at once, and the rest read by Node: a connection that is closed while the client still writes would
  // take the answer with it.
  if (announcedBytes > limitBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > limitBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const tooLarge = () => refusal(413, 'The body is larger than 10 MB.');

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Refused like any value that is not an object.
  }
}
