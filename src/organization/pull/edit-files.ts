import { join, posix } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { safeCell } from '../../base/formula.js';
import { addTo } from '../../base/values.js';
import { isList, isMap, isScalar, type MapNode, type Node } from '../../files/yaml/node.js';
import { childrenOf, layouts, markerOf, memberships, teamsKey } from '../files/layout.js';
import { type CsvRow, csvHead, csvRows } from '../files/people-csv.js';
import { type ItemNode, type ListSpot, type Reading, textOf } from '../files/reading.js';
import { kindOf } from '../kinds/index.js';
import type { Address, DesiredItem, Kind, LiveItem } from '../model.js';
import { type Changes, membershipsAfter } from './changes.js';
import { type LiveTree, referredText, setValue, teamsValue } from './live-tree.js';
import { csvCells, type FileContent, ownLines, pathOf, siteFile, teamsCell } from './new-files.js';
import {
  blockPart,
  indentIn,
  insertLines,
  type ListPart,
  newPart,
  setEntry,
  setParts,
  TextEdits,
} from './text-edits.js';
import type { FieldPull } from './three-way.js';

/** Changes of the platform as edits of the files that are there. */

export interface Edited {
  files: Map<string, FileContent>;
  removed: string[];
}

export function editedFiles(reading: Reading, changes: Changes): Edited {
  return new Editing(reading, changes).result();
}

class Editing {
  readonly #edits = new Map<string, TextEdits>();
  readonly #files = new Map<string, FileContent>();
  /** By list: what comes into it. */
  readonly #incoming = new Map<ListSpot, LiveItem[]>();
  /** By item without a list of its own yet. */
  readonly #firstChildren = new Map<Address, LiveItem[]>();
  readonly #children = new Map<Address, DesiredItem[]>();
  readonly #tops = new Map<ListSpot, DesiredItem[]>();
  /** Lists that change. */
  readonly #touched = new Set<ListSpot>();

  constructor(
    private readonly reading: Reading,
    private readonly changes: Changes,
  ) {}

  result(): Edited {
    const { reading, changes } = this;
    for (const [address, { writes }] of changes.items) {
      const node = reading.nodes.get(address);
      if (node !== undefined && !this.#isMembership(address)) this.#fields(address, node, writes);
    }
    this.#memberships();
    this.#findMembers();
    this.#findIncoming();
    for (const list of reading.lists)
      if (list.entry !== undefined && this.#touched.has(list)) this.#list(list);
    for (const [address, children] of this.#firstChildren) this.#firstList(address, children);
    const removed = this.#sites();
    for (const [file, edits] of this.#edits)
      if (!edits.isEmpty) this.#files.set(file, this.#withMark(file, edits));
    const csv = editedCsv(reading, changes);
    if (csv !== undefined) this.#files.set(csv.path, csv.content);
    for (const [path, text] of changes.tree.texts) this.#files.set(path, text);
    for (const path of removed) this.#files.delete(path);
    return { files: this.#files, removed };
  }

  #withMark(file: string, edits: TextEdits): string {
    return (this.reading.parsed.get(file)?.mark ?? '') + edits.result();
  }

  #isMembership(address: Address): boolean {
    return address.startsWith(`${memberships.name}/`);
  }

  #editsOf(file: string): TextEdits {
    const known = this.#edits.get(file);
    if (known !== undefined) return known;
    const edits = new TextEdits(this.reading.parsed.get(file)?.text ?? '');
    this.#edits.set(file, edits);
    return edits;
  }

  #fields(address: Address, node: ItemNode, writes: readonly FieldPull[]): void {
    const edits = this.#editsOf(node.parsed.file);
    for (const pull of writes.filter(({ key }) => key === undefined)) this.#field(address, edits, node, pull);
    const maps = new Set(writes.filter(({ key }) => key !== undefined).map(({ field }) => field));
    for (const field of maps) {
      const map = node.map.entries.get(field.key)?.value;
      const own = writes.filter((one) => one.field === field);
      const parts = own.map(
        ({ key = '', value }) =>
          [key, setValue(field, { [key]: value }) === null ? undefined : this.#value(value)] as const,
      );
      if (!isMap(map)) {
        setEntry(edits, node.map, field.key, Object.fromEntries(parts));
        continue;
      }
      const isEmptied = parts.filter(([, value]) => value === undefined).length === map.entries.size;
      if (isEmptied) setEntry(edits, node.map, field.key, undefined);
      else for (const [key, value] of parts) setEntry(edits, map, key, value);
    }
  }

  #value(value: unknown): unknown {
    return this.changes.tree.fileValue(value);
  }

  #field(address: Address, edits: TextEdits, { map, parsed }: ItemNode, { field, value }: FieldPull): void {
    const node = map.entries.get(field.key)?.value;
    if (isScalar(node) && node.tag === 'file' && (value ?? null) !== null) {
      this.#files.set(posix.join(posix.dirname(parsed.file), textOf(node) ?? ''), referredText(value));
      return;
    }
    const item = this.reading.items.get(address);
    if (node === undefined && field.file !== undefined && item !== undefined) {
      setEntry(edits, map, field.key, this.changes.tree.inFile(field, item.key, value, parsed.file));
      return;
    }
    const inFile = item?.fields[field.key];
    const found = this.#value(value);
    const kept =
      field.set && Array.isArray(found) && Array.isArray(inFile) ? inOrderOf(found, inFile) : found;
    setEntry(edits, map, field.key, kept ?? undefined);
  }

