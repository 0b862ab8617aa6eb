import { DocsError } from '../errors.js';

/**
 * Passes bytes on and fails where they are not as many as the platform said.
 * @param expected undefined where it did not say
 * @param meter counts along
 * @throws DocsError bad-response `wrong_length`, retryable
 */
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
  const message = `The platform said ${expected} bytes, but ${came} came; the download is not to be trusted.`;
  return new DocsError('bad-response', 'wrong_length', message, { outcome: 'done', retryable: true });
}
