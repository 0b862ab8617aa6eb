import { type Difference, diffItems, grouped, hashesOf } from './diff-items.js';
import { compareLists } from './diff-lists.js';
import { essenceOfText } from './essence.js';
import type { Folder } from './folder.js';
import type { FileEntry, SpaceManifest } from './manifest.js';

/** What is different in a space: settings, values of fields, pages, files, comments, change requests. */

export interface SpaceBackup {
  folder: Folder;
  /** Where its folder is. */
  at: string;
  manifest: SpaceManifest;
}

/** @throws DocsError configuration `bad_list` */
export async function* diffSpace(a: SpaceBackup, b: SpaceBackup): AsyncGenerator<Difference> {
  const { id, title } = b.manifest;
  if ((await settingsOf(a)) !== (await settingsOf(b))) yield { change: 'changed', kind: 'space', id, title };
  if (hashOf(a, 'fields') !== hashOf(b, 'fields')) yield { change: 'changed', kind: 'fields', id, title };
  for (const kind of ['page', 'file'])
    yield* placed(diffPlaced(ofKind(a, kind), ofKind(b, kind), kind), title);
  yield* diffComments(a, b);
  const requests = diffItems(changeRequestsOf(a), changeRequestsOf(b), 'change-request', titleOfRequest);
  for (const difference of requests) yield { ...difference, space: title };
}

function* placed(differences: Iterable<Difference>, space: string): Generator<Difference> {
  for (const difference of differences) yield { ...difference, space };
}

/** Settings alone, as text. */
async function settingsOf({ folder, at }: SpaceBackup): Promise<string> {
  const settings = essenceOfText((await folder.text(`${at}/space.json`)) ?? '{}');
  return settings.replace(/"revision":"[^"]*",?/, '');
}

function own({ manifest }: SpaceBackup): FileEntry[] {
  return manifest.files.filter(({ changeRequest }) => changeRequest === undefined);
}

function hashOf(space: SpaceBackup, kind: string): string | undefined {
  return own(space).find((file) => file.kind === kind)?.sha256;
}

/** The files of a kind by id; of a page, its JSON and its Markdown. */
function ofKind(space: SpaceBackup, kind: string): Map<string, FileEntry[]> {
  return grouped(own(space).filter((file) => file.kind === kind || file.kind === `${kind}-markdown`));
}

/** Things that have a place: what moved and what changed is told apart. */
function* diffPlaced(
  before: ReadonlyMap<string, readonly FileEntry[]>,
  after: ReadonlyMap<string, readonly FileEntry[]>,
  kind: string,
): Generator<Difference> {
  for (const [id, files] of before) {
    const [old, now] = [placeOf(files), placeOf(after.get(id) ?? [])];
    if (now.path === undefined) yield { change: 'removed', kind, id, ...old };
    const moved = now.path !== undefined && old.path !== now.path;
    if (moved) yield { change: 'moved', kind, id, ...now, ...(old.path !== undefined && { from: old.path }) };
    const [text, newText] = [files, after.get(id) ?? []].map((all) => textOf(all)?.sha256);
    // The JSON of a page that moved differs in any case: its place is in it.
    const changed = moved ? text !== newText : hashesOf(files) !== hashesOf(after.get(id) ?? []);
    if (now.path !== undefined && changed) yield { change: 'changed', kind, id, ...now };
  }
  for (const [id, files] of after)
    if (!before.has(id)) yield { change: 'added', kind, id, ...placeOf(files) };
}

function placeOf(files: readonly FileEntry[]): { title?: string; path?: string } {
  const { title, path } = textOf(files) ?? {};
  return { ...(title !== undefined && { title }), ...(path !== undefined && { path }) };
}

/** The file that people read. */
function textOf(files: readonly FileEntry[]): FileEntry | undefined {
  return files.find(({ kind }) => kind === 'page-markdown') ?? files[0];
}

async function* diffComments(a: SpaceBackup, b: SpaceBackup): AsyncGenerator<Difference> {
  if (hashOf(a, 'comments') === hashOf(b, 'comments')) return;
  const [before, after] = [a, b].map((space) => {
    const file = own(space).find(({ kind }) => kind === 'comments');
    return file === undefined ? undefined : `${space.at}/${file.path}`;
  });
  const differences = compareLists(a.folder, before, b.folder, after, (value) => {
    const { comment } = value as { comment: { id: string; body?: { markdown?: string } } };
    return { id: comment.id, title: begun(comment.body?.markdown ?? ''), value };
  });
  for await (const difference of differences)
    yield { kind: 'comment', ...difference, space: b.manifest.title };
}

/** The beginning of a text, by which a comment is known. */
function begun(text: string): string {
  const characters = [...text.replaceAll(/\s+/g, ' ')];
  return characters.length > 60 ? `${characters.slice(0, 59).join('')}…` : characters.join('');
}

function changeRequestsOf({ manifest }: SpaceBackup): Map<string, FileEntry[]> {
  const files = manifest.files.filter(({ changeRequest }) => changeRequest !== undefined);
  return grouped(files, ({ changeRequest }) => changeRequest);
}

function titleOfRequest(files: readonly FileEntry[]): string | undefined {
  return files.find(({ kind }) => kind === 'change-request')?.title;
}