  /** The teams of people whose memberships change. */
  #memberships(): void {
    for (const [person, roles] of membershipsAfter(this.reading, this.changes)) {
      const node = this.reading.nodes.get(person);
      if (node !== undefined)
        setEntry(this.#editsOf(node.parsed.file), node.map, teamsKey, teamsValue(roles));
    }
  }

  #findMembers(): void {
    for (const item of this.reading.items.values()) {
      if (this.#isMembership(item.address)) continue;
      const list = this.#listOf(item);
      if (list === undefined) continue;
      addTo(this.#tops, list, item);
      const { items, removed } = this.changes;
      const moves = items.get(item.address)?.moves;
      if (removed.has(item.address) || moves) this.#touched.add(list);
      const node = list.entry?.value;
      if (moves && isList(node)) this.#editsOf(list.file).moved.add(node.items[item.index] as Node);
    }
  }

  /** The list of the file in which an item stands. */
  #listOf({ kind, parent }: Pick<DesiredItem, 'kind' | 'parent'>): ListSpot | undefined {
    this.#byParent ??= new Map(
      this.reading.lists.flatMap((list) =>
        list.kinds.map((one) => [`${one.name} ${list.parent ?? ''}`, list]),
      ),
    );
    return this.#byParent.get(`${kind} ${parent ?? ''}`);
  }
  #byParent: Map<string, ListSpot> | undefined;

  #findIncoming(): void {
    const { added, items, matched } = this.changes;
    const moved = [...items].flatMap(([address, { moves }]) =>
      moves ? (matched.live.get(address) ?? []) : [],
    );
    for (const live of [...added, ...moved]) {
      const { parent } = live;
      const address = parent === undefined ? undefined : this.changes.tree.names.of(parent);
      const isInNew = parent !== undefined && added.has(parent);
      if (isInNew || live.kind === memberships.name) continue;
      const list = this.#listOf({ kind: live.kind, parent: address });
      if (list !== undefined) {
        addTo(this.#incoming, list, live);
        this.#touched.add(list);
      } else if (address !== undefined && this.reading.nodes.has(address))
        addTo(this.#firstChildren, address, live);
    }
  }

  #list(list: ListSpot): void {
    const { changes } = this;
    const stays = (this.#tops.get(list) ?? []).filter(
      ({ address }) => !changes.removed.has(address) && !changes.items.get(address)?.moves,
    );
    const members = stays.map((item) => {
      const live = changes.matched.live.get(item.address);
      return { item, key: item.key, live };
    });
    const all = withIncoming(changes.tree, members, this.#incoming.get(list) ?? []);
    const parts = all.map(({ item, live }) =>
      item === undefined ? this.#partOf(live as LiveItem, list.file) : this.#partAt(list, item.index),
    );
    if (list.entry !== undefined)
      setParts(
        this.#editsOf(list.file),
        list.entry,
        parts.flatMap((part) => part ?? []),
      );
  }

  #partAt(list: ListSpot, index: number): ListPart | undefined {
    const node = list.entry?.value;
    return isList(node) ? { edits: this.#editsOf(list.file), node, index } : undefined;
  }

  /** An item that comes into a list: from another one, or new. */
  #partOf(live: LiveItem, file: string): ListPart | undefined {
    const address = this.changes.matched.named.get(live);
    const item = address === undefined ? undefined : this.reading.items.get(address);
    const list = item === undefined ? undefined : this.#listOf(item);
    if (item !== undefined && list !== undefined) return this.#partAt(list, item.index);
    return newPart(
      (indent) => [
        ...ownLines(this.changes.tree, live, file, indent),
        ...this.#childLines(live, file, indent),
      ],
      this.changes.tree.recordOf(live, file),
    );
  }

  /** What stands in a new item, some of which may come from elsewhere in the file. */
  #childLines(live: LiveItem, file: string, indent: string): string[] {
    const { tree, items, matched, added } = this.changes;
    const kind = kindOf(live.kind);
    const below = kind.spot.children === undefined ? [] : tree.children(live, childrenOf(kind));
    const comes = below.filter(
      (child) => added.has(child) || items.get(matched.named.get(child) as Address)?.moves,
    );
    return this.#listLines(kind.spot.children ?? '', comes, file, indent);
  }

  #listLines(key: string, items: readonly LiveItem[], file: string, indent: string): string[] {
    if (items.length === 0) return [];
    const edits = this.#editsOf(file);
    const lines = items.flatMap((item) => {
      const part = this.#partOf(item, file);
      if (part === undefined) return [];
      return 'node' in part
        ? blockPart(part, edits, `${indent}  `).trimEnd().split(/\r?\n/)
        : part.lines(`${indent}  `);
    });
    return [`${indent}${key}:`, ...lines];
  }

  /** An item of the file gets the first items that stand in it. */
  #firstList(address: Address, children: readonly LiveItem[]): void {
    const node = this.reading.nodes.get(address);
    if (node === undefined) return;
    const { kind, map, parsed } = node;
    const edits = this.#editsOf(parsed.file);
    const sorted = [...children].sort((a, b) => this.changes.tree.compare(a, b));
    insertLines(
      edits,
      map as MapNode,
      this.#listLines(kind.spot.children ?? '', sorted, parsed.file, indentIn(edits, map)),
    );
  }

  /** Files of new sites. @returns those of sites that are gone */
  #sites(): string[] {
    const { tree, added, removed } = this.changes;
    const gone: string[] = [];
    for (const layout of layouts) {
      const { single, file } = layout;
      if (single === undefined || !file.includes('*')) continue;
      for (const item of added)
        if (item.kind === single.name)
          this.#files.set(pathOf(tree, layout, item), siteFile(tree, layout, item));
      for (const address of removed) {
        const path = address.startsWith(`${single.name}/`)
          ? this.reading.items.get(address)?.at.file
          : undefined;
        if (path !== undefined) gone.push(path);
      }
    }
    return gone;
  }
}

