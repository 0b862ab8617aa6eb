import { DocsError } from '../../../base/errors.js';
import { defined, isObject } from '../../../base/values.js';
import { type ResourceName, resources } from '../../../model/resources.js';
import { jsonOf } from '../folder/json-files.js';
import { type FileEntry, manifestName, type SpaceEntry, spaceFolder } from '../folder/manifest.js';
import type { BackupReader } from '../reader.js';
import type { Query } from './query.js';
import type { SearchArea, SearchHit } from './report.js';

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
  area: Exclude<SearchArea, 'titles'>;
  /** Whether it is a list with an item a line, which may be long. */
  isList?: true;
  things(value: unknown): Thing[];
}

/** By kind of file in the manifests; pages and files are read in ways of their own. */
const searchedKinds: ReadonlyMap<string, SearchedKind> = new Map<string, SearchedKind>([
  searched('organization', 'settings', []),
  searched('translation', 'settings', ['languages']),
  searched('saml-provider', 'settings', ['entityID', 'ssoURL']),
  searched('member', 'people', ['user.email']),
  searched('team', 'people', ['description']),
  searched('collection', 'spaces', ['description']),
  searched('space', 'spaces', ['description']),
  searched('custom-field', 'fields', ['name', 'description', 'options']),
  ['fields', { area: 'fields', things: fieldValues }],
  searched('site', 'sites', ['description', 'hostname', 'urls.published']),
  searched('section', 'sites', ['description', 'path']),
  searched('section-group', 'sites', ['description']),
  searched('site-space', 'sites', ['path']),
  searched('openapi-spec', 'specs', ['sourceURL']),
  searched('change-request', 'change-requests', ['description', 'createdBy.displayName']),
  ['comments', { area: 'comments', isList: true, things: comments }],
]);

/** @param texts what is searched beside the title */
function searched(name: ResourceName, area: SearchedKind['area'], texts: string[]): [string, SearchedKind] {
  const { printed, titles, id } = resources[name];
  const things = (value: unknown) => [thing(value, printed.search, [...titles, id], texts)];
  // The file of one is called as the resource, a list of several in the plural.
  return [printed.backup, { area, things, ...(printed.backup !== name && { isList: true }) }];
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

export interface SearchOptions {
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
  if (options.withOrganization) yield* new Part(reader, options, '', undefined).hits(reader.manifest.files);
  for (const entry of options.spaces) {
    const at = `${spaceFolder(entry.folder)}/`;
    const part = new Part(reader, options, at, entry.title);
    const manifest = await part.attempt(manifestName, entry.title, async () => {
      const found = await reader.space(entry);
      if (found === undefined)
        throw new DocsError('not-found', 'space_not_read', 'missing, or the backup never read this space');
      return found;
    });
    if (manifest !== undefined) yield* part.hits(manifest.files);
  }
}

/** The files of the organization, or of a space. */
class Part {
  readonly #reader: BackupReader;
  readonly #options: SearchOptions;
  /** Folder of its files, with `/` at its end; '' for the top. */
  readonly #at: string;
  readonly #space: string | undefined;

  constructor(reader: BackupReader, options: SearchOptions, at: string, space: string | undefined) {
    this.#reader = reader;
    this.#options = options;
    this.#at = at;
    this.#space = space;
  }

  async *hits(files: readonly FileEntry[]): AsyncGenerator<SearchHit> {
    const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
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
    return this.#attempted(path, title, async () => {
      const value = jsonOf(await this.#text(path));
      return kind.things(value).flatMap((thing) => this.#found(path, thing));
    });
  }

  async #page(file: FileEntry, text: FileEntry | undefined): Promise<SearchHit[]> {
    const { path, title = '', id } = file;
    const named = await this.#attempted(path, title, async () => {
      const page = jsonOf(await this.#text(path));
      const [own = title] = textsAt(page, 'title');
      return [{ title: own, texts: textsAt(page, 'description') }];
    });
    const markdown =
      text && (await this.#attempted(text.path, title, async () => [await this.#text(text.path)]));
    const { title: own, texts } = named[0] ?? { title, texts: [] };
    const thing = { kind: 'page', ...defined({ id }), title: own, texts: [...texts, ...(markdown ?? [])] };
    return this.#found(text?.path ?? path, thing);
  }

  async *#list({ path, title }: FileEntry, { things }: SearchedKind): AsyncGenerator<SearchHit> {
    try {
      for await (const item of this.#reader.items(this.#at + path))
        for (const thing of things(item)) yield* this.#found(path, thing);
    } catch (error) {
      this.#tell(path, title, error);
    }
  }

  /** Words of titles alone if that is asked for. */
  #found(path: string, { kind, id, title, texts }: Thing): SearchHit[] {
    const { query, areas = [] } = this.#options;
    const searched = areas.includes('titles') ? [] : texts;
    if (!query.isIn([title, ...searched])) return [];
    let snippet: string | undefined;
    for (const text of searched) snippet ??= query.excerpt(text);
    return [defined({ kind, id, title, space: this.#space, path: this.#at + path, snippet })];
  }

  #text(path: string): Promise<string> {
    return this.#reader.text(this.#at + path);
  }

  async #attempted<T>(path: string, title: string, read: () => Promise<T[]>): Promise<T[]> {
    return (await this.attempt(path, title, read)) ?? [];
  }

  /** @returns undefined for a file that is missing or damaged, which is told */
  async attempt<T>(path: string, title: string, read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      this.#tell(path, title, error);
      return undefined;
    }
  }

  #tell(path: string, title: string | undefined, error: unknown): void {
    const isDamage = error instanceof SyntaxError || error instanceof DocsError;
    if (!isDamage) throw error;
    const reason = error instanceof SyntaxError ? `damaged: ${error.message}` : error.message;
    this.#options.onUnsearched(defined({ path: this.#at + path, title, reason }));
  }
}

/** What a page has in common with its text. */
function keyOf({ id = '', changeRequest = '' }: FileEntry): string {
  return `${changeRequest} ${id}`;
}
