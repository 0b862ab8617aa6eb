import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { mostYaml } from '../../files/yaml/node.js';
import type { KindName } from '../model.js';

/**
 * What files name, as their text shows before it is parsed, so that reading can begin while it is. The declarations of the
 * kinds are not needed, but their outlines (foreseen.ts), which the build writes as data.
 */

/** What files of a name consist of. */
export interface FileOutline {
  /** `teams.yaml`, `sites/*.yaml`. */
  file: string;
  /** The kind of which the file holds one item, and the key that it has there. */
  single?: { name: KindName; key: string };
  kinds: readonly {
    name: KindName;
    /** The key that names an item. */
    marker: string;
    /** Fields that are read item by item. */
    apart: readonly string[];
    /** The kind whose items are in this key of an item. */
    inside?: { name: KindName; key: string };
  }[];
}

/**
 * What the files of a folder seem to name: kinds, `<kind> <field>`, and `<kind> <field> <key>` of fields that are read
 * item by item. It holds for files in the form in which
 * pull writes them; callers must compare it with what the parsed files name.
 * @returns undefined where the text does not tell, and for files that cannot be read
 */
export function namedInText(
  folder: string,
  outlines: readonly FileOutline[],
): ReadonlySet<string> | undefined {
  const named = new Set<string>();
  const listed = new Map<string, Dirent[]>();
  try {
    for (const outline of outlines) {
      for (const file of filesOf(folder, outline, listed)) {
        const text = statSync(file).size > mostYaml ? undefined : plainLines(readFileSync(file, 'utf8'));
        if (text === undefined || unclear.test(text)) return undefined;
        addNamed(named, outline, text);
      }
    }
  } catch {
    return undefined; // Parsing the files reports the error.
  }
  return named;
}

/** Lists of which the platform's other items matter, and files of their own for lists. */
const unclear = /^\s*(?:manage|\w+): +(?:exact\b|!file \S+\.csv)/m;

/** @param listed folders that were looked at */
function filesOf(folder: string, { file }: FileOutline, listed: Map<string, Dirent[]>): string[] {
  const [directory = '', ending] = file.split('*');
  const place = join(folder, ending === undefined ? '' : directory);
  const names = listed.get(place) ?? readdirSync(place, { withFileTypes: true });
  listed.set(place, names);
  const isOne = (name: string) => (ending === undefined ? name === file : name.endsWith(ending));
  const found = names.filter((one) => one.isFile() && isOne(one.name)).map(({ name }) => name);
  return found.map((name) => join(folder, ending === undefined ? name : directory + name));
}

/** Without the lines of texts of several lines, which may look like anything. */
function plainLines(text: string): string {
  if (!several.test(text)) return text;
  let inside: number | undefined;
  const lines = text.split('\n').filter((line) => {
    const indent = line.search(/\S/);
    if (inside !== undefined && (indent < 0 || indent > inside)) return false;
    inside = several.test(line) ? indent : undefined;
    return true;
  });
  return lines.join('\n');
}

const several = /: [|>][-+\d]*[^\S\n]*$/m;

function addNamed(named: Set<string>, { single, kinds }: FileOutline, text: string): void {
  const own = single === undefined ? '' : blockOf(text, single.key);
  if (single !== undefined && own !== '') addFields(named, single.name, keysIn(own, inBlock));
  const [marked, keys] = [keysIn(text, marker), keysIn(text, indented)];
  for (const kind of kinds.filter((one) => marked.has(one.marker))) {
    addFields(named, kind.name, keys);
    for (const field of kind.apart) if (keys.has(field)) addItems(named, kind, field, text);
    const { inside } = kind;
    if (inside !== undefined && new RegExp(`^ +${inside.key}: [[{][^\\]}]`, 'm').test(text))
      named.add(inside.name);
  }
}

/** The first key of an item of a list, keys at any depth, and those of a map at the top. */
const marker = /^ *- \w+: (?=\S)/gm;
const indented = /^ +\w+:/gm;
const inBlock = /^ {2}\w+:/gm;

/** The lines below a key at the top. */
function blockOf(text: string, key: string): string {
  const start = text.search(new RegExp(`^${key}:$`, 'm'));
  if (start < 0) return '';
  const below = text.slice(start + key.length + 2);
  const end = below.search(/^(?! )/m);
  return end < 0 ? below : below.slice(0, end);
}

/** The keys of lines that fit: of thousands of lines, few differ. */
function keysIn(text: string, pattern: RegExp): ReadonlySet<string> {
  const found = new Set(text.match(pattern));
  return new Set([...found].map((line) => line.replace(/\W/g, '')));
}

function addFields(named: Set<string>, kind: KindName, keys: ReadonlySet<string>): void {
  named.add(kind);
  for (const key of keys) named.add(`${kind} ${key}`);
}

/** The keys of the items that have a field. */
function addItems(
  named: Set<string>,
  { name, marker: own }: FileOutline['kinds'][number],
  field: string,
  text: string,
): void {
  let item: string | undefined;
  const either = new RegExp(`^ *- (\\w+): (\\S+)|^ +${field}:`, 'gm');
  for (const [, first, value = ''] of text.matchAll(either)) {
    if (first !== undefined) item = first === own ? value : undefined;
    else if (item !== undefined) named.add(`${name} ${field} ${item}`);
  }
}
