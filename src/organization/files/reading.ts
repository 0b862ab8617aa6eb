import { type DocsError, usageError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { emailKey } from '../../base/name.js';
import {
  type Entry,
  listMistakes,
  type MapNode,
  type Mistake,
  type Node,
  positionIn,
  type ScalarNode,
  withNearest,
} from '../../files/yaml/node.js';
import type { ParsedFile } from '../../files/yaml/parse.js';
import { kindOf } from '../kinds/index.js';
import type {
  Address,
  DesiredItem,
  FileLocation,
  Guards,
  Kind,
  KindName,
  Reference,
  Scope,
} from '../model.js';
import { schemaOf } from './layout.js';

/** All mistakes of all files in one error, in the order of files and lines. */
export function badFiles(all: readonly Mistake[]): DocsError {
  const { count, mistakes, lines } = listMistakes(all);
  const files = new Set(all.map(({ file }) => file)).size;
  const message = `${count} in ${files === 1 ? '1 file' : `${files} files`}; nothing was changed`;
  const hint = `docs commands schema file:${schemaOf(mistakes[0]?.file ?? 'org.yaml')}`;
  return usageError('bad_files', message, { lines, hint, details: { mistakes } });
}

/** Where an item stands in the tree of its file, for those who edit it. */
export interface ItemNode {
  kind: Kind;
  /** Of a membership, that of the person. */
  map: MapNode;
  parsed: ParsedFile;
}

/** A list of a file, for those who add to it. */
export interface ListSpot {
  file: string;
  /** Absent where it is people.csv. */
  entry?: Entry;
  kinds: readonly Kind[];
  parent?: Address;
  scope: Scope;
}

interface Pending {
  kinds: readonly KindName[];
  /** Part of the address of kinds that have a scope. */
  within: string | undefined;
  key: string;
  place: FileLocation;
  /** Gets its address once all files are read. */
  reference?: Reference;
}

/** What is found while files are read. */
export class Reading {
  readonly mistakes: Mistake[] = [];
  readonly items = new Map<Address, DesiredItem>();
  readonly nodes = new Map<Address, ItemNode>();
  readonly lists: ListSpot[] = [];
  readonly parsed = new Map<string, ParsedFile>();
  readonly scopes: Scope[] = [];
  guards: Guards = {};
  /** The variables that `!env` may name, as org.yaml lists them; absent where it has no list. */
  variables?: ReadonlySet<string>;
  /** Path of the CSV file that `people: !file` names. */
  peopleFile?: string;
  /** Right fields of rows of people.csv, by their cells: people with the same ones share them. */
  readonly sharedFields = new Map<string, Readonly<Record<string, unknown>>>();
  /** Kinds with fields that were right, as JSON: most of hundreds of people have the same as others. */
  readonly rightForms = new Set<string>();
  readonly #broken = new Set<string>();
  readonly #pending: Pending[] = [];
  /** Natural keys are the same whatever their case where they are email addresses. */
  readonly #emails = new Map<string, DesiredItem>();

  /** @param isEdited whether texts and trees of the files are needed later: of large ones they are much */
  constructor(
    readonly io: Io,
    readonly folder: string,
    readonly isEdited = false,
  ) {}

  place(parsed: ParsedFile, offset: number, path: string): FileLocation {
    return { file: parsed.file, ...positionIn(parsed.starts, offset), path };
  }

  mistake(place: FileLocation, words: Pick<Mistake, 'message' | 'nearest'> | string): void {
    if (this.#broken.has(`${place.file}:${place.line}:${place.column}`)) return;
    this.mistakes.push({ ...place, ...(typeof words === 'string' ? { message: words } : words) });
  }

  /** Takes the mistakes of a file that was parsed: they are not reported a second time. */
  parsedMistakes(mistakes: readonly Mistake[]): void {
    for (const mistake of mistakes) {
      this.mistake(mistake, mistake);
      this.#broken.add(`${mistake.file}:${mistake.line}:${mistake.column}`);
    }
  }

  /** Keys that are not known are mistakes. */
  onlyKnown(parsed: ParsedFile, map: MapNode, path: string, known: readonly string[]): void {
    for (const key of map.entries.keys()) {
      if (known.includes(key)) continue;
      const place = this.place(parsed, map.entries.get(key)?.keyStart ?? map.start, joined(path, key));
      this.mistake(place, withNearest('is not known', key, known));
    }
  }

  add(item: DesiredItem, node?: ItemNode): void {
    const email = item.kind === 'people' ? emailKey(item.key) : undefined;
    const other = this.items.get(item.address) ?? (email === undefined ? undefined : this.#emails.get(email));
    if (other !== undefined) {
      this.mistake(item.at, `names ${item.address} again; it is also at ${other.at.file}:${other.at.line}`);
      return;
    }
    if (email !== undefined && email !== item.key) this.#emails.set(email, item);
    this.items.set(item.address, item);
    if (node !== undefined) this.keep(item.address, node);
  }

  /** Keeps where an item stands: for edits, and of those whose options are checked once all files are read. */
  keep(address: Address, node: ItemNode): void {
    if (this.isEdited || node.kind.fields.some(({ mapOf }) => mapOf !== undefined))
      this.nodes.set(address, node);
  }

  refer(pending: Pending): void {
    this.#pending.push(pending);
  }

  /** Once all files are read: references to what no file names are mistakes. */
  resolve(): void {
    const known = new Map<string, string[]>();
    for (const pending of this.#pending) {
      const address = this.#found(pending);
      if (address === undefined) this.#unknown(pending, known);
      else if (pending.reference !== undefined) pending.reference.$ref = address;
    }
  }

  #found({ kinds, within, key }: Pending): Address | undefined {
    for (const name of kinds) {
      const address = this.#address(name, within, key);
      if (this.items.has(address)) return address;
    }
    return undefined;
  }

  #address(name: KindName, within: string | undefined, key: string): Address {
    const scoped = kindOf(name).scope !== undefined && within !== undefined;
    return `${name}/${scoped ? `${within}/` : ''}${key}`;
  }

  #unknown({ kinds, within, key, place }: Pending, known: Map<string, string[]>): void {
    const keys = kinds.flatMap((name) => {
      const prefix = this.#address(name, within, '');
      const found =
        known.get(prefix) ?? [...this.items.keys()].filter((address) => address.startsWith(prefix));
      known.set(prefix, found);
      return found.map((address) => address.slice(prefix.length));
    });
    const names = kinds.map((name) => kindOf(name).one).join(' or ');
    const words = withNearest(`names a ${names} that no file has`, key, keys);
    const help = '; add it to its file (external: true if it is managed elsewhere), or write id:<id>';
    this.mistake(place, words.nearest === undefined ? { message: `${words.message}${help}` } : words);
  }
}

/** `people[3]` and `role` → `people[3].role`. */
export function joined(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

/** Where a value stands. */
export interface Spot {
  reading: Reading;
  parsed: ParsedFile;
  /** Of the map that has the field, or of the value itself. */
  path: string;
  /** Part of the address of kinds that have a scope: the key of the site. */
  within: string | undefined;
}

/** The text of a scalar, numbers as they are written; undefined for true, false and null. */
export function textOf(node: ScalarNode): string | undefined {
  if (typeof node.value === 'string') return node.value;
  return typeof node.value === 'number' ? node.source : undefined;
}

/** Reports a mistake at a node, which has no value then. */
export function mistaken({ reading, parsed, path }: Spot, node: Node, message: string): undefined {
  reading.mistake(reading.place(parsed, node.start, path), message);
  return undefined;
}
