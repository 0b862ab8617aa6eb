import { redactText } from '../../base/redaction.js';
import type { Headers } from './contract.js';
import type { DispatchRequest, Received } from './exchange.js';
import { isSecretName, type Redaction, redactJson, redactQuery } from './redaction.js';

/** Maximum number of characters shown of a body. */
const longestBody = 16_384;

/** Shows what goes over the wire, for `--debug` and `DOCS_DEBUG`. */
export interface Trace {
  request(origin: string, request: DispatchRequest): void;
  received(received: Received, ms: number): void;
  note(text: string): void;
}

/**
 * All debug output goes through here, without secrets (RELIABILITY.md, "Secrets and origins").
 * @param redaction hides the token and whatever else must not appear in any encoding
 */
export function createTrace(
  debug: { body: boolean; write(line: string): void },
  redaction: Redaction,
): Trace {
  const line = (text: string) => debug.write(redactText(redaction.text(text)));
  // Hidden before it is cut, since the beginning of a secret would not be recognized.
  const bodyLine = (mark: string, text: string) => line(`${mark} ${shortened(redaction.cutText(text))}`);
  return {
    request(origin, { method, path, headers, body }) {
      line(`> ${method} ${origin}${redactQuery(path)}`);
      for (const header of headerLines(headers)) line(`> ${header}`);
      if (debug.body && body !== null) bodyLine('>', redactJson(body));
    },
    received({ head, body, end, error }, ms) {
      if (head === undefined) {
        line(`< no answer after ${Math.round(ms)} ms: ${end === 'stopped' ? 'stopped' : describe(error)}`);
        return;
      }
      line(
        `< ${head.status} after ${Math.round(ms)} ms, ${body.length} bytes${end === 'whole' ? '' : `, ${end}`}`,
      );
      for (const header of headerLines(head.headers)) line(`< ${header}`);
      if (debug.body && body.length > 0) bodyLine('<', bodyText(head.headers, body));
    },
    note: (text) => line(`* ${text}`),
  };
}

/** Omits the Authorization header and hides other values that look secret. */
function headerLines(headers: Headers): string[] {
  return Object.entries(headers)
    .filter(([name]) => name !== 'authorization')
    .map(([name, value]) => `${name}: ${isSecretName(name) ? '[redacted]' : redactQuery(value)}`);
}

function bodyText(headers: Headers, body: Uint8Array): string {
  const type = headers['content-type'] ?? '';
  if (!/json|text|xml|form/i.test(type)) return `(${body.length} bytes of ${type || 'unknown type'})`;
  return redactJson(Buffer.from(body).toString('utf8'));
}

function shortened(text: string): string {
  if (text.length <= longestBody) return text;
  return `${text.slice(0, longestBody)}… (${text.length - longestBody} characters more)`;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code = 'code' in error && typeof error.code === 'string' ? `${error.code} ` : '';
  return `${code}${error.message}`;
}
