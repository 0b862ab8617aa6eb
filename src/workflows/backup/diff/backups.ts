import type { Folder } from '../folder/folder.js';
import {
  type FileEntry,
  type Manifest,
  readSpaceManifest,
  type SpaceEntry,
  spaceFolder,
} from '../folder/manifest.js';
import type { Difference } from '../report.js';
import { essenceOf, essenceOfFiles } from './essence.js';
import { diffItems, grouped } from './items.js';
import { compareLists, type Listed } from './lists.js';
import { diffSpace, type SpaceBackup } from './space.js';

export interface Opened {
  folder: Folder;
  manifest: Manifest;
}

/** Lists at the top by kind: the noun of an item, and how to compare one. */
const lists: Readonly<Record<string, { kind: string; item: (value: unknown) => Listed }>> = {
  members: { kind: 'member', item: member },
  collections: { kind: 'collection', item: titled },
  'custom-fields': { kind: 'custom-field', item: titled },
  translations: { kind: 'translation', item: titled },
  saml: { kind: 'saml-provider', item: titled },
  sso: { kind: 'sso-login', item: titled },
};

/** Folders at the top with a folder for each item: name and noun. */
const folders: Readonly<Record<string, string>> = { teams: 'team', openapi: 'openapi-spec', sites: 'site' };

/**
 * The differences of the organization, then of each space. Spaces whose manifests are equal are not read.
 * @throws DocsError configuration `bad_manifest`, `bad_list` if a backup is damaged
 */
export async function* diffBackups(a: Opened, b: Opened): AsyncGenerator<Difference> {
  yield* diffOrganization(a, b);
  for (const [kind, { kind: noun, item }] of Object.entries(lists)) {
    const [before, after] = [a, b].map(({ manifest }) => manifest.files.find((file) => file.kind === kind));
    if (before?.sha256 === after?.sha256) continue;
    const places = [
      { ...a, path: before?.path },
      { ...b, path: after?.path },
    ] as const;
    for await (const difference of compareLists(...places, noun, item)) yield difference;
  }
  for (const [folder, noun] of Object.entries(folders)) yield* diffFolder(a, b, folder, noun);
  yield* diffSpaces(a, b);
}

function* diffOrganization(a: Opened, b: Opened): Generator<Difference> {
  const { id, title } = b.manifest.organization;
  const hash = ({ manifest }: Opened) => manifest.files.find(({ kind }) => kind === 'organization')?.sha256;
  if (hash(a) !== hash(b)) yield { change: 'changed', kind: 'organization', id, title, path: 'org.json' };
}

async function* diffFolder(a: Opened, b: Opened, folder: string, noun: string): AsyncGenerator<Difference> {
  const [before, after] = [inFolder(a, folder), inFolder(b, folder)];
  for (const difference of diffItems(before, after, noun)) {
    const { id, change } = difference;
    const essence = ({ folder: root }: Opened, files: ReadonlyMap<string, FileEntry[]>) =>
      essenceOfFiles(root, '', files.get(id) ?? []);
    if (change !== 'changed' || (await essence(a, before)) !== (await essence(b, after))) yield difference;
  }
}

function inFolder({ manifest }: Opened, folder: string): Map<string, FileEntry[]> {
  return grouped(manifest.files.filter(({ path }) => path.startsWith(`${folder}/`)));
}

async function* diffSpaces(a: Opened, b: Opened): AsyncGenerator<Difference> {
  const before = new Map(a.manifest.spaces.map((space) => [space.id, space]));
  const after = new Map(b.manifest.spaces.map((space) => [space.id, space]));
  for (const [id, old] of before) {
    const now = after.get(id);
    if (now === undefined) yield { change: 'removed', kind: 'space', ...called(old) };
    else yield* diffKnownSpace(a, old, b, now);
  }
  for (const [id, now] of after)
    if (!before.has(id)) yield { change: 'added', kind: 'space', ...called(now) };
}

async function* diffKnownSpace(
  a: Opened,
  old: SpaceEntry,
  b: Opened,
  now: SpaceEntry,
): AsyncGenerator<Difference> {
  if (old.folder !== now.folder)
    yield { change: 'moved', kind: 'space', ...called(now), from: spaceFolder(old.folder) };
  if (old.sha256 !== undefined && old.sha256 === now.sha256) return;
  const [before, after] = await Promise.all([spaceOf(a, old), spaceOf(b, now)]);
  if (before !== undefined && after !== undefined) yield* diffSpace(before, after);
}

async function spaceOf({ folder }: Opened, space: SpaceEntry): Promise<SpaceBackup | undefined> {
  const at = spaceFolder(space.folder);
  const manifest = await readSpaceManifest(folder, at);
  return manifest && { folder, at, manifest };
}

function called({ id, title, folder }: SpaceEntry) {
  return { id, title, path: spaceFolder(folder) };
}

function titled(value: unknown): Listed {
  const { id, name, title, label } = value as Record<string, unknown>;
  return listed(id ?? name, title ?? label ?? name, value);
}

function member(value: unknown): Listed {
  const { id, user } = value as { id?: unknown; user?: { displayName?: unknown } };
  return listed(id, user?.displayName, value);
}

function listed(id: unknown, title: unknown, value: unknown): Listed {
  return { id: String(id), ...(typeof title === 'string' && { title }), value: essenceOf(value) };
}
