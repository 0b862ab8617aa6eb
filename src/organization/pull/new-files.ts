import { safeCell } from '../../base/formula.js';
import { safeLine } from '../../output/text.js';
import {
  childrenOf,
  type FileLayout,
  layoutFor,
  layouts,
  markerOf,
  organizationFile,
  teamsKey,
} from '../files/layout.js';
import { csvColumns, mostInYaml } from '../files/people-csv.js';
import { fileSchema } from '../files/schemas.js';
import { kindOf, kinds } from '../kinds/index.js';
import type { Guards, Kind, LiveItem } from '../model.js';
import type { LiveTree } from './live-tree.js';
import { dashed, entryLines, mapLines } from './text-edits.js';

/** What could not be read, as comments at the top of the files in which it would stand. */

const head = '# The last "docs pull" could not read all that this file names:';

/**
 * Adds the comments to files, and takes former ones out.
 * @param files by path; those that change are set
 * @param present the texts of files that are there
 */
export function tellUnread(
  tree: LiveTree,
  files: Map<string, FileContent>,
  present: ReadonlyMap<string, string> = new Map(),
): void {
  const paths = [...new Set([...present.keys(), ...files.keys()])];
  const sentences = sentencesByFile(tree, new Set(paths));
  for (const path of paths) {
    const text = files.get(path) ?? present.get(path);
    if (typeof text !== 'string' || !wasAsked(tree, path)) continue;
    const told = withUnread(text, sentences.get(path) ?? []);
    if (told !== text) files.set(path, told);
  }
}

/** Whether anything that stands in a file was to be read: else what its comment says still holds. */
function wasAsked(tree: LiveTree, path: string): boolean {
  const layout = layoutFor(path);
  return kinds.some((kind) => kind.spot.file === layout?.file && tree.wasAsked(kind.name));
}

function sentencesByFile(tree: LiveTree, paths: ReadonlySet<string>): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { kind, within, message } of tree.live.missed) {
    const path = fileOfKind(tree, kindOf(kind), within);
    const file = path !== undefined && paths.has(path) ? path : organizationFile;
    const sentences = found.get(file) ?? [];
    found.set(file, sentences);
    if (!sentences.includes(message)) sentences.push(message);
  }
  return found;
}

/** The file of a kind; of a part of a site that of the site. */
function fileOfKind(
  { names, keyAt }: Pick<LiveTree, 'names' | 'keyAt'>,
  { spot: { file } }: Kind,
  within: LiveTree['live']['missed'][number]['within'],
): string | undefined {
  if (!file.includes('*')) return file;
  const site = within && names.ofId(within.kind, within.id);
  return site && file.replace('*', () => keyAt(site));
}

/** A text with these sentences below its first line, and no others. */
export function withUnread(text: string, sentences: readonly string[]): string {
  if (sentences.length === 0 && !text.includes(head)) return text;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.split(eol);
  const at = lines.indexOf(head);
  if (at >= 0) {
    const after = lines.findIndex((line, index) => index > at && !line.startsWith('# - '));
    lines.splice(at, (after < 0 ? lines.length : after) - at);
  }
  const own = sentences.map((sentence) => `# - ${safeLine(sentence)}`);
  if (own.length > 0) lines.splice(lines[0]?.startsWith('# yaml-language-server:') ? 1 : 0, 0, head, ...own);
  return lines.join(eol);
}

/** Files that pull writes anew. */

export type FileContent = string | (() => AsyncIterable<Uint8Array>);

/** All files of an organization, by path. */
export function newFiles(tree: LiveTree): Map<string, FileContent> {
  const files = new Map<string, FileContent>();
  for (const layout of layouts) {
    if (!layout.file.includes('*')) addFile(files, tree, layout);
    else
      for (const item of sitesOf(tree, layout))
        files.set(pathOf(tree, layout, item), siteFile(tree, layout, item));
  }
  for (const [path, text] of schemaFiles()) files.set(path, text);
  for (const [path, text] of tree.texts) files.set(path, text);
  return files;
}

