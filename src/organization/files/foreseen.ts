import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { mostYaml } from '../../files/yaml/node.js';
import { kinds } from '../kinds/index.js';
import type { Kind, KindName } from '../model.js';
import { type FileLayout, isSingle, layouts, markerOf, memberships, teamsKey } from './layout.js';

/** What files name, as their text shows before it is parsed, so that reading can begin while it is. */

/**
 * What the files of a folder seem to name: kinds, `<kind> <field>`, and `<kind> <field> <key>` of fields that are read
 * item by item. It holds for files in the form in which
 * pull writes them; callers must compare it with what the parsed files name.
 * @returns undefined where the text does not tell, and for files that cannot be read
 */
export function foreseen(folder: string): ReadonlySet<string> | undefined {
  const named = new Set<string>();
  try {
    for (const layout of layouts) {
      for (const file of filesOf(folder, layout)) {
        const text = statSync(file).size > mostYaml ? undefined : plainLines(readFileSync(file, 'utf8'));
        if (text === undefined || unclear.test(text)) return undefined;
        addNamed(named, layout, text);
      }
    }
  } catch {
    return undefined; // Parsing the files reports the error.
  }
  return named;
}

/** Lists of which the platform's other items matter, and files of their own for lists. */
const unclear = /^\s*(?:manage|\w+): +(?:exact\b|!file \S+\.csv)/m;

function filesOf(folder: string, { file }: FileLayout): string[] {
  const [directory = '', ending] = file.split('*');
  const names = readdirSync(join(folder, ending === undefined ? '' : directory), { withFileTypes: true });
  const isOne = (name: string) => (ending === undefined ? name === file : name.endsWith(ending));
  const found = names.filter((one) => one.isFile() && isOne(one.name)).map(({ name }) => name);
  return found.map((name) => join(folder, ending === undefined ? name : directory + name));
}

/** Without the lines of texts of several lines, which may look like anything. */
function plainLines(text: string): string {
  let inside: number | undefined;
  const lines = text.split('\n').filter((line) => {
    const indent = line.search(/\S/);
    if (inside !== undefined && (indent < 0 || indent > inside)) return false;
    inside = /: [|>][-+\d]*\s*$/.test(line) ? indent : undefined;
    return true;
  });
  return lines.join('\n');
}

function addNamed(named: Set<string>, { file, single, singleKey }: FileLayout, text: string): void {
  const lines = text.split('\n');
  const own = single === undefined ? [] : blockOf(lines, singleKey);
  if (single !== undefined && own.length > 0) addFields(named, single.name, keysIn(own, inBlock));
  const [marked, keys] = [keysIn(lines, marker), keysIn(lines, indented)];
  for (const kind of kinds.filter((one) => one.spot.file === file && !isSingle(one))) {
    if (!marked.has(markerOf(kind))) continue;
    addFields(named, kind.name, keys);
    for (const { key } of kind.fields.filter(({ map }) => map)) addItems(named, kind, key, lines);
    if (memberships.spot.list === kind.spot.list && teams.test(text)) named.add(memberships.name);
  }
}

const teams = new RegExp(`^ +${teamsKey}: [[{][^\\]}]`, 'm');

/** The first key of an item of a list, keys at any depth, and those of a map at the top. */
const marker = /^ *- (\w+): \S/;
const indented = /^ +(\w+):/;
const inBlock = /^ {2}(\w+):/;

/** The lines below a key at the top. */
function blockOf(lines: readonly string[], key: string): string[] {
  const start = lines.indexOf(`${key}:`) + 1;
  if (start === 0) return [];
  const end = lines.findIndex((line, at) => at >= start && !line.startsWith(' '));
  return lines.slice(start, end < 0 ? undefined : end);
}

function keysIn(lines: readonly string[], pattern: RegExp): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const line of lines) {
    const key = pattern.exec(line)?.[1];
    if (key !== undefined) keys.add(key);
  }
  return keys;
}

function addFields(named: Set<string>, kind: KindName, keys: ReadonlySet<string>): void {
  named.add(kind);
  for (const key of keys) named.add(`${kind} ${key}`);
}

/** The keys of the items that have a field. */
function addItems(named: Set<string>, kind: Kind, field: string, lines: readonly string[]): void {
  const own = markerOf(kind);
  let item: string | undefined;
  for (const line of lines) {
    const [, first, value = ''] = /^ *- (\w+): (\S+)/.exec(line) ?? [];
    if (first !== undefined) item = first === own ? value : undefined;
    else if (item !== undefined && indented.exec(line)?.[1] === field)
      named.add(`${kind.name} ${field} ${item}`);
  }
}
