import { furtherResources, resources } from '../../../model/resources.js';
import {
  type FileEntry,
  type Manifest,
  readSpaceManifest,
  type SpaceEntry,
  spaceFolder,
} from '../folder/manifest.js';
import type { Named } from '../folder/names.js';
import type { Difference } from '../report.js';
import { diffAccess } from './access.js';
import { essenceOf } from './essence.js';
import { changed, diffItems, grouped } from './items.js';
import { compareLists, type Listed } from './lists.js';
import { diffOrders } from './orders.js';
import { type Files, fieldsOfFiles, type Side } from './side.js';
import { diffSpace, type SpaceBackup } from './space.js';

export interface Opened {
  folder: Files;
  manifest: Manifest;
}

/** The organization of a backup, without its spaces. */
export interface OrganizationBackup {
  folder: Files;
  files: readonly FileEntry[];
  spaces: readonly Named[];
}

const { member, collection, translation, team, site } = resources;

/** What a file at the top lists. */
const listed = [
  ...[member, collection, resources['custom-field'], translation, resources['saml-provider']],
  furtherResources['sso-login'],
];
/** What has a folder each, below one at the top. */
const inFolders = [team, resources['openapi-spec'], site];

/**
 * Spaces that are gone, the differences of the organization, then those of each space. Spaces whose manifests are
 * equal are not read.
 * @throws DocsError configuration `bad_manifest`, `bad_list` if a backup is damaged
 */
export async function* diffBackups(a: Opened, b: Opened): AsyncGenerator<Difference> {
  const [before, after] = [a, b].map(({ folder, manifest: { files, spaces } }) => ({
    folder,
    files,
    spaces,
  }));
  const kept = new Set(b.manifest.spaces.map(({ id }) => id));
  for (const space of a.manifest.spaces)
    if (!kept.has(space.id)) yield { change: 'removed', kind: 'space', ...called(space) };
  if (before !== undefined && after !== undefined) yield* diffOrganization(before, after);
  yield* diffSpaces(a, b);
}

/** @throws DocsError configuration `bad_list` */
export async function* diffOrganization(
  a: OrganizationBackup,
  b: OrganizationBackup,
): AsyncGenerator<Difference> {
  const settings = [a, b].map((side) =>
    sideOf(
      side,
      side.files.filter(({ kind }) => kind === 'organization'),
    ),
  );
  const [before, after] = settings as [Side, Side];
  const { id = '', title } = after.files[0] ?? before.files[0] ?? {};
  const thing = { kind: 'organization', id, title, path: 'org.json' };
  yield* changed(thing, await fieldsOfFiles(before, after, 'organization'));
  for (const { name, printed } of listed) {
    const [old, now] = [a, b].map(({ files }) => files.find(({ kind }) => kind === printed.backup));
    if (old?.sha256 === now?.sha256) continue;
    const places = [
      { folder: a.folder, path: old?.path },
      { folder: b.folder, path: now?.path },
    ] as const;
    yield* compareLists(...places, name, name === 'member' ? person : titled);
  }
  for (const { name, printed } of inFolders) yield* diffFolder(a, b, `${printed.files}/`, name);
  yield* diffAccess(a, b);
  yield* diffOrders(a, b, { id, title: title ?? id });
}

function sideOf({ folder }: OrganizationBackup, files: readonly FileEntry[]): Side {
  return { folder, at: '', files };
}

function diffFolder(
  a: OrganizationBackup,
  b: OrganizationBackup,
  folder: string,
  kind: string,
): AsyncGenerator<Difference> {
  const inFolder = ({ files }: OrganizationBackup) =>
    grouped(files.filter(({ path }) => path.startsWith(folder)));
  return diffItems(inFolder(a), inFolder(b), {
    kind,
    fields: (before, after) => fieldsOfFiles(sideOf(a, before), sideOf(b, after), kind),
  });
}

/** Of spaces that both have, and those that are new. */
async function* diffSpaces(a: Opened, b: Opened): AsyncGenerator<Difference> {
  const before = new Map(a.manifest.spaces.map((space) => [space.id, space]));
  const after = new Map(b.manifest.spaces.map((space) => [space.id, space]));
  for (const [id, old] of before) {
    const now = after.get(id);
    if (now !== undefined) yield* diffKnownSpace(a, old, b, now);
  }
  for (const [id, now] of after)
    if (!before.has(id)) yield { change: 'added', kind: 'space', ...called(now) };
}

/** The differences of a space that both backups have. Errors as `diffBackups`. */
export async function* diffKnownSpace(
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
  return itemOf(id ?? name, title ?? label ?? name, value);
}

function person(value: unknown): Listed {
  const { id, user } = value as { id?: unknown; user?: { displayName?: unknown } };
  return itemOf(id, user?.displayName, value);
}

function itemOf(id: unknown, title: unknown, value: unknown): Listed {
  return { id: String(id), ...(typeof title === 'string' && { title }), value: essenceOf(value) };
}
