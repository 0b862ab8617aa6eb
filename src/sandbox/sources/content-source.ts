import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { refusal } from '../refusal.js';

/** What an import or an OpenAPI spec gets from a URL. */
export interface SourceContent {
  bytes: Uint8Array;
  /** Media type as the server gave it; absent for a file. */
  contentType?: string;
  /** Last part of the URL's path, decoded; '' where there is none. */
  name: string;
}

/** Fetches from a public address (fetch-public.ts). @throws DocsError */
export type FetchPublic = (url: string) => Promise<{ bytes: Uint8Array; contentType?: string }>;

export interface ContentSourceOptions {
  /** Folder given at the start; URLs are looked up in it first. */
  folder?: string | undefined;
  /** Absent where the sandbox must not fetch. */
  fetchPublic?: FetchPublic | undefined;
}

/** Largest file or answer that is read: 10 MB (RELIABILITY.md, "The sandbox"). */
export const mostSourceBytes = 10 * 1024 * 1024;

/**
 * Where the content of URLs comes from. The sandbox fetches nothing by itself: a URL stands for the
 * file `<host>/<path>` under the folder, else for the one named like the last part of its path.
 */
export class ContentSource {
  readonly #folder: string | undefined;
  readonly #fetchPublic: FetchPublic | undefined;

  constructor({ folder, fetchPublic }: ContentSourceOptions) {
    this.#folder = folder;
    this.#fetchPublic = fetchPublic;
  }

  /**
   * The content of a URL: from the folder, else from the network where that is allowed.
   * @throws DocsError, a refusal with 400: no http(s) URL, no such file, over 10 MB; or what the fetch threw
   */
  async read(url: string): Promise<SourceContent> {
    const kept = this.readFile(url);
    if (kept !== undefined) return kept;
    if (this.#fetchPublic === undefined) throw refusal(400, this.#missing(url));
    return { ...(await this.#fetchPublic(url)), name: nameOf(parse(url)) };
  }

  /**
   * The content of a URL from the folder alone; undefined where there is none.
   * @throws DocsError, a refusal with 400: no http(s) URL, or over 10 MB
   */
  readFile(url: string): SourceContent | undefined {
    const parsed = parse(url);
    if (this.#folder === undefined) return undefined;
    const parts = partsOf(parsed);
    const name = nameOf(parsed);
    const bytes =
      readWithin(this.#folder, [parsed.hostname, ...parts]) ?? readWithin(this.#folder, parts.slice(-1));
    return bytes && { bytes, name };
  }

  #missing(url: string): string {
    const parsed = parse(url);
    if (this.#folder === undefined) {
      return `The sandbox fetches nothing: start it with --content <folder> for ${nameOf(parsed) || parsed.hostname}, or with --allow-fetch.`;
    }
    return `The content folder has neither ${[parsed.hostname, ...partsOf(parsed)].join('/')} nor ${nameOf(parsed) || parsed.hostname}.`;
  }
}

function parse(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') {
    throw refusal(400, `${JSON.stringify(url)} is not an http or https URL.`);
  }
  return parsed;
}

function nameOf(url: URL): string {
  return partsOf(url).at(-1) ?? '';
}

/** The decoded parts of the path. A malformed escape stays as it is: it names no file. */
function partsOf({ pathname }: URL): string[] {
  return pathname.split('/').filter(Boolean).map(decode);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** A file under the folder by its real path, so that neither `..` nor a link leads out of it. */
function readWithin(folder: string, parts: readonly string[]): Uint8Array | undefined {
  if (parts.length === 0 || parts.some((part) => basename(part) !== part || part.includes('\0')))
    return undefined;
  const root = realPath(folder);
  const file = root && realPath(join(root, ...parts));
  if (root === undefined || file === undefined || !file.startsWith(root + sep)) return undefined;
  const stats = statSync(file);
  if (!stats.isFile()) return undefined;
  if (stats.size > mostSourceBytes) throw refusal(400, `${parts.join('/')} is larger than 10 MB.`);
  return readFileSync(file);
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