/** What the file has stays in the order of the file; the rest follows. */
function inOrderOf(found: readonly unknown[], inFile: readonly unknown[]): unknown[] {
  const kept = inFile.filter((one) => found.includes(one));
  const more = found.filter((one) => !inFile.includes(one)).sort();
  return [...kept, ...more];
}

/** The order of a list of a file with new items in it. */

/** An item of the list: of the file, of the platform, or both. */
interface Member {
  item?: DesiredItem;
  live?: LiveItem;
  key: string;
}

/** Adds what comes into a list where the platform's order, or that of the keys, puts it. */
function withIncoming(tree: LiveTree, members: readonly Member[], incoming: readonly LiveItem[]): Member[] {
  const result = [...members];
  const sorted = [...incoming].sort((a, b) => tree.compare(a, b));
  for (const live of sorted) result.splice(placeOf(tree, result, live), 0, { live, key: tree.keyOf(live) });
  return result;
}

function placeOf(tree: LiveTree, members: readonly Member[], live: LiveItem): number {
  return (
    (tree.orderOf(live) === undefined || live.index < 0 ? undefined : besideNeighbour(tree, members, live)) ??
    byKey(tree, members, live)
  );
}

/** After the nearest item that comes before it on the platform, else before the nearest that comes after it. */
function besideNeighbour(tree: LiveTree, members: readonly Member[], live: LiveItem): number | undefined {
  const order = tree.orderOf(live);
  let before: { index: number; at: number } | undefined;
  let after: { index: number; at: number } | undefined;
  for (const [at, { live: other }] of members.entries()) {
    if (
      other === undefined ||
      other.index < 0 ||
      other.parent !== live.parent ||
      tree.orderOf(other) !== order
    )
      continue;
    if (other.index < live.index && (before === undefined || other.index > before.index))
      before = { index: other.index, at };
    if (other.index > live.index && (after === undefined || other.index < after.index))
      after = { index: other.index, at };
  }
  return before === undefined ? after?.at : before.at + 1;
}

