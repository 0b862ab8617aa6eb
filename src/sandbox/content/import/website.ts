import type { Root } from 'hast';
import { DocsError } from '../../../base/errors.js';
import { decodePercent } from '../../../base/values.js';
import type { ContentSource } from '../../sources.js';
import { freeSlug, slugOf } from '../../store/rows.js';
import {
  decodeText,
  htmlPageOf,
  type Imported,
  type ImportedPage,
  linksIn,
  parseHtml,
  titleOf,
} from './pages.js';

/**
 * Limits of one import: pages, links from the first page to the last, bytes of all pages, time for all. Clients
 * wait 30 s for an answer.
 */
export const websiteLimits = { pages: 100, depth: 5, bytes: 20 * 1024 * 1024, timeMs: 25_000 };

/** A page that was read. */
interface Read {
  url: URL;
  depth: number;
  tree: Root;
}

/** A place in the tree of pages, by the segments of paths. */
interface WebsiteFolder {
  name: string;
  page: Read | undefined;
  /** Its path in the space, once known. */
  path: string;
  below: Map<string, WebsiteFolder>;
}

/**
 * Imports a page and those that it links to, directly or by others: of the same origin, in the folder of its
 * path, within the limits. Links between them become links between pages, others absolute. Pages are placed by
 * their paths; the first one comes first.
 * @throws 400 if the first page cannot be read
 */
export async function websiteContents(url: string, contents: ContentSource): Promise<Imported> {
  const start = new URL(url);
  const { pages, missed } = await new Crawl(start, contents).run();
  const root = placeAll(start, pages);
  return { pages: await new Writing(root).pages(), files: [], reusables: [], missed };
}

class Crawl {
  readonly #start: URL;
  readonly #contents: ContentSource;
  readonly #endMs: number;
  readonly #pages: Read[] = [];
  readonly #files = new Set<string>();
  readonly #seen = new Set<string>();
  readonly #queue: { url: URL; depth: number }[] = [];
  #bytesLeft = websiteLimits.bytes;
  #missed = 0;

  constructor(start: URL, contents: ContentSource) {
    this.#start = start;
    this.#contents = contents;
    this.#endMs = contents.now() + websiteLimits.timeMs;
  }

  async run(): Promise<{ pages: Read[]; missed: number }> {
    this.#seen.add(keyOf(this.#start));
    await this.#read({ url: this.#start, depth: 0 });
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      if (this.#isSpent()) this.#missed += 1;
      else await this.#readLinked(next);
    }
    return { pages: this.#pages, missed: this.#missed };
  }

  #isSpent(): boolean {
    const late = this.#contents.now() >= this.#endMs;
    return late || this.#bytesLeft <= 0 || this.#pages.length >= websiteLimits.pages;
  }

  /** A linked page that cannot be read is counted as missed. */
  async #readLinked(next: { url: URL; depth: number }): Promise<void> {
    try {
      await this.#read(next);
    } catch (error) {
      if (!(error instanceof DocsError)) throw error;
      this.#missed += 1;
    }
  }

  async #read({ url, depth }: { url: URL; depth: number }): Promise<void> {
    const timeoutMs = Math.min(15_000, this.#endMs - this.#contents.now());
    const { bytes, contentType, file } = await this.#contents.read(url.href, { timeoutMs });
    const known = file !== undefined && this.#files.has(file);
    if (known || (depth > 0 && contentType !== undefined && !/html/i.test(contentType))) return;
    if (file !== undefined) this.#files.add(file);
    this.#bytesLeft -= bytes.length;
    const tree = await parseHtml(decodeText(bytes, url.href));
    this.#pages.push({ url, depth, tree });
    for (const link of linksIn(tree)) this.#follow(link, url, depth + 1);
  }

  #follow(link: string, from: URL, depth: number): void {
    const url = URL.canParse(link, from.href) ? new URL(link, from) : undefined;
    if (url === undefined || !isInside(this.#start, url) || !isPage(url)) return;
    url.search = '';
    url.hash = '';
    const key = keyOf(url);
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    if (depth > websiteLimits.depth) this.#missed += 1;
    else this.#queue.push({ url, depth });
  }
}