let schemas: ReadonlyMap<string, string> | undefined;

/** The schemas to which the first lines of the files refer: always the same, so they can be made before they are needed. */
export function schemaFiles(): ReadonlyMap<string, string> {
  schemas ??= new Map(
    layouts.map(({ name }) => [`.schemas/${name}.json`, `${JSON.stringify(fileSchema(name), null, 2)}\n`]),
  );
  return schemas;
}

function sitesOf(tree: LiveTree, { single }: FileLayout): LiveItem[] {
  return single === undefined ? [] : tree.children(undefined, [single]);
}

export function pathOf(tree: LiveTree, { file }: FileLayout, item: LiveItem): string {
  return file.replace('*', tree.keyOf(item));
}

function addFile(files: Map<string, FileContent>, tree: LiveTree, layout: FileLayout): void {
  const { file, lists, single } = layout;
  const listed = [...lists.values()].flat();
  const wasAsked = [...listed, ...(single ? [single] : [])].some(({ name }) => tree.wasAsked(name));
  if (!wasAsked && file !== organizationFile) return;
  const [people] = listed;
  const count = people?.name === 'people' ? tree.unordered(undefined, [people]).length : 0;
  if (people === undefined || count <= mostInYaml) {
    files.set(file, listFile(tree, layout));
    return;
  }
  const csv = file.replace(/\.yaml$/, '.csv');
  const lines = [...headOf(layout), ...managedLines(tree, layout), `${people.spot.list}: !file ${csv}`];
  files.set(file, `${lines.join('\n')}\n`);
  files.set(csv, () => peopleCsv(tree, people, tree.children(undefined, [people])));
}

function listFile(tree: LiveTree, layout: FileLayout): string {
  const { file, single, singleKey } = layout;
  const [item] = single === undefined ? [] : tree.children(undefined, [single]);
  const own = item === undefined ? [] : entryLines(singleKey, tree.recordOf(item, file), '');
  const lines = [
    ...headOf(layout),
    ...managedLines(tree, layout),
    ...own,
    ...listLinesOf(tree, layout, undefined),
  ];
  return `${lines.join('\n')}\n`;
}

/** The file of a site. */
export function siteFile(tree: LiveTree, layout: FileLayout, item: LiveItem): string {
  const own = entryLines(layout.singleKey, tree.recordOf(item, layout.file), '');
  const lines = [
    ...headOf(layout),
    ...managedLines(tree, layout),
    ...own,
    ...listLinesOf(tree, layout, item),
  ];
  return `${lines.join('\n')}\n`;
}

function listLinesOf(tree: LiveTree, { lists, file }: FileLayout, parent: LiveItem | undefined): string[] {
  return [...lists].flatMap(([key, kinds]) => {
    // Where the platform refused them, an empty list is what a later pull adds them to.
    if (!kinds.some(({ name }) => tree.wasAsked(name))) return [];
    const items = tree.children(parent, kinds);
    if (items.length === 0) return [`${key}: []`];
    return [`${key}:`, ...items.flatMap((item) => itemLines(tree, item, file, '  '))];
  });
}

/** A new item of a list, with all that stands in it. */
function itemLines(tree: LiveTree, item: LiveItem, file: string, indent: string): string[] {
  const inner = `${indent}  `;
  const kind = kindOf(item.kind);
  const below = kind.spot.children === undefined ? [] : tree.children(item, childrenOf(kind));
  const children = below.flatMap((child) => itemLines(tree, child, file, `${inner}  `));
  const list = children.length === 0 ? [] : [`${inner}${kind.spot.children}:`, ...children];
  return dashed([...ownLines(tree, item, file, inner), ...list], indent);
}

/** The keys of an item, without what stands in it. */
export function ownLines(tree: LiveTree, item: LiveItem, file: string, indent: string): string[] {
  return mapLines(tree.recordOf(item, file), indent);
}

