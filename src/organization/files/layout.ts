import { addTo } from '../../base/values.js';
import { kindOf, kinds } from '../kinds/index.js';
import type { Field, Kind, KindName } from '../model.js';

/** Which files there are and what stands where in them, derived from the kinds. */

export interface FileLayout {
  /** `teams.yaml`, `sites/*.yaml`. */
  file: string;
  /** Of its schema: `teams`, `site`. */
  name: string;
  /** The kind of which the file holds one item: the organization, a site. */
  single?: Kind;
  /** The key of that item: `site`. */
  singleKey: string;
  /** By the key at the top of the file. */
  lists: ReadonlyMap<string, readonly Kind[]>;
  /** Keys at the top that say what is managed of what files name elsewhere: `memberships`, `sites`. */
  scopes: ReadonlyMap<string, Kind>;
  /** Whether it has the guards. */
  guards: boolean;
}

/** The file that makes a folder the files of an organization. */
export const organizationFile = 'org.yaml';

/** The kind that has no list of its own: memberships are in the `teams` of people. */
export const memberships = kindOf('memberships');
const listed = kinds.filter((kind) => kind !== memberships);
export const teamsKey = 'teams';

function layoutOf(file: string): FileLayout {
  const here = listed.filter(({ spot }) => spot.file === file);
  const single = here.find(isSingle);
  const lists = new Map<string, Kind[]>();
  for (const kind of here) {
    const { list } = kind.spot;
    const atTop =
      kind.parents.length === 0 || kind.parents.some((one) => one === 'root' || one === single?.name);
    if (kind === single || list === undefined || !atTop) continue;
    addTo(lists, list, kind);
  }
  const elsewhere = kinds.filter(({ spot }) => spot.file.includes('*')).filter(isSingle);
  const scopes = new Map<string, Kind>(
    file === organizationFile ? elsewhere.map((kind) => [kind.name, kind]) : [],
  );
  if (here.some(({ name }) => name === 'people')) scopes.set(memberships.name, memberships);
  return {
    file,
    name: schemaOf(file),
    single,
    singleKey: single?.spot.under ?? single?.one ?? '',
    lists,
    scopes,
    guards: file === organizationFile,
  };
}

/** Whether a file, or a key of it, is one item of the kind. */
export function isSingle({ spot }: Kind): boolean {
  return spot.list === undefined;
}

/** The key that names an item in its list, and tells its kind from others of the list. */
export function markerOf({ spot, key }: Kind): string {
  return spot.marker ?? (key === 'own' ? 'key' : key.field);
}

const children = new Map<Kind, readonly Kind[]>();

/** The kinds whose items stand in the `children` of an item of a kind. */
export function childrenOf(kind: Kind): readonly Kind[] {
  if (kind.spot.children === undefined || isSingle(kind)) return [];
  const known = children.get(kind);
  if (known !== undefined) return known;
  const { file } = kind.spot;
  const found = listed.filter(({ parents, spot }) => spot.file === file && parents.includes(kind.name));
  children.set(kind, found);
  return found;
}

/** The fields that stand in files beside the key. */
export function fieldsOf(kind: Kind): readonly Field[] {
  const marker = markerOf(kind);
  return kind.fields.filter(({ key }) => key !== marker);
}

/** The kinds of which a field may name an item, the likelier first. */
export function refersTo({ refers, orElse }: Field): readonly KindName[] {
  return [refers, orElse].filter((kind) => kind !== undefined);
}

/** The layout of a file by its path: `sites/acme-docs.yaml` is one of `sites/*.yaml`. */
export function layoutFor(file: string): FileLayout | undefined {
  return layouts.find((layout) => layout.file === file || keyIn(layout, file) !== undefined);
}

/** What the `*` of a layout is in a path. */
export function keyIn({ file: pattern }: FileLayout, file: string): string | undefined {
  const [before, after] = pattern.split('*');
  if (before === undefined || after === undefined) return undefined;
  const fits = file.startsWith(before) && file.endsWith(after) && file.length > before.length + after.length;
  const key = file.slice(before.length, file.length - after.length);
  return fits && !key.includes('/') ? key : undefined;
}

/** The name of the schema of a file: `site` for those of `sites/`. */
export function schemaOf(file: string): string {
  if (file.includes('/')) return file.slice(0, file.indexOf('/')).replace(/s$/, '');
  return file.replace(/\.[^.]*$/, '');
}

export const layouts: readonly FileLayout[] = [
  ...new Set([organizationFile, ...listed.map(({ spot }) => spot.file)]),
].map(layoutOf);
