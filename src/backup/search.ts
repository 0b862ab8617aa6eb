import { DocsError } from '../base/errors.js';
import { searchKey } from '../base/name.js';
import { defined, isObject, literal } from '../base/values.js';
import { allResources, type Resource, type SearchArea } from '../model/resources.js';
import { safeLine } from '../output/text.js';
import { type FileEntry, manifestName, type SpaceEntry, spaceFolder } from './manifest.js';
import type { BackupReader, StoredFiles } from './reader.js';
import type { SearchHit } from './shapes.js';

/** Searches a backup: what of it has all words. */

/** Characters of an excerpt before its match, and in all. */
const before = 16;
const longest = 160;

/** Words and phrases that must all occur, whatever their case and accents. */
export class Query {
  /** Folded; a space stands for any white space. */
  readonly #words: readonly (string | RegExp)[];

  /** @param typed words; one with white space in it, or in double quotes, is a phrase */
  constructor(typed: readonly string[]) {
    const texts = typed
      .map((word) => searchKey(word.replace(/^"(.*)"$/s, '$1')).trim())
      .filter((word) => word !== '');
    this.#words = texts.map((text) => (/\s/.test(text) ? phrase(text) : text));
  }

  /** Whether it has no words. */
  get isEmpty(): boolean {
    return this.#words.length === 0;
  }

  /** Whether every word occurs in one of the texts. */
  isIn(texts: readonly string[]): boolean {
    const folded = texts.map(searchKey);
    return this.#words.every((word) => folded.some((text) => placeOf(word, text) !== undefined));
  }

  /** One line around the first match in a text, safe to print; undefined if no word is in it. */
  excerpt(text: string): string | undefined {
    const folded = searchKey(text);
    const places = this.#words.flatMap((word) => placeOf(word, folded)?.start ?? []);
    if (places.length === 0) return undefined;
    const starts = startsOf(text);
    const match = starts[Math.min(...places)] ?? 0;
    const from = match <= before ? 0 : wholeAt(text, match - before);
    const to = wholeAt(text, Math.min(from + longest, text.length));
    const cut = text.slice(from, to).replaceAll(/\s+/g, ' ').trim();
    return safeLine(`${from === 0 ? '' : '…'}${cut}${to === text.length ? '' : '…'}`);
  }

  /** Where words are in a text, in order and apart from each other: start and end. */
  marks(text: string): [start: number, end: number][] {
    const folded = searchKey(text);
    const starts = startsOf(text);
    const found = this.#words.flatMap((word) => allPlaces(word, folded));
    found.sort((a, b) => a.start - b.start || b.end - a.end);
    const marks: [number, number][] = [];
    for (const { start, end } of found) {
      const [from, to] = [starts[start] ?? text.length, starts[end] ?? text.length];
      const last = marks.at(-1);
      if (last === undefined || from >= last[1]) marks.push([from, to]);
      else last[1] = Math.max(last[1], to);
    }
    return marks;
  }
}

interface TextRange {
  start: number;
  end: number;
}

/** Where in a text each character of its folded form begins. */
function startsOf(text: string): number[] {
  const starts: number[] = [];
  let at = 0;
  for (const character of text) {
    const length = searchKey(character).length;
    for (let one = 0; one < length; one += 1) starts.push(at);
    at += character.length;
  }
  return starts;
}

function phrase(text: string): RegExp {
  const words = text.split(/\s+/).map(literal);
  return new RegExp(words.join('\\s+'), 'g');
}

function placeOf(word: string | RegExp, folded: string): TextRange | undefined {
  if (typeof word === 'string') {
    const start = folded.indexOf(word);
    return start === -1 ? undefined : { start, end: start + word.length };
  }
  word.lastIndex = 0;
  const match = word.exec(folded);
  return match === null ? undefined : { start: match.index, end: match.index + match[0].length };
}

function allPlaces(word: string | RegExp, folded: string): TextRange[] {
  const places: TextRange[] = [];
  for (let from = 0; ; ) {
    const place = placeOf(word, folded.slice(from));
    if (place === undefined) return places;
    places.push({ start: from + place.start, end: from + place.end });
    from += place.end;
  }
}

/** A place that does not split a character of two units. */
function wholeAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}

/** Something of a backup as it is searched. */
interface Thing {
  kind: string;
  id?: string;
  title: string;
  /** What is searched beside the title. */
  texts: string[];
}

