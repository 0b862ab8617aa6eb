import type { IncomingMessage } from 'node:http';
import { isObject } from '../../is-object.js';
import { refusal } from '../refusal.js';

const limitBytes = 10 * 1024 * 1024;

/**
 * Reads the body of a request: a JSON object; an empty body counts as none.
 * @throws 415 for another media type, 413 for more than 10 MB, 400 for other values
 */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  const { 'content-type': type, 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (type === undefined && encoding === undefined && (length ?? '0') === '0') return undefined;
  if (mediaType(type ?? '') !== 'application/json') throw refusal(415, 'Unsupported Media Type');
  const text = await readText(request, Number(length ?? 0));
  if (text === '') return undefined;
  const body = parseJson(text);
  if (!isObject(body)) throw refusal(400, 'The body must be a JSON object.');
  return body;
}

function mediaType(type: string): string {
  return (type.split(';', 1)[0] ?? '').trim().toLowerCase();
}

async function readText(request: IncomingMessage, announcedBytes: number): Promise<string> {
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
  return Buffer.concat(chunks).toString('utf8');
}

const tooLarge = () => refusal(413, 'The body is larger than 10 MB.');

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Refused like any value that is not an object.
  }
}