/** Among items of its kind where those are sorted by key, else after them, else at the end. */
function byKey(tree: LiveTree, members: readonly Member[], live: LiveItem): number {
  const key = tree.keyOf(live);
  const alike = [...members.entries()].filter(
    ([, { item, live: other }]) => (item?.kind ?? other?.kind) === live.kind,
  );
  const isSorted = alike.every(
    ([, member], index) => index === 0 || (alike[index - 1]?.[1].key ?? '') <= member.key,
  );
  const next = isSorted ? alike.find(([, member]) => member.key > key) : undefined;
  if (next !== undefined) return next[0];
  const last = alike.at(-1);
  return last === undefined ? members.length : last[0] + 1;
}

/** Changes of people.csv: rows that do not change stay as they are written. */
function editedCsv(reading: Reading, changes: Changes): { path: string; content: FileContent } | undefined {
  const { peopleFile } = reading;
  const kind = kindOf('people');
  if (peopleFile === undefined) return undefined;
  const isPerson = (address: Address) => reading.items.get(address)?.kind === kind.name;
  const teams = membershipsAfter(reading, changes);
  const incoming = [...changes.added].filter((item) => item.kind === kind.name);
  const isTouched = [...changes.items.keys(), ...changes.removed].some(isPerson);
  if (!isTouched && teams.size === 0 && incoming.length === 0) return undefined;
  const content = () =>
    rewritten({ reading, changes, kind, teams, incoming, path: join(reading.folder, peopleFile) });
  return { path: peopleFile, content };
}

interface Rewriting {
  reading: Reading;
  changes: Changes;
  kind: Kind;
  teams: ReadonlyMap<Address, [string, string][]>;
  incoming: readonly LiveItem[];
  path: string;
}

async function* rewritten(rewriting: Rewriting): AsyncGenerator<Uint8Array> {
  const { changes, kind, incoming, path } = rewriting;
  const { delimiter, eol, mark } = await csvHead(path);
  const line = (cells: readonly string[]) => stringify([cells], { delimiter, record_delimiter: eol });
  const open = [...incoming].sort((a, b) => changes.tree.compare(a, b));
  const inOrder = isSorted(rewriting);
  let columns: readonly string[] = [];
  let text = mark;
  const newLines = (before?: string) => {
    while (open[0] !== undefined && (before === undefined || changes.tree.keyOf(open[0]) < before))
      text += line(csvCells(changes.tree, kind, open.shift() as LiveItem, columns));
  };
  for await (const row of csvRows(path)) {
    if (columns.length === 0) {
      columns = row.cells.map((cell) => cell.trim());
      text += row.raw + eol;
      continue;
    }
    const key = (row.cells[columns.indexOf(markerOf(kind))] ?? '').trim();
    if (inOrder && key !== '') newLines(key);
    text += rowText(rewriting, { row, key, columns, line, eol });
    if (text.length < 65_536) continue;
    yield Buffer.from(text);
    text = '';
  }
  newLines();
  yield Buffer.from(text);
}

/** Whether the rows are in the order of their keys, so that new ones go between them. */
function isSorted({ reading, kind, path }: Rewriting): boolean {
  let last = '';
  for (const item of reading.items.values()) {
    if (item.kind !== kind.name || !path.endsWith(item.at.file)) continue;
    if (item.key < last) return false;
    last = item.key;
  }
  return true;
}

interface Row {
  row: CsvRow;
  key: string;
  columns: readonly string[];
  line: (cells: readonly string[]) => string;
  eol: string;
}

function rowText({ changes, kind, teams }: Rewriting, { row, key, columns, line, eol }: Row): string {
  const address: Address = `${kind.name}/${key}`;
  if (changes.removed.has(address)) return '';
  const pull = changes.items.get(address);
  const roles = teams.get(address);
  if (pull === undefined && (roles === undefined || !columns.includes(teamsKey))) return row.raw + eol;
  const cells = columns.map((name, column) => {
    if (name === teamsKey && roles !== undefined) return teamsCell(roles);
    const write = pull?.writes.find(({ field }) => field.key === name);
    if (write === undefined) return row.cells[column] ?? '';
    return (write.value ?? null) === null ? '' : String(changes.tree.fileValue(write.value));
  });
  return line(cells.map(safeCell));
}