/** How the files of a kind are read. */
interface SearchedKind {
  area: SearchArea;
  /** Whether it is a list with an item a line, which may be long. */
  isList?: true;
  things(value: unknown): Thing[];
}

/** By kind of file in the manifests; pages and files are read in ways of their own. */
const searchedKinds: ReadonlyMap<string, SearchedKind> = new Map<string, SearchedKind>([
  ...allResources.flatMap(searchedAs),
  ['fields', { area: 'fields', things: fieldValues }],
  ['comments', { area: 'comments', isList: true, things: comments }],
]);

function searchedAs({ name, printed, titles, id, searched }: Resource): [string, SearchedKind][] {
  if (searched === undefined) return [];
  const [area, ...texts] = searched;
  const things = (value: unknown) => [thing(value, printed.search, [...titles, id], texts)];
  // The file of one is called as the resource, a list of several in the plural.
  return [[printed.backup, { area, things, ...(printed.backup !== name && { isList: true }) }]];
}

function thing(value: unknown, kind: string, titles: readonly string[], texts: readonly string[]): Thing {
  const [id] = textsAt(value, 'id');
  const title = titles.flatMap((path) => textsAt(value, path))[0] ?? id ?? '';
  return {
    kind,
    ...(id !== undefined && { id }),
    title,
    texts: texts.flatMap((path) => textsAt(value, path)),
  };
}

/** The texts at a dotted path: one, or those of a list. */
function textsAt(value: unknown, path: string): string[] {
  let at = value;
  for (const key of path.split('.')) at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  if (typeof at === 'string') return [at];
  if (typeof at === 'number' || typeof at === 'boolean') return [String(at)];
  return Array.isArray(at) ? at.filter((item) => typeof item === 'string') : [];
}

function fieldValues(value: unknown): Thing[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry): Thing[] => {
    const texts = textsAt(entry, 'value');
    if (!isObject(entry) || texts.length === 0) return [];
    return [{ ...thing(entry.customField, 'field-value', ['title', 'name'], []), texts }];
  });
}

/** A comment and its replies; the title of each is the name of who wrote it. */
function comments(value: unknown): Thing[] {
  if (!isObject(value)) return [];
  const of = (item: unknown, kind: string): Thing =>
    thing(item, kind, ['postedBy.displayName'], ['body.markdown']);
  const replies = Array.isArray(value.replies) ? value.replies : [];
  return [of(value.comment, 'comment'), ...replies.map((reply) => of(reply, 'reply'))];
}

/** What could not be searched. */
export interface Unsearched {
  path: string;
  title?: string;
  reason: string;
}

interface SearchOptions {
  query: Query;
  /** In the order of their folders. */
  spaces: readonly SpaceEntry[];
  /** Whether members, teams, sites and the like are searched, too. */
  withOrganization: boolean;
  /** Default: all. `titles` searches nothing but titles and names, of the other areas or of all. */
  areas?: readonly SearchArea[];
  /** Told of each file that is missing or damaged; the rest is searched. */
  onUnsearched(unsearched: Unsearched): void;
}

/** Files read ahead. */
const ahead = 8;

/**
 * What of a backup has all words: first of the organization, then of each space, by path. Holds a few files at a
 * time.
 * @throws DocsError (exit 13) if the disk fails
 */
export async function* searchBackup(reader: BackupReader, options: SearchOptions): AsyncGenerator<SearchHit> {
  if (options.withOrganization) yield* new PartSearch(reader.top, options).hits();
  for (const entry of options.spaces) {
    const path = `${spaceFolder(entry.folder)}/${manifestName}`;
    const files = await attempt(options, { path, title: entry.title }, async () => {
      const found = await reader.filesOf(entry);
      if (found === undefined)
        throw new DocsError('not-found', 'space_not_read', 'missing, or the backup never read this space');
      return found;
    });
    if (files !== undefined) yield* new PartSearch(files, options, entry.title).hits();
  }
}

/** The files of the organization, or of a space. */
class PartSearch {
  readonly #files: StoredFiles;
  readonly #options: SearchOptions;
  readonly #space: string | undefined;

  constructor(files: StoredFiles, options: SearchOptions, space?: string) {
    this.#files = files;
    this.#options = options;
    this.#space = space;
  }

