import { lstat, readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createChecker } from '../../api/check.js';
import { DocsError, usageError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { nearest } from '../../base/nearest.js';
import { shellWord } from '../../base/shell-word.js';
import { localIoError, systemCode } from '../../base/system-errors.js';
import { mostYaml } from '../../files/yaml/most-yaml.js';
import { isMap, isScalar, type MapNode } from '../../files/yaml/node.js';
import { type ParsedFile, parseFile, tooLarge } from '../../files/yaml/parse.js';
import type { Kind } from '../kind.js';
import { kinds as allKinds } from '../kinds/index.js';
import type { Desired, DesiredItem, Scope } from '../model.js';
import { itemOf, ownKey, ownKeyWords, readList } from './items.js';
import { type FileLayout, isSingle, keyIn, layoutFor, organizationFile } from './layout.js';
import { badFiles } from './mistakes.js';
import { checkOptions } from './options.js';
import { readGuards, readManage, readScope } from './org.js';
import { checkOtherFolders } from './other-folders.js';
import { largestCsv, readPeopleCsv } from './people-csv.js';
import { Nonconforming, Reading } from './reading.js';
import { referredPath } from './referred.js';
import type { Spot } from './spot.js';
import { readVariables } from './variables.js';

/**
 * Reads the files of a folder.
 * @param kinds what files can describe
 * @throws DocsError usage `no_org_folder` without `org.yaml`; `bad_files` with all mistakes at once, each with
 *   file, line, column, path, what was expected and the nearest known key
 */
export async function readFolder(
  io: Io,
  folder: string,
  kinds: readonly Kind[] = allKinds,
): Promise<Desired> {
  const reading = await readFiles(io, folder, kinds);
  const other = (beside: string) => readFiles(io, beside, kinds);
  if (reading.mistakes.length === 0) checkOptions(reading);
  if (reading.mistakes.length === 0) await checkOtherFolders(reading, other);
  if (reading.mistakes.length > 0) throw badFiles(reading.mistakes);
  const { items, scopes, guards } = reading;
  return { items, scopes, guards };
}

/** The same with what stands where, for pull. Mistakes are in the result. */
export async function readFiles(io: Io, folder: string, kinds: readonly Kind[]): Promise<Reading> {
  const root = resolve(io.cwd, folder);
  try {
    return await readInto(new Reading(io, root, kinds), folder);
  } catch (cause) {
    if (!(cause instanceof Nonconforming)) throw cause;
    const check = await createChecker({ knownOnly: false });
    return readInto(new Reading(io, root, kinds, check), folder);
  }
}

async function readInto(reading: Reading, folder: string): Promise<Reading> {
  const files = await filesIn(reading);
  if (!files.includes(organizationFile)) throw noFolder(folder, reading.io.platform);
  for (const file of files) await readOne(reading, file);
  reading.resolve();
  addSites(reading);
  return reading;
}

/** Files of a folder of their own are a list, whether org.yaml says something about it or not. */
function addSites({ kinds, items, scopes }: Reading): void {
  for (const kind of kinds.filter((one) => one.spot.file.includes('*') && isSingle(one))) {
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
export async function filesIn(reading: Reading): Promise<string[]> {
  const { folder, layouts } = reading;
  const found: string[] = [];
  for (const { file } of layouts) {
    const [directory = '', ending] = file.split('*');
    const names = await namesIn(join(folder, ending === undefined ? '' : directory));
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
function misspelt({ layouts, mistakes }: Reading, names: readonly string[]): void {
  const known = layouts.map(({ file }) => file).filter((file) => !file.includes('*'));
  for (const name of names) {
    if (known.includes(name) || !/\.ya?ml$/.test(name)) continue;
    const meant = nearest(name.replace(/\.yml$/, '.yaml'), known);
    if (meant === undefined || names.includes(meant)) continue;
    const message = `is not a file that docs reads; did you mean "${meant}"?`;
    mistakes.push({ file: name, line: 1, column: 1, path: '', message, nearest: meant });
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return [];
    throw localIoError(error, `Cannot read ${folder}`);
  }
}

async function readOne(reading: Reading, file: string): Promise<void> {
  const layout = layoutFor(reading.layouts, file);
  const parsed = await load(reading, file);
  reading.parsedMistakes(parsed.mistakes);
  reading.parsed.set(file, parsed);
  const { root } = parsed;
  if (root === undefined || layout === undefined) return;
  const spot = { reading, parsed, path: '', within: keyIn(layout, file) };
  reading.onlyKnown(parsed, root, '', topKeys(layout));
  const variables = layout.guards ? root.entries.get('env') : undefined;
  if (variables !== undefined) reading.variables = readVariables({ ...spot, path: 'env' }, variables.value);
  const single = await readSingle(spot, layout, root);
  const guards = layout.guards ? root.entries.get('guards') : undefined;
  if (guards !== undefined) reading.guards = readGuards({ ...spot, path: 'guards' }, guards.value);
  await readLists(spot, layout, root, single);
  readScopes(spot, layout, root);
}

async function load(reading: Reading, file: string): Promise<ParsedFile> {
  const path = join(reading.folder, file);
  const none = (message: string): ParsedFile => ({
    file,
    text: '',
    starts: [0],
    mistakes: [{ file, line: 1, column: 1, path: '', message }],
  });
  try {
    const stats = await lstat(path);
    if (stats.isSymbolicLink()) return none('is a symbolic link, which docs does not follow');
    if (!stats.isFile()) return none('is not a file');
    if (stats.size > mostYaml) return none(tooLarge(file, stats.size));
    return await parseFile(file, await readFile(path));
  } catch (error) {
    if (error instanceof DocsError) throw error;
    throw localIoError(error, `Cannot read ${path}`);
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
async function readSingle(
  spot: Spot,
  { single, singleKey }: FileLayout,
  root: MapNode,
): Promise<DesiredItem | undefined> {
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
  const item = await itemOf({ ...here, parent: undefined, ancestors: [] }, node, {
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
    const names = reading.kinds.filter(({ spot: { file, list } }) => file === layout.file && list === key);
    const scope: Scope = {
      kinds: names.map(({ name }) => name).filter((name) => !layout.scopes.has(name)),
      manage,
      at,
      ...(single !== undefined && { within: single.address }),
    };
    reading.scopes.push(scope);
    const path = key;
    const node = entry.value;
    const [kind] = kinds;
    if (kind?.name === 'people' && isScalar(node) && node.tag === 'file') {
      const csv = await referredPath({ ...spot, path }, node, largestCsv);
      if (csv !== undefined) await readPeopleCsv(reading, csv, kind, scope);
      continue;
    }
    const ancestors = single === undefined ? [] : [single];
    await readList({ ...spot, path, kinds, scope, parent: single, ancestors }, entry);
  }
}
