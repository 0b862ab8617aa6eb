import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Document, isMap, isScalar, isSeq, parseDocument, type YAMLMap, YAMLSeq } from 'yaml';

/** The files of an organization, edited as a person with an editor would: in place, comments and order kept. */

/** Markers of the items in the trees. */
const markers = ['collection', 'space', 'group', 'section'] as const;
export type Marker = (typeof markers)[number];
/** The lists in which items of a tree stand. */
const inside = ['contents', 'sections', 'spaces'] as const;

/** An item of a tree, and the list in which it stands. */
export interface Node {
  marker: Marker;
  map: YAMLMap;
  list: YAMLSeq;
  /** The item around it. */
  parent: Node | undefined;
}

export class Files {
  readonly #folder: string;
  readonly #documents = new Map<string, Document>();
  readonly #removed = new Set<string>();

  /** @param folder `org` */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The document of a file; an empty one where there is no such file. */
  document(file: string): Document {
    const known = this.#documents.get(file);
    if (known !== undefined) return known;
    const path = join(this.#folder, file);
    const document = parseDocument(existsSync(path) ? readFileSync(path, 'utf8') : '{}\n');
    if (document.errors.length > 0) throw new Error(`${file}: ${document.errors[0]?.message}`);
    this.#documents.set(file, document);
    return document;
  }

  /** The map at the top of a file. */
  top(file: string): YAMLMap {
    const { contents } = this.document(file);
    if (!isMap(contents)) throw new Error(`${file} is not a map`);
    return contents;
  }

  /** The files of the sites. */
  get sites(): string[] {
    const folder = join(this.#folder, 'sites');
    const written = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.yaml')) : [];
    const all = [...written.map((name) => `sites/${name}`), ...this.#documents.keys()];
    const sites = all.filter((file) => file.startsWith('sites/') && !this.#removed.has(file));
    return [...new Set(sites)].sort();
  }

  /** A list at the top of a file, made where it is missing. */
  list(file: string, key: string): YAMLSeq {
    const top = this.top(file);
    const list = top.get(key);
    if (isSeq(list)) return list;
    if (list !== undefined && list !== null) throw new Error(`${key} of ${file} is not a list`);
    const made = new YAMLSeq();
    top.set(key, made);
    return made;
  }

  /** The items of such a list. */
  items(file: string, key: string): YAMLMap[] {
    return this.list(file, key).items.filter((item) => isMap(item));
  }

  /** All items of a tree, in its order. */
  nodes(file: string, key: string): Node[] {
    return nodesIn(this.list(file, key), undefined);
  }

  /** Adds an item to a list, which is in block style then. */
  add(list: YAMLSeq, value: unknown, at = list.items.length): void {
    list.flow = false;
    list.items.splice(at, 0, this.document('org.yaml').createNode(value));
  }

  /** Adds a file. */
  create(file: string, value: unknown): void {
    this.#documents.set(file, new Document(value));
  }

  remove(file: string): void {
    this.#documents.delete(file);
    this.#removed.add(file);
  }

  write(file: string, text: string): void {
    const path = join(this.#folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  /** Writes what was read, and maybe changed. */
  save(): void {
    for (const file of this.#removed) rmSync(join(this.#folder, file));
    for (const [file, document] of this.#documents)
      this.write(file, document.toString({ lineWidth: 0, flowCollectionPadding: false }));
  }
}

function nodesIn(list: YAMLSeq, parent: Node | undefined): Node[] {
  return list.items.flatMap((map) => {
    const marker = isMap(map) ? markers.find((name) => map.has(name)) : undefined;
    if (!isMap(map) || marker === undefined) return [];
    const node: Node = { marker, map, list, parent };
    const below = inside.map((key) => map.get(key)).filter((value) => isSeq(value));
    return [node, ...below.flatMap((each) => nodesIn(each, node))];
  });
}

/** A value of a map as text. */
export function text(map: YAMLMap, key: string): string {
  const value: unknown = map.get(key, true);
  return String(isScalar(value) ? value.value : (value ?? ''));
}

/** All texts under a folder, by path. */
export function snapshot(folder: string): Map<string, string> {
  const found = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
  const paths = found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return new Map(paths.sort().map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]));
}

/** Puts texts into a folder in place of what is there. */
export function replaceAll(folder: string, files: ReadonlyMap<string, string>): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [file, text] of files) {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}