  async *hits(): AsyncGenerator<SearchHit> {
    const sorted = [...this.#files.entries].sort((a, b) => (a.path < b.path ? -1 : 1));
    const texts = new Map(
      sorted.flatMap((file) => (file.kind === 'page-markdown' ? [[keyOf(file), file]] : [])),
    );
    const waiting: Promise<SearchHit[]>[] = [];
    for (const file of sorted) {
      const kind = searchedKinds.get(file.kind);
      if (kind?.isList && this.#includes(kind.area)) {
        for (const hits of waiting.splice(0)) yield* await hits;
        yield* this.#list(file, kind);
        continue;
      }
      const work = this.#single(file, kind, texts);
      if (work !== undefined) waiting.push(work);
      if (waiting.length >= ahead) yield* (await waiting.shift()) ?? [];
    }
    for (const hits of waiting) yield* await hits;
  }

  #includes(area: SearchArea): boolean {
    const areas: readonly SearchArea[] = this.#options.areas?.filter((one) => one !== 'titles') ?? [];
    return areas.length === 0 || areas.includes(area);
  }

  /** undefined for a file that is not searched. */
  #single(
    file: FileEntry,
    kind: SearchedKind | undefined,
    texts: ReadonlyMap<string, FileEntry>,
  ): Promise<SearchHit[]> | undefined {
    const { path, title = '', id } = file;
    if (file.kind === 'page' && this.#includes('pages')) return this.#page(file, texts.get(keyOf(file)));
    if (file.kind === 'file' && this.#includes('files'))
      return Promise.resolve(this.#found(path, { kind: 'file', ...defined({ id }), title, texts: [] }));
    if (kind === undefined || !this.#includes(kind.area)) return undefined;
    return this.#attempted(file, async () => {
      const value = await this.#files.json(file);
      return kind.things(value).flatMap((thing) => this.#found(path, thing));
    });
  }

  async #page(file: FileEntry, text: FileEntry | undefined): Promise<SearchHit[]> {
    const { path, title = '', id } = file;
    const named = await this.#attempted(file, async () => {
      const page = await this.#files.json(file);
      const [own = title] = textsAt(page, 'title');
      return [{ title: own, texts: textsAt(page, 'description') }];
    });
    const markdown =
      text && (await this.#attempted({ ...text, title }, async () => [await this.#files.text(text)]));
    const { title: own, texts } = named[0] ?? { title, texts: [] };
    const thing = { kind: 'page', ...defined({ id }), title: own, texts: [...texts, ...(markdown ?? [])] };
    return this.#found(text?.path ?? path, thing);
  }

  async *#list(file: FileEntry, { things }: SearchedKind): AsyncGenerator<SearchHit> {
    const { path, title } = file;
    try {
      for await (const item of this.#files.items(file))
        for (const thing of things(item)) yield* this.#found(path, thing);
    } catch (error) {
      tellUnsearched(this.#options, { path: this.#files.at + path, title }, error);
    }
  }

  /** Words of titles alone if that is asked for. */
  #found(path: string, { kind, id, title, texts }: Thing): SearchHit[] {
    const { query, areas = [] } = this.#options;
    const searched = areas.includes('titles') ? [] : texts;
    if (!query.isIn([title, ...searched])) return [];
    let snippet: string | undefined;
    for (const text of searched) snippet ??= query.excerpt(text);
    return [defined({ kind, id, title, space: this.#space, path: this.#files.at + path, snippet })];
  }

  async #attempted<T>({ path, title = '' }: FileEntry, read: () => Promise<T[]>): Promise<T[]> {
    return (await attempt(this.#options, { path: this.#files.at + path, title }, read)) ?? [];
  }
}

/** @returns undefined for a file that is missing or damaged, which `onUnsearched` gets */
async function attempt<T>(
  options: SearchOptions,
  file: Pick<Unsearched, 'path' | 'title'>,
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    tellUnsearched(options, file, error);
    return undefined;
  }
}

function tellUnsearched(
  { onUnsearched }: SearchOptions,
  { path, title }: { path: string; title?: string | undefined },
  error: unknown,
): void {
  const isDamage = error instanceof SyntaxError || error instanceof DocsError;
  if (!isDamage) throw error;
  const reason = error instanceof SyntaxError ? `damaged: ${error.message}` : error.message;
  onUnsearched(defined({ path, title, reason }));
}

/** What a page has in common with its text. */
function keyOf({ id = '', changeRequest = '' }: FileEntry): string {
  return `${changeRequest} ${id}`;
}
