import { DocsError } from '../base/errors.js';

/** Passes bytes on and counts them. @throws DocsError bad-response `wrong_length` if they are not `expected` */
export async function* measured(
  bytes: AsyncIterable<Uint8Array>,
  expected: number | undefined,
  meter: { bytes: number },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    meter.bytes += chunk.length;
    if (expected !== undefined && meter.bytes > expected)
      throw wrongLength(expected, `more than ${expected}`);
    yield chunk;
  }
  if (expected !== undefined && meter.bytes < expected) throw wrongLength(expected, `only ${meter.bytes}`);
}

function wrongLength(expected: number, came: string): DocsError {
  const message = `Expected ${expected} bytes but received ${came}; the download is not usable.`;
  return new DocsError('bad-response', 'wrong_length', message, { outcome: 'done', retryable: true });
}
