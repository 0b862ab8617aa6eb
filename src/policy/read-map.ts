import {
  type FileLocation,
  type MapNode,
  type Mistake,
  type Node,
  positionIn,
  type ScalarNode,
  withNearest,
} from '../files/yaml/node.js';
import type { ParsedFile } from '../files/yaml/parse.js';

/** A text of the file, and where it stands. */
interface PlacedText {
  text: string;
  place: FileLocation;
}

/** Keys with values in a policy: reads them, and notes every mistake. */
export class PolicyMap {
  readonly #parsed: ParsedFile;
  readonly #path: string;
  readonly #node: MapNode;

  /** @param at.path of the map in the file, '' at its top */
  constructor(at: { parsed: ParsedFile; path: string }, node: MapNode) {
    this.#parsed = at.parsed;
    this.#path = at.path;
    this.#node = node;
  }

  node(key: string): Node | undefined {
    return this.#node.entries.get(key)?.value;
  }

  /** The line of a key; 1 where it is absent. */
  lineOf(key: string): number {
    const entry = this.#node.entries.get(key);
    return entry === undefined ? 1 : positionIn(this.#parsed.starts, entry.keyStart).line;
  }

  /** Notes a mistake at a node, or at the beginning of the map. */
  mistake(node: Pick<Node, 'start'> | undefined, key: string, message: string): void {
    this.add(this.#place(node?.start ?? this.#node.start, this.#joined(key)), { message });
  }

  add(place: FileLocation, words: Pick<Mistake, 'message' | 'nearest'>): void {
    const { mistakes } = this.#parsed;
    // The parser has told it in its own words.
    if (
      mistakes.some(
        (one) => one.line === place.line && one.column === place.column && one.path === place.path,
      )
    )
      return;
    mistakes.push({ ...place, ...words });
  }

  /** Notes a mistake, with the known word that was most likely meant. */
  near(place: FileLocation, message: string, word: string, known: readonly string[]): void {
    const words = withNearest(message, word, known);
    this.add(
      place,
      words.nearest === undefined ? { message: `${message}; known: ${known.join(', ')}` } : words,
    );
  }

  onlyKnown(known: readonly string[]): void {
    for (const { key, keyStart } of this.#node.entries.values())
      if (!known.includes(key))
        this.near(this.#place(keyStart, this.#joined(key)), 'is not known', key, known);
  }

  /** The text of a key; undefined where it is absent or something else, which is noted. */
  text(key: string): string | undefined {
    const node = this.node(key);
    if (node === undefined) return undefined;
    const text = textOf(node);
    if (text === undefined) this.mistake(node, key, 'must be a text');
    return text;
  }

  /** One of some words. */
  oneOf<Word extends string>(key: string, text: string, words: readonly Word[]): Word | undefined {
    const found = words.find((word) => word === text);
    const node = this.node(key);
    if (found === undefined && node !== undefined)
      this.near(this.#place(node.start, this.#joined(key)), `must be ${words.join(' or ')}`, text, words);
    return found;
  }

  flag(key: string): boolean | undefined {
    const node = this.node(key);
    if (node === undefined) return undefined;
    if (node.type === 'scalar' && typeof node.value === 'boolean' && node.tag === undefined)
      return node.value;
    this.mistake(node, key, 'must be true or false');
    return undefined;
  }

  /** The texts of a list; one text is a list of one. @param what an element is, for errors */
  texts(key: string, what: string): PlacedText[] {
    const node = this.node(key);
    if (node === undefined) return [];
    const items = node.type === 'list' ? node.items : [node];
    return items.flatMap((item, at) => {
      const path = node.type === 'list' ? `${this.#joined(key)}[${at}]` : this.#joined(key);
      const place = this.#place(item.start, path);
      const text = textOf(item);
      if (text !== undefined && text.trim() !== '') return [{ text: text.trim(), place }];
      this.add(place, { message: `must be ${what}` });
      return [];
    });
  }

  /** The maps of a list. */
  maps(key: string, example: string): { map: PolicyMap; place: FileLocation }[] {
    const node = this.node(key);
    if (node === undefined) return [];
    if (node.type !== 'list') {
      this.mistake(node, key, `must be a list, such as [{ ${example} }]`);
      return [];
    }
    return node.items.flatMap((item, at) => {
      const path = `${this.#joined(key)}[${at}]`;
      const place = this.#place(item.start, path);
      if (item.type === 'map') return [{ map: new PolicyMap({ parsed: this.#parsed, path }, item), place }];
      this.add(place, { message: `must be keys with values, such as { ${example} }` });
      return [];
    });
  }

  map(key: string, example: string): PolicyMap | undefined {
    const node = this.node(key);
    if (node === undefined) return undefined;
    if (node.type === 'map') return new PolicyMap({ parsed: this.#parsed, path: this.#joined(key) }, node);
    this.mistake(node, key, `must be keys with values, such as { ${example} }`);
    return undefined;
  }

  #place(offset: number, path: string): FileLocation {
    return { file: this.#parsed.file, ...positionIn(this.#parsed.starts, offset), path };
  }

  #joined(key: string): string {
    return this.#path === '' ? key : `${this.#path}.${key}`;
  }
}

/** The text of a scalar, numbers as they are written. */
function textOf(node: Node): string | undefined {
  if (node.type !== 'scalar' || node.tag !== undefined) return undefined;
  return plainText(node);
}

function plainText({ value, source }: ScalarNode): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? source : undefined;
}
