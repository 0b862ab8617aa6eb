/** A request as the hostile server saw it. */
export interface SeenRequest {
  method: string;
  /** The target as sent: path and query, or host and port for CONNECT. */
  target: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
  /** The connection it came by, counted from 1. */
  connection: number;
  atMs: number;
}

/**
 * Takes one request off the front of the bytes received.
 * @returns the request and the bytes after it, or undefined as long as it is not whole
 */
export function takeRequest(
  bytes: Buffer,
): { request: Omit<SeenRequest, 'connection' | 'atMs'>; rest: Buffer } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const [method = '', target = ''] = first.split(' ');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const from = end + 4;
  const length = Number(headers['content-length'] ?? 0);
  if (bytes.length < from + length) return undefined;
  const body = bytes.subarray(from, from + length).toString('utf8');
  return { request: { method, target, headers, body }, rest: bytes.subarray(from + length) };
}

/** Takes all bytes for one request, for clients that do not speak HTTP. */
export function takeAnything(bytes: Buffer): ReturnType<typeof takeRequest> {
  const request = { method: '', target: '', headers: {}, body: bytes.toString('latin1') };
  return { request, rest: Buffer.alloc(0) };
}
