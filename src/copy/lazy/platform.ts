import { type Client, createClient } from '../../api/client.js';
import type { DownloadOptions, TransportRequest, TransportResponse } from '../../api/transport.js';
import { DocsError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { Addresses } from './addresses.js';

/** A request that a copy sent to the platform; status 0 where there was no response. */
export interface Read {
  method: string;
  path: string;
  status: number;
}

interface Kept {
  atMs: number;
  bytes: number;
  answer: Promise<TransportResponse>;
}

/** What was read lately is not read again: a command, a change and its before and after ask for the same. */
const keptMs = 60_000;
const mostBytes = 32 * 1024 * 1024;

/**
 * The platform as a copy sees it: reads alone, and each address once a minute at most. Whoever asks for an
 * address that is being read waits for that one answer. A failure is kept as well, so that the retries of the
 * command are not multiplied by those of this client.
 */
export class Platform {
  /** What was read, in order. */
  readonly reads: Read[] = [];
  /** Sends the reads of declared operations. */
  readonly client: Client;
  /** Where it has the bytes of what it told. */
  readonly addresses = new Addresses(this);
  readonly #real: Client;
  readonly #io: Pick<Io, 'now'>;
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  constructor(real: Client, io: Pick<Io, 'now'>) {
    this.#real = real;
    this.#io = io;
    this.client = createClient({
      send: async (request) => {
        const answer = await this.get(request);
        return { ...answer, body: parsed(answer.body as Uint8Array) };
      },
      download: (url, options) => this.download(url, options),
      platformNowMs: undefined,
      close: async () => {},
    });
  }

  /**
   * Reads an address of the API; the body of the response is its bytes.
   * @throws DocsError as `Transport`; `bug` for anything but a GET, of which nothing is sent
   */
  get({ method, path, signal }: TransportRequest): Promise<TransportResponse> {
    if (method !== 'GET') return Promise.reject(writeToPlatform(method, path));
    const kept = this.#kept.get(path);
    if (kept !== undefined && this.#io.now() - kept.atMs < keptMs) return kept.answer;
    const answer = this.#read(path, signal);
    answer.catch(() => {});
    this.#keep(path, answer);
    return answer;
  }

  /** Streams the bytes of an address that the platform named. @throws DocsError as `Transport` */
  async download(url: string, options: DownloadOptions): Promise<AsyncIterable<Uint8Array>> {
    const read = { method: 'GET', path: URL.canParse(url) ? new URL(url).pathname : url, status: 0 };
    this.reads.push(read);
    const onHead: DownloadOptions['onHead'] = (head) => {
      read.status = head.status;
      options.onHead?.(head);
    };
    return this.#real.download(url, { ...options, onHead });
  }

  async #read(path: string, signal: AbortSignal | undefined): Promise<TransportResponse> {
    const read: Read = { method: 'GET', path, status: 0 };
    this.reads.push(read);
    try {
      const headers = { accept: 'application/json' };
      const sent = { method: 'GET', path, read: 'bytes', headers, ...(signal && { signal }) } as const;
      const answer = await this.#real.send(sent);
      read.status = answer.status;
      const body = answer.body as Uint8Array | undefined;
      if (body !== undefined) this.addresses.note(body);
      this.#count(path, body?.length ?? 0);
      return answer;
    } catch (error) {
      if (error instanceof DocsError) read.status = error.failure.status ?? 0;
      if (error instanceof DocsError && error.kind === 'interrupted') this.#drop(path);
      throw error;
    }
  }

  #keep(path: string, answer: Promise<TransportResponse>): void {
    this.#drop(path);
    this.#kept.set(path, { atMs: this.#io.now(), bytes: 0, answer });
  }

  #count(path: string, bytes: number): void {
    const kept = this.#kept.get(path);
    if (kept === undefined) return;
    kept.bytes = bytes;
    this.#bytes += bytes;
    for (const [oldest] of this.#kept) {
      if (this.#bytes <= mostBytes || oldest === path) break;
      this.#drop(oldest);
    }
  }

  #drop(path: string): void {
    this.#bytes -= this.#kept.get(path)?.bytes ?? 0;
    this.#kept.delete(path);
  }
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch (cause) {
    throw new DocsError('bad-response', 'not_json', 'The response of the platform is not JSON.', { cause });
  }
}

/** Whoever rehearses relies on it that the platform is only read. */
function writeToPlatform(method: string, path: string): DocsError {
  const message = `This is a bug in docs: ${method} ${path.split('?', 1)[0]} was not sent, because a copy only reads the platform.`;
  return new DocsError('bug', 'read_only', message, { outcome: 'not-sent', hint: 'docs doctor' });
}
