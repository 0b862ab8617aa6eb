import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { decodePercent } from '../base/values.js';
import { refusal } from './refusal.js';

interface SourceContent {
  bytes: Uint8Array;
  /** The server's media type; absent for a file. */
  contentType?: string;
  /** Real path of the file, if it is one of the folder. */
  file?: string;
  /** Last segment of the URL's path, decoded; '' if there is none. */
  name: string;
}

/** Fetches from a public address (fetch-public.ts). @throws DocsError */
type FetchPublic = (url: string, limits: Limits) => Promise<{ bytes: Uint8Array; contentType?: string }>;

/** How long one fetch may take; default: that of fetch-public.ts. */
interface Limits {
  timeoutMs?: number;
}

interface ContentSourceOptions {
  /** Folder in which URLs are looked up first. */
  folder?: string | undefined;
  /** Absent if the sandbox must not fetch. */
  fetchPublic?: FetchPublic | undefined;
  /** Real time in milliseconds, for limits of several reads; default 0, which sets none. */
  now?: () => number;
}

/** Largest file that is read: 10 MB (RELIABILITY.md, "The sandbox"). */
const mostSourceBytes = 10 * 1024 * 1024;

/**
 * Reads the content of URLs. By default the sandbox fetches nothing: a URL stands for the file
 * `<host>/<path>` in the folder, else for the one with the name of its last path segment. A folder there
 * stands for its `index.html`, and a missing name for the one with `.html`.
 */
export class ContentSource {
  readonly #folder: string | undefined;
  readonly #fetchPublic: FetchPublic | undefined;
  readonly now: () => number;

  constructor({ folder, fetchPublic, now = () => 0 }: ContentSourceOptions) {
    this.#folder = folder;
    this.#fetchPublic = fetchPublic;
    this.now = now;
  }

  /**
   * The content of a URL: from the folder, else from the network if allowed.
   * @throws DocsError refused with 400: not an http(s) URL, file not found, over 10 MB; or the fetch's error
   */
  async read(url: string, limits: Limits = {}): Promise<SourceContent> {
    const { hostname, pathname } = parse(url);
    const parts = pathname.split('/').filter(Boolean).map(decodePercent); // A malformed part matches no file.
    const name = parts.at(-1) ?? '';
    const folder = this.#folder;
    const found = folder && (readWithin(folder, [hostname, ...parts]) ?? readWithin(folder, parts.slice(-1)));
    if (found) return { ...found, name };
    if (this.#fetchPublic !== undefined) return { ...(await this.#fetchPublic(url, limits)), name };
    const file = name || hostname;
    throw refusal(
      400,
      folder === undefined
        ? `the sandbox does not fetch URLs; start it with --content <folder> to read ${file} from files, or with --allow-fetch`
        : `the content folder has neither ${[hostname, ...parts].join('/')} nor ${file}`,
    );
  }
}

/** The text of UTF-8 bytes, without a byte order mark; undefined for other bytes. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function parse(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') {
    throw refusal(400, `${JSON.stringify(url)} is not an http or https URL`);
  }
  return parsed;
}

/** Resolves the real path, so that neither `..` nor a link leads out of the folder. */
function readWithin(
  folder: string,
  parts: readonly string[],
): { bytes: Uint8Array; file: string } | undefined {
  const unsafe = parts.some((part) => basename(part) !== part || part.includes('\0'));
  if (parts.length === 0 || unsafe) return undefined;
  const root = realPath(folder);
  const path = join(folder, ...parts);
  for (const candidate of [path, join(path, 'index.html'), `${path}.html`]) {
    const file = realPath(candidate);
    if (root === undefined || file === undefined || !file.startsWith(root + sep)) continue;
    const stats = statSync(file);
    if (!stats.isFile()) continue;
    if (stats.size > mostSourceBytes) throw refusal(400, `${parts.join('/')} is larger than 10 MB`);
    return { bytes: readFileSync(file), file };
  }
  return undefined;
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
