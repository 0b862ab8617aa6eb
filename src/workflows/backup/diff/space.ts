import type { Comment } from '../../../api/resources/comments.js';
import { defined } from '../../../defined.js';
import type { Folder } from '../folder/folder.js';
import type { FileEntry, SpaceManifest } from '../folder/manifest.js';
import type { Difference } from '../report.js';
import { essenceOf, essenceOfFiles, essenceOfText } from './essence.js';
import { diffItems, grouped, hashesOf } from './items.js';
import { compareLists, type Listed } from './lists.js';

export interface SpaceBackup {
  folder: Folder;
  at: string;
  manifest: SpaceManifest;
}

/** @throws DocsError configuration `bad_list` */
export async function* diffSpace(a: SpaceBackup, b: SpaceBackup): AsyncGenerator<Difference> {
  const { id, title } = b.manifest;
  if ((await settingsOf(a)) !== (await settingsOf(b))) yield { change: 'changed', kind: 'space', id, title };
  if (hashOf(a, 'fields') !== hashOf(b, 'fields')) yield { change: 'changed', kind: 'fields', id, title };
  for (const kind of ['page', 'file'])
    for (const difference of diffPlaced(a, b, kind)) yield { ...difference, space: title };
  yield* diffComments(a, b);
  yield* diffChangeRequests(a, b);
}

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

/** Pages or files, which may be moved, changed, or both. */
function* diffPlaced(a: SpaceBackup, b: SpaceBackup, kind: string): Generator<Difference> {
  const [before, after] = [ofKind(a, kind), ofKind(b, kind)];
  for (const [id, files] of before) {
    const now = after.get(id);
    if (now === undefined) {
      yield { change: 'removed', kind, id, ...called(a, files) };
      continue;
    }
    const [old, text] = [textOf(files), textOf(now)];
    const moved = old?.path !== text?.path;
    const told = { kind, id, ...called(b, now) };
    if (moved) yield { change: 'moved', ...told, from: `${a.at}/${old?.path}` };
    // The JSON of a page that moved differs in any case: it has its path.
    const changed = moved ? old?.sha256 !== text?.sha256 : hashesOf(files) !== hashesOf(now);
    if (changed) yield { change: 'changed', ...told };
  }
  for (const [id, files] of after)
    if (!before.has(id)) yield { change: 'added', kind, id, ...called(b, files) };
}

function called({ at }: SpaceBackup, files: readonly FileEntry[]): { title?: string; path?: string } {
  const { title, path } = textOf(files) ?? {};
  return defined({ title, path: path && `${at}/${path}` });
}

/** Of a page the Markdown, else the file itself. */
function textOf(files: readonly FileEntry[]): FileEntry | undefined {
  return files.find(({ kind }) => kind === 'page-markdown') ?? files[0];
}

async function* diffComments(a: SpaceBackup, b: SpaceBackup): AsyncGenerator<Difference> {
  if (hashOf(a, 'comments') === hashOf(b, 'comments')) return;
  const place = (space: SpaceBackup) => {
    const path = own(space).find(({ kind }) => kind === 'comments')?.path;
    return { folder: space.folder, path: path && `${space.at}/${path}` };
  };
  for await (const difference of compareLists(place(a), place(b), 'comment', listedComment))
    yield { ...difference, space: b.manifest.title };
}

/** Of the page only its id counts: the rest changes with the page, not with the comment. */
function listedComment(value: unknown): Listed {
  const { comment, replies } = value as { comment: Comment; replies: unknown };
  const target = { ...comment.target, page: comment.target.page?.id };
  const title = begun(comment.body.markdown ?? '');
  return { id: comment.id, title, value: essenceOf({ comment: { ...comment, target }, replies }) };
}

function begun(text: string): string {
  const characters = [...text.replaceAll(/\s+/g, ' ')];
  return characters.length > 60 ? `${characters.slice(0, 59).join('')}…` : characters.join('');
}

/** Compared by its revision: the pages that it keeps also change with the space. */
async function* diffChangeRequests(a: SpaceBackup, b: SpaceBackup): AsyncGenerator<Difference> {
  const [before, after] = [changeRequestsOf(a), changeRequestsOf(b)];
  for (const difference of diffItems(before, after, 'change-request', titleOfRequest)) {
    const { id, change } = difference;
    if (change !== 'changed' || (await saysOf(a, before.get(id))) !== (await saysOf(b, after.get(id))))
      yield { ...difference, space: b.manifest.title };
  }
}

function saysOf({ folder, at }: SpaceBackup, files: readonly FileEntry[] = []): Promise<string> {
  const said = files.filter(({ kind }) => kind === 'change-request' || kind === 'comments');
  return essenceOfFiles(folder, `${at}/`, said);
}

function changeRequestsOf({ manifest }: SpaceBackup): Map<string, FileEntry[]> {
  const files = manifest.files.filter(({ changeRequest }) => changeRequest !== undefined);
  return grouped(files, ({ changeRequest }) => changeRequest);
}

function titleOfRequest(files: readonly FileEntry[]): string | undefined {
  return files.find(({ kind }) => kind === 'change-request')?.title;
}