function headOf(layout: FileLayout): string[] {
  const up = layout.file.includes('/') ? '../' : './';
  const limits = [...new Set(kinds.filter(({ spot }) => spot.file === layout.file).flatMap(limitsOf))];
  const lines = [
    ...help,
    ...(layout.lists.size > 0 ? [manageHelp] : []),
    ...(limits.length > 0 ? ['', 'Limits:', ...limits.map((limit) => `- ${limit}`)] : []),
  ];
  return [
    `# yaml-language-server: $schema=${up}.schemas/${layout.name}.json`,
    ...lines.map((line) => `# ${line}`.trimEnd()),
  ];
}

const help = [
  'Edit this file; "docs plan" shows the changes, and "docs apply" makes them.',
  'Items that this file does not name stay unchanged on the platform.',
];
const manageHelp =
  'manage: exact removes other items ("docs apply --prune"); none keeps "docs pull" from adding items.';

/** What no operation does, and what is not in the file. */
function limitsOf(kind: Kind): string[] {
  const cannot = Object.values(kind.cannot ?? {}).map(({ message }) => message);
  const whole =
    kind.spot.list === undefined
      ? `the ${kind.one}`
      : `${/^[aeiou]/i.test(kind.one) ? 'an' : 'a'} ${kind.one}`;
  const out = Object.entries(kind.leftOut ?? {}).map(
    ([name, why]) => `The ${name} of ${whole} cannot be set here, since ${why}.`,
  );
  return [...cannot, ...out];
}

function managedLines(tree: LiveTree, { lists, scopes, guards }: FileLayout): string[] {
  const guarded = guards ? entryLines('guards', { min_admins: guardsOf(tree).minAdmins }, '') : [];
  const scoped = [...scopes.keys()].flatMap((key) =>
    guards ? entryLines(key, { manage: 'additive' }, '') : [`${key}: additive`],
  );
  return [...guarded, ...(lists.size > 0 ? ['manage: additive'] : []), ...scoped];
}

/** The guards that an empty folder gets: two admins, or one where there is one. */
export function guardsOf({ live }: LiveTree): Guards & { minAdmins: number } {
  const people = live.items.get('people');
  const admins = people?.filter(({ fields }) => fields.role === 'admin').length;
  return { minAdmins: admins === 1 ? 1 : 2 };
}

async function* peopleCsv(
  tree: LiveTree,
  kind: Kind,
  people: readonly LiveItem[],
): AsyncGenerator<Uint8Array> {
  const { stringify } = await import('csv-stringify');
  const columns = csvColumns(kind);
  const writer = stringify({ record_delimiter: '\n' });
  writer.write(columns);
  for (const [index, item] of people.entries()) {
    writer.write(csvCells(tree, kind, item, columns));
    if (index % 1000 === 999) yield* drained(writer);
  }
  writer.end();
  for await (const chunk of writer) yield chunk as Uint8Array;
}

function* drained(writer: { read(): unknown }): Generator<Uint8Array> {
  for (let chunk = writer.read(); chunk !== null; chunk = writer.read()) yield chunk as Uint8Array;
}

/** The cells of a person, in the order of the columns. */
export function csvCells(tree: LiveTree, kind: Kind, item: LiveItem, columns: readonly string[]): string[] {
  const fields = tree.setFields(item);
  const text = (column: string) => {
    if (column === markerOf(kind)) return tree.keyOf(item);
    if (column !== teamsKey)
      return fields[column] === undefined ? '' : String(tree.fileValue(fields[column]));
    return teamsCell(tree.teamsOf(item).map((one) => [tree.teamOf(one), String(one.fields.role)]));
  };
  return columns.map((column) => safeCell(text(column)));
}

/** `editors:owner writers`. */
export function teamsCell(roles: readonly (readonly [team: string, role: string])[]): string {
  const words = roles.map(([team, role]) => (role === 'member' ? team : `${team}:${role}`));
  return words.sort().join(' ');
}
