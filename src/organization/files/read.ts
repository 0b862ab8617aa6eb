import { type Dirent, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { DocsError, localIoError, systemCode, usageError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { nearest } from '../../base/nearest.js';
import { shellWord } from '../../base/shell-word.js';
import { isMap, isScalar, type MapNode, mostYaml, withNearest } from '../../files/yaml/node.js';
import { type ParsedFile, parseFile, tooLarge } from '../../files/yaml/parse.js';
import { counted } from '../../output/text.js';
import { isForeignLock, type Lock, lockName, readLock } from '../../plans/lock.js';
import { nextPiece } from '../../snapshot/gate.js';
import { kinds as allKinds } from '../kinds/index.js';
import { type Address, type Desired, type DesiredItem, type Field, kindIn, type Scope } from '../model.js';
import { valueHash } from '../value.js';
import { itemOf, ownKey, ownKeyWords, readGuards, readList, readManage, readScope } from './items.js';
import { type FileLayout, isSingle, keyIn, layoutFor, layouts, organizationFile } from './layout.js';
import { largestCsv, readPeopleCsv } from './people-csv.js';
import { PeopleLines, peopleFile } from './people-lines.js';
import { badFiles, joined, Reading, type Spot } from './reading.js';
import { readVariables, referredPath } from './values.js';

/**
 * Reads the files of a folder.
 * @throws DocsError usage `no_org_folder` without `org.yaml`; `bad_files` with all mistakes at once, each with
 *   file, line, column, path, what was expected and the nearest known key
 */
export async function readFolder(io: Io, folder: string): Promise<Desired> {
  const reading = await readFiles(io, folder);
  if (reading.mistakes.length === 0) checkOptions(reading);
  if (reading.mistakes.length === 0) await checkOtherFolders(reading);
  if (reading.mistakes.length > 0) throw badFiles(reading.mistakes);
  const { items, scopes, guards } = reading;
  return { items, scopes, guards };
}

/** The same for pull, with what stands where if files are edited. Mistakes are in the result. */
export async function readFiles(io: Io, folder: string, isEdited = false): Promise<Reading> {
  const reading = new Reading(io, resolve(io.cwd, folder), isEdited);
  const files = filesIn(reading);
  if (!files.includes(organizationFile)) throw noFolder(folder, reading.io.platform);
  for (const file of files) {
    await nextPiece();
    await readOne(reading, file);
  }
  reading.resolve();
  addSites(reading);
  return reading;
}

/** Files of a folder of their own are a list, whether org.yaml says something about it or not. */
function addSites({ items, scopes }: Reading): void {
  for (const kind of allKinds.filter((one) => one.spot.file.includes('*') && isSingle(one))) {
    const first = [...items.values()].find((item) => item.kind === kind.name);
    if (first === undefined || scopes.some((scope) => scope.kinds.includes(kind.name))) continue;
    scopes.push({ kinds: [kind.name], manage: 'additive', at: first.at });
  }
}

export function noFolder(folder: string, platform: Io['platform']): DocsError {
  return usageError('no_org_folder', `${folder} has no ${organizationFile}; nothing was changed`, {
    hint: `docs pull --dir ${shellWord(folder, platform)}`,
    details: { folder },
  });
}

/** The files of a folder that docs reads, in the order of the kinds. */
export function filesIn(reading: Reading): string[] {
  const { folder } = reading;
  const found: string[] = [];
  for (const { file } of layouts) {
    const [directory = '', ending] = file.split('*');
    const names = namesIn(join(folder, ending === undefined ? '' : directory));
    const known =
      ending === undefined
        ? names.filter((name) => name === file)
        : siteFiles(reading, directory, names, ending);
    found.push(...known.sort());
    if (file === organizationFile) misspelt(reading, names);
  }
  return found;
}

function siteFiles(reading: Reading, directory: string, names: readonly string[], ending: string): string[] {
  const other = ending.replace('.yaml', '.yml');
  for (const name of names.filter((one) => one.endsWith(other)))
    reading.mistake(
      { file: directory + name, line: 1, column: 1, path: '' },
      `must be named *${ending}, not *${other}`,
    );
  return names
    .filter((name) => name.endsWith(ending) && !name.startsWith('.'))
    .map((name) => directory + name);
}

/** A file that docs would not read for its name: `teams.yml`, `team.yaml`. */
function misspelt({ mistakes }: Reading, names: readonly string[]): void {
  const known = layouts.map(({ file }) => file).filter((file) => !file.includes('*'));
  for (const name of names) {
    if (known.includes(name) || !/\.ya?ml$/.test(name)) continue;
    const meant = nearest(name.replace(/\.yml$/, '.yaml'), known);
    if (meant === undefined || names.includes(meant)) continue;
    const message = `is not a file that docs reads; did you mean "${meant}"?`;
    mistakes.push({ file: name, line: 1, column: 1, path: '', message, nearest: meant });
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return [];
    throw localIoError(error, `cannot read ${folder}`);
  }
}

async function readOne(reading: Reading, file: string): Promise<void> {
  const layout = layoutFor(file);
  // What is edited needs the tree.
  const people = file === peopleFile && !reading.isEdited ? new PeopleLines(reading) : undefined;
  const parsed = await load(reading, file, people?.tree);
  reading.parsedMistakes(parsed.mistakes);
  if (reading.isEdited) reading.parsed.set(file, parsed);
  const { root } = parsed;
  if (root === undefined || layout === undefined) return;
  const spot = { reading, parsed, path: '', within: keyIn(layout, file) };
  reading.onlyKnown(parsed, root, '', topKeys(layout));
  const variables = layout.guards ? root.entries.get('env') : undefined;
  if (variables !== undefined) reading.variables = readVariables({ ...spot, path: 'env' }, variables.value);
  const single = readSingle(spot, layout, root);
  const guards = layout.guards ? root.entries.get('guards') : undefined;
  if (guards !== undefined) reading.guards = readGuards({ ...spot, path: 'guards' }, guards.value);
  await readLists(spot, layout, root, single);
  people?.add();
  readScopes(spot, layout, root);
}

/** Reads at once: each further turn of the event loop would wait behind the answers of the platform. */
async function load(reading: Reading, file: string, plain?: PeopleLines['tree']): Promise<ParsedFile> {
  const path = join(reading.folder, file);
  const none = (message: string): ParsedFile => ({
    file,
    text: '',
    starts: [0],
    mistakes: [{ file, line: 1, column: 1, path: '', message }],
  });
  try {
    const stats = lstatSync(path);
    if (stats.isSymbolicLink()) return none('is a symbolic link, which docs does not follow');
    if (!stats.isFile()) return none('is not a file');
    if (stats.size > mostYaml) return none(tooLarge(file, stats.size));
    return await parseFile(file, readFileSync(path), plain);
  } catch (error) {
    if (error instanceof DocsError) throw error;
    throw localIoError(error, `cannot read ${path}`);
  }
}

/** The keys that a file can have at its top. */
export function topKeys({ single, singleKey, lists, scopes, guards }: FileLayout): string[] {
  return [
    ...(single === undefined ? [] : [singleKey]),
    ...(lists.size > 0 ? ['manage'] : []),
    ...scopes.keys(),
    ...lists.keys(),
    ...(guards ? ['guards', 'env'] : []),
  ];
}

/** The organization of org.yaml, the site of its file. */
function readSingle(spot: Spot, { single, singleKey }: FileLayout, root: MapNode): DesiredItem | undefined {
  if (single === undefined) return undefined;
  const { reading, parsed, within } = spot;
  const entry = root.entries.get(singleKey);
  const key = within ?? singleKey;
  if (within !== undefined && !ownKey.test(within))
    reading.mistake(reading.place(parsed, 0, ''), `has a name that ${ownKeyWords}`);
  if (entry === undefined && within === undefined) return undefined;
  const node = entry?.value ?? { ...root, entries: new Map() };
  const here = { ...spot, path: singleKey };
  if (!isMap(node)) {
    reading.mistake(
      reading.place(parsed, node.start, singleKey),
      'must be keys with values, such as "title: Acme"',
    );
    return undefined;
  }
  const known = [...single.fields.map((field) => field.key), 'was', 'protected', 'external'];
  reading.onlyKnown(parsed, node, singleKey, known);
  const item = itemOf({ ...here, parent: undefined, ancestors: [] }, node, {
    kind: single,
    key,
    index: 0,
  });
  reading.add(item, { kind: single, map: node, parsed });
  return item;
}

function readScopes(spot: Spot, layout: FileLayout, root: MapNode): void {
  const { reading, parsed } = spot;
  for (const [key, kind] of layout.scopes) {
    const entry = root.entries.get(key);
    const at = reading.place(parsed, entry?.keyStart ?? 0, key);
    const here = { ...spot, path: key };
    // What org.yaml says is a map with more to come; memberships are a word.
    if (!layout.guards) {
      const isNamed =
        entry !== undefined || [...reading.items.values()].some((item) => item.kind === kind.name);
      if (isNamed) reading.scopes.push({ kinds: [kind.name], manage: readManage(here, entry?.value), at });
    } else if (entry !== undefined)
      reading.scopes.push({ kinds: [kind.name], ...readScope(here, entry.value), at });
  }
}

async function readLists(
  spot: Spot,
  layout: FileLayout,
  root: MapNode,
  single: DesiredItem | undefined,
): Promise<void> {
  const { reading, parsed } = spot;
  const manage = readManage({ ...spot, path: 'manage' }, root.entries.get('manage')?.value);
  for (const [key, kinds] of layout.lists) {
    const entry = root.entries.get(key);
    if (entry === undefined) continue;
    const at = reading.place(parsed, entry.keyStart, key);
    const names = allKinds.filter(({ spot: { file, list } }) => file === layout.file && list === key);
    const scope: Scope = {
      kinds: names.map(({ name }) => name).filter((name) => !layout.scopes.has(name)),
      manage,
      at,
      within: single?.address,
    };
    reading.scopes.push(scope);
    const path = key;
    const node = entry.value;
    const [kind] = kinds;
    if (kind?.name === 'people' && isScalar(node) && node.tag === 'file') {
      const csv = referredPath({ ...spot, path }, node, largestCsv);
      if (csv !== undefined) await readPeopleCsv(reading, csv, kind, scope);
      continue;
    }
    const ancestors = single === undefined ? [] : [single];
    readList({ ...spot, path, kinds, scope, parent: single, ancestors }, entry);
  }
}

/** Values of fields with options, such as those of a space: they are among the options, where files name those. */

/** Reports those that are not. What was once applied stays: the platform may keep values of former options. */
function checkOptions(reading: Reading): void {
  const unknown = [...unknownOptions(reading)];
  if (unknown.length === 0) return;
  const lock = readLock(reading.folder);
  for (const { item, field, key, value, wrong, options } of unknown) {
    const applied = lock?.items[item.address]?.applied[`${field.key}.${key}`];
    if (applied !== undefined && applied === valueHash(value)) continue;
    const node = reading.nodes.get(item.address);
    const map = node?.map.entries.get(field.key)?.value;
    const start = isMap(map) ? map.entries.get(key)?.value.start : undefined;
    const path = joined(joined(item.at.path, field.key), key);
    const place =
      node && start !== undefined ? reading.place(node.parsed, start, path) : { ...item.at, path };
    const message = `must be one of the options of the field: ${options.join(', ')}`;
    reading.mistake(place, withNearest(message, wrong, options));
  }
}

interface Unknown {
  item: DesiredItem;
  field: Field;
  key: string;
  value: unknown;
  wrong: string;
  options: readonly string[];
}

function* unknownOptions({ items }: Reading): Generator<Unknown> {
  const withMaps = allKinds.flatMap((kind) => kind.fields.map((field) => ({ kind, field })));
  for (const { kind, field } of withMaps.filter((one) => one.field.mapOf !== undefined)) {
    for (const item of items.values()) {
      const values = item.kind === kind.name ? item.fields[field.key] : undefined;
      if (values === undefined) continue;
      for (const [key, value] of Object.entries(values ?? {})) {
        const options = optionsOf(items.get(`${field.mapOf}/${key}` as Address));
        const wrong =
          options &&
          [value].flat().find((one) => typeof one === 'string' && one !== '' && !options.includes(one));
        if (options !== undefined && wrong !== undefined) yield { item, field, key, value, wrong, options };
      }
    }
  }
}

function optionsOf(item: DesiredItem | undefined): string[] | undefined {
  const { type, options } = item?.fields ?? {};
  if ((type !== 'select' && type !== 'multiselect') || !Array.isArray(options)) return undefined;
  return options.every((one) => typeof one === 'string') ? options : undefined;
}

/** Two folders may each manage items of one organization, but not the same ones. */

/**
 * Reports the items that another folder manages too. Other folders are those beside this one that have a lock of
 * the same organization and platform.
 */
async function checkOtherFolders(reading: Reading): Promise<void> {
  const ours = readLock(reading.folder);
  if (ours === undefined) return;
  let byId: ReadonlyMap<string, Address> | undefined;
  for (const folder of foldersBeside(reading.folder)) {
    const theirs = lockOf(folder, ours);
    if (theirs === undefined) continue;
    byId ??= managedById(reading, ours);
    const shared = sharedItems(theirs, byId);
    if (shared.length > 0) await report(reading, folder, shared);
  }
}

/** What the files manage, by kind and id. */
function managedById({ items }: Reading, lock: Lock): ReadonlyMap<string, Address> {
  const byId = new Map<string, Address>();
  for (const [address, item] of items) {
    const id = lock.items[address]?.id;
    if (typeof id === 'string' && !item.external) byId.set(`${item.kind} ${id}`, address);
  }
  return byId;
}

function foldersBeside(folder: string): string[] {
  const parent = dirname(folder);
  return entriesOf(parent)
    .filter((entry) => entry.isDirectory() && entry.name !== basename(folder))
    .map(({ name }) => join(parent, name))
    .sort();
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // Without them, nothing is compared.
  }
}

/** Undefined where there is none, it is of another organization, or that folder has its own trouble with it. */
function lockOf(folder: string, ours: Lock): Lock | undefined {
  if (isForeignLock(folder, ours)) return undefined;
  try {
    const lock = readLock(folder);
    return lock?.org === ours.org && lock.origin === ours.origin ? lock : undefined;
  } catch {
    return undefined;
  }
}

interface Shared {
  ours: Address;
  theirs: string;
}

function sharedItems(lock: Lock, byId: ReadonlyMap<string, Address>): Shared[] {
  return Object.entries(lock.items).flatMap(([theirs, { id }]) => {
    const kind = kindIn(theirs);
    const ours = byId.get(`${kind} ${id}`);
    return ours === undefined ? [] : [{ ours, theirs }];
  });
}

async function report(reading: Reading, folder: string, shared: readonly Shared[]): Promise<void> {
  // Files that do not read cannot say that they no longer name an item, so their lock counts.
  const found = await readFiles(reading.io, folder).catch(() => undefined);
  const files = found?.mistakes.length === 0 ? found : undefined;
  const name = relative(dirname(reading.folder), folder);
  const both = shared.flatMap(({ ours, theirs }) => {
    const item = reading.items.get(ours);
    const other = files?.items.get(theirs as Address);
    if (item === undefined || (files !== undefined && (other === undefined || other.external))) return [];
    const where =
      other === undefined ? join(name, lockName) : `${join(name, other.at.file)}:${other.at.line}`;
    return [{ item, where, from: other?.at.file }];
  });
  const [first] = both;
  if (first === undefined) return;
  const pairs = new Set(both.map(({ item, from }) => `${item.at.file} ${from}`));
  const more = both.length > 1 ? `, and ${counted(both.length - 1, 'more item')}` : '';
  const { address, at } = first.item;
  // A copied folder has everything twice: one mistake says what to do about the whole folder.
  if (pairs.size > mostPairs)
    return reading.mistake(
      { ...at, path: address },
      `is managed by two folders, ${basename(reading.folder)} and ${name} (${first.where})${more}; delete one of the folders, or move it out of ${dirname(reading.folder)}`,
    );
  for (const pair of pairs) {
    const own = both.filter(({ item, from }) => `${item.at.file} ${from}` === pair);
    const { item, where } = own[0] ?? first;
    const others = own.length > 1 ? `, and ${counted(own.length - 1, 'more item')}` : '';
    reading.mistake(
      item.at,
      `names ${item.address}, which ${where} manages too${others}; remove it from one of them, or mark it external: true`,
    );
  }
}

/** Folders that share the items of more files than that are copies of each other. */
const mostPairs = 2;
