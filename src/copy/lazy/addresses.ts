import type { Client } from '../../api/client.js';
import { DocsError } from '../../base/errors.js';
import { refusal } from '../../sandbox/refusal.js';
import type { Named } from '../../sandbox/server/front.js';
import { isRefusal } from './platform-refusal.js';

/** Members of answers that hold the address of bytes: of a file, of a PDF, of a spec. */
const holders = /"(?:downloadURL|url)"\s*:\s*("(?:[^"\\]|\\.)*")/g;

/**
 * The addresses of bytes that the platform named in its answers. A command sees them as they are, and has the copy
 * fetch them: with the limits that the platform's own client sets to addresses, and without any token elsewhere.
 */
export class Addresses {
  readonly #platform: Pick<Client, 'download'>;
  readonly #named = new Set<string>();

  constructor(platform: Pick<Client, 'download'>) {
    this.#platform = platform;
  }

  /** Remembers the addresses in an answer of the platform. */
  note(answer: Uint8Array): void {
    const text = Buffer.from(answer.buffer, answer.byteOffset, answer.length).toString('utf8');
    for (const [, address = ''] of text.matchAll(holders)) this.#named.add(JSON.parse(address) as string);
  }

  /**
   * The bytes at an address.
   * @returns undefined unless the platform named it
   * @throws DocsError what is refused there, 400 for an address that the client does not take, 503 for the rest
   */
  async open(address: string, signal: AbortSignal): Promise<Named | undefined> {
    if (!this.#named.has(address)) return undefined;
    let head: { status: number; headers: Readonly<Record<string, string>>; length?: number } | undefined;
    try {
      const bytes = await this.#platform.download(address, {
        signal,
        onHead: (its) => {
          head = its;
        },
      });
      const type = head?.headers['content-type'] ?? 'application/octet-stream';
      return { bytes, type, ...(head?.length !== undefined && { length: head.length }) };
    } catch (error) {
      if (isRefusal(error)) throw error;
      if (!(error instanceof DocsError) || error.kind === 'bug') throw error;
      const message = `The copy could not download from the platform: ${error.message}`;
      throw refusal(error.kind === 'bad-response' || error.kind === 'configuration' ? 400 : 503, message);
    }
  }
}