/** The path that a page and those below it share: without `index.html`, the ending, and slashes at the end. */
function keyOf({ pathname }: URL): string {
  return pathname
    .replace(/(?:^|\/)index\.html?$/i, '/')
    .replace(/\.html?$/i, '')
    .replace(/\/+$/, '');
}

/** The folder of the first page: of `/docs/start.html` and of `/docs/` the same, of `/docs` what is below it. */
function folderOf({ pathname }: URL): string {
  return /\.[a-z]+$/i.test(pathname)
    ? pathname.slice(0, pathname.lastIndexOf('/'))
    : pathname.replace(/\/+$/, '');
}

function isInside(start: URL, url: URL): boolean {
  const folder = folderOf(start);
  return url.origin === start.origin && `${url.pathname}/`.startsWith(`${folder}/`);
}

/** Whether a path may be that of a page: it has no ending, or one of pages. */
function isPage({ pathname }: URL): boolean {
  const ending = /\.([a-z0-9]+)$/i.exec(pathname)?.[1];
  return ending === undefined || /^(?:html?|xhtml|php|aspx?|jsp)$/i.test(ending);
}

function placeAll(start: URL, pages: readonly Read[]): WebsiteFolder {
  const root = newPlace('');
  const folder = folderOf(start);
  for (const page of pages) {
    const inner = page.depth === 0 ? '' : keyOf(page.url).slice(folder.length);
    let place = root;
    for (const name of inner.split('/').filter(Boolean)) {
      const next = place.below.get(name) ?? newPlace(decodePercent(name));
      place.below.set(name, next);
      place = next;
    }
    place.page ??= page;
  }
  return root;
}

function newPlace(name: string): WebsiteFolder {
  return { name, page: undefined, path: '', below: new Map() };
}

/** Turns the places into pages, once every page has its path, which links to it need. */
class Writing {
  readonly #root: WebsiteFolder;
  readonly #paths = new Map<string, string>();

  constructor(root: WebsiteFolder) {
    this.#root = root;
  }

  async pages(): Promise<ImportedPage[]> {
    const { page, below } = this.#root;
    const first = page && (await this.#page(page, ''));
    const taken = new Set(first && [first.slug]);
    if (page && first) this.#paths.set(keyOf(page.url), first.slug);
    this.#name(below, '', taken);
    const start = page && first && { ...(await this.#page(page, '')), slug: first.slug };
    return [...(start ? [start] : []), ...(await this.#below(below))];
  }

  #name(places: ReadonlyMap<string, WebsiteFolder>, above: string, taken: Set<string>): void {
    for (const place of places.values()) {
      const slug = freeSlug(slugOf(place.name, 'page'), taken);
      taken.add(slug);
      place.path = above + slug;
      if (place.page !== undefined) this.#paths.set(keyOf(place.page.url), place.path);
      this.#name(place.below, `${place.path}/`, new Set());
    }
  }

  async #below(places: ReadonlyMap<string, WebsiteFolder>): Promise<ImportedPage[]> {
    const made: ImportedPage[] = [];
    for (const { name, page, path, below } of places.values()) {
      const slug = path.slice(path.lastIndexOf('/') + 1);
      const pages = await this.#below(below);
      const own = page && (await this.#page(page, titleOf(name)));
      made.push({ title: titleOf(name), attributes: {}, markdown: undefined, ...own, slug, pages });
    }
    return made;
  }

  #page({ url, tree }: Read, name: string): Promise<ImportedPage> {
    const local = (target: URL) => this.#link(target, url);
    const own = decodePercent(url.pathname.split('/').at(-1) ?? '').replace(/\.[a-z]+$/i, '');
    return htmlPageOf(tree, name || own || url.hostname, { url: url.href, local });
  }

  /** A link to another page of the import, from the top of the space. */
  #link(target: URL, from: URL): string | undefined {
    const path = target.origin === from.origin ? this.#paths.get(keyOf(target)) : undefined;
    return path === undefined ? undefined : `/${path}.md${target.hash}`;
  }
}
