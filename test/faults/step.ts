/** What the hostile server does with one request. All parts are optional; the default is 200 and `{}`. */
export interface Step {
  status?: number;
  headers?: Readonly<Record<string, string | readonly string[]>>;
  /** A JSON body; sets the content type. */
  json?: unknown;
  /** A body as it is; no content type unless given. */
  body?: string | Uint8Array;
  /** A body without an end that is known: piece by piece, as fast as they are taken; the end of the connection ends it. */
  pieces?: Iterable<string | Uint8Array>;
  /** Exact bytes in place of an answer. */
  raw?: string | Uint8Array;
  /** Where a redirect (302 unless a status is given) leads. */
  redirect?: string;
  /** What `content-length` says in place of the truth; false sends none, and the end of the connection ends the body. */
  contentLength?: number | string | false;
  /** Sends the body in chunks, with chunked framing. */
  chunked?: boolean;
  /** Sends head and body, or the body of `raw` alone, in pieces of so many bytes, one each turn of the event loop. */
  drip?: number;
  /** Sends so many bytes of head and body, and then ends so. */
  cut?: { after: 'head' | number; by: 'end' | 'reset' | 'stall' };
  /** Ends the connection by RST: before a byte of the request is read, or once all of it is. */
  reset?: 'before-reading' | 'after-reading';
  /** Reads the request and never answers; after `raw`, leaves the connection open. */
  stall?: boolean;
  /** Answers once this is settled. */
  hold?: Promise<unknown>;
  /** Ends the connection after the answer. */
  close?: boolean;
}

const reasons: Readonly<Record<number, string>> = {
  200: 'OK',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
};

/** The bytes of an answer: head and body, framed as the step says. */
export function answerOf(step: Step): { head: Buffer; body: Buffer } {
  const status = step.status ?? (step.redirect === undefined ? 200 : 302);
  const body = bodyOf(step, status);
  const lines = [`HTTP/1.1 ${status} ${reasons[status] ?? 'Status'}`];
  if (
    step.json !== undefined ||
    (step.body === undefined && step.redirect === undefined && body.length > 0)
  ) {
    if (step.headers?.['content-type'] === undefined) lines.push('content-type: application/json');
  }
  if (step.redirect !== undefined) lines.push(`location: ${step.redirect}`);
  for (const [name, value] of Object.entries(step.headers ?? {})) {
    for (const one of typeof value === 'string' ? [value] : value) lines.push(`${name}: ${one}`);
  }
  if (step.chunked) lines.push('transfer-encoding: chunked');
  else if (step.contentLength !== false && step.pieces === undefined && status !== 204 && status !== 304) {
    lines.push(`content-length: ${step.contentLength ?? body.length}`);
  }
  if (step.close) lines.push('connection: close');
  return {
    head: Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'),
    body: step.chunked ? chunked(body) : body,
  };
}

function bodyOf(step: Step, status: number): Buffer {
  if (step.json !== undefined) return Buffer.from(JSON.stringify(step.json));
  if (step.body !== undefined) return Buffer.from(step.body as string);
  if (step.pieces !== undefined) return Buffer.alloc(0);
  return Buffer.from(status === 204 || status === 205 || step.redirect !== undefined ? '' : '{}');
}

function chunked(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; at += 1000) {
    const piece = body.subarray(at, at + 1000);
    parts.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}
