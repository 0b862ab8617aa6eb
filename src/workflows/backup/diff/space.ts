import type { Comment } from '../../../api/resources/comments.js';
import { defined, isObject } from '../../../base/values.js';
import type { FileEntry, SpaceManifest } from '../folder/manifest.js';
import type { Difference, FieldChange } from '../report.js';
import { essenceOf } from './essence.js';
import { fieldsOf } from './fields.js';
import { changed, diffItems, grouped, hashesOf } from './items.js';
import { compareLists, type Listed } from './lists.js';
import { type Files, fieldsOfFiles, type Side } from './side.js';

export interface SpaceBackup {
  folder: Files;
  at: string;
  manifest: Pick<SpaceManifest, 'id' | 'title' | 'files'>;
}

/**
 * @param withRevision whether another revision of the space is a difference: if its pages are compared, they
 *   tell more
 * @throws DocsError configuration `bad_list`
 */
export async function* diffSpace(
  a: SpaceBackup,
  b: SpaceBackup,
  { withRevision = false } = {},
): AsyncGenerator<Difference> {
  const { id, title } = b.manifest;
  const settings = await fieldsOfKind(a, b, 'space');
  const told = settings.filter(({ field }) => withRevision || field !== 'revision');
  yield* changed({ kind: 'space', id, title }, told);
  yield* changed({ kind: 'fields', id, title }, await fieldsOfKind(a, b, 'fields'));
  for (const kind of ['page', 'file'])
    for await (const difference of diffPlaced(a, b, kind)) yield { ...difference, space: title };
  yield* diffComments(a, b);
  yield* diffChangeRequests(a, b);
}

function own({ manifest }: SpaceBackup): FileEntry[] {
  return manifest.files.filter(({ changeRequest }) => changeRequest === undefined);
}

function sideOf({ folder, at }: SpaceBackup, files: readonly FileEntry[]): Side {
  return { folder, at: `${at}/`, files };
}

function fieldsOfKind(a: SpaceBackup, b: SpaceBackup, kind: string): Promise<FieldChange[]> {
  const of = (space: SpaceBackup) => own(space).filter((file) => file.kind === kind);
  return fieldsOfFiles(sideOf(a, of(a)), sideOf(b, of(b)), kind);
}

/** The files of a kind by id; of a page, its JSON and its Markdown. */
function ofKind(space: SpaceBackup, kind: string): Map<string, FileEntry[]> {
  return grouped(own(space).filter((file) => file.kind === kind || file.kind === `${kind}-markdown`));
}

/** Pages or files, which may be moved, changed, or both. */
async function* diffPlaced(a: SpaceBackup, b: SpaceBackup, kind: string): AsyncGenerator<Difference> {
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
    if (hashesOf(files) === hashesOf(now)) continue;
    const fields =
      kind === 'page' ? fieldsOfPage(sideOf(a, files), sideOf(b, now)) : fieldsOfBytes(old, text);
    // Where it is has been told.
    const others = (await fields).filter(({ field }) => !moved || !['path', 'slug'].includes(field));
    yield* changed(told, others);
  }
  for (const [id, files] of after)
    if (!before.has(id)) yield { change: 'added', kind, id, ...called(b, files) };
}

/** The text as Markdown; the same as a document is told only if the Markdown does not show it. */
async function fieldsOfPage(a: Side, b: Side): Promise<FieldChange[]> {
  const fields = await fieldsOfFiles(a, b, 'page', (value, kind) => {
    if (kind !== 'page' || !isObject(value)) return value;
    const { document: _, markdown: __, git: ___, documentId: ____, ...rest } = value;
    return essenceOf(rest);
  });
  const named = fields.map((one) => (one.field === 'page-markdown' ? { ...one, field: 'markdown' } : one));
  return named.length > 0 ? named : fieldsOfFiles(a, b, 'page', documentIn);
}

function documentIn(value: unknown): unknown {
  return isObject(value) ? { documentId: value.documentId } : undefined;
}

async function fieldsOfBytes(a: FileEntry | undefined, b: FileEntry | undefined): Promise<FieldChange[]> {
  const facts = (file: FileEntry | undefined) => file && { bytes: file.bytes, sha256: file.sha256 };
  return fieldsOf(facts(a), facts(b));
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
  const [before, after] = [a, b].map((space) => own(space).find(({ kind }) => kind === 'comments'));
  if (before?.sha256 === after?.sha256) return;
  const place = ({ folder, at }: SpaceBackup, file: FileEntry | undefined) => ({
    folder,
    path: file && `${at}/${file.path}`,
  });
  for await (const difference of compareLists(place(a, before), place(b, after), 'comment', listedComment))
    yield { ...difference, space: b.manifest.title };
}

function listedComment(value: unknown): Listed {
  const { comment } = value as { comment: Comment };
  return { id: comment.id, title: begun(comment.body.markdown ?? ''), value: discussion(value) };
}

/** A comment with its replies. Of the page only its id counts: the rest changes with the page. */
function discussion(value: unknown): unknown {
  const { comment, replies } = value as { comment: Comment; replies: unknown };
  const target = defined({ ...comment.target, page: comment.target.page?.id });
  return essenceOf({ ...comment, target, replies });
}

function begun(text: string): string {
  const characters = [...text.replaceAll(/\s+/g, ' ')];
  return characters.length > 60 ? `${characters.slice(0, 59).join('')}…` : characters.join('');
}

/** What it says is compared, and its revision: the pages that it keeps also change with the space. */
async function* diffChangeRequests(a: SpaceBackup, b: SpaceBackup): AsyncGenerator<Difference> {
  const says = ({ kind }: FileEntry) => kind === 'change-request' || kind === 'comments';
  const compared = (value: unknown, kind: string) =>
    kind === 'comments' && Array.isArray(value) ? value.map(discussion) : essenceOf(value);
  const differences = diffItems(changeRequestsOf(a), changeRequestsOf(b), {
    kind: 'change-request',
    titleOf: titleOfRequest,
    fields: (before, after) => {
      const sides = [sideOf(a, before.filter(says)), sideOf(b, after.filter(says))] as const;
      return fieldsOfFiles(...sides, 'change-request', compared);
    },
  });
  for await (const difference of differences) yield { ...difference, space: b.manifest.title };
}

function changeRequestsOf({ manifest }: SpaceBackup): Map<string, FileEntry[]> {
  const files = manifest.files.filter(({ changeRequest }) => changeRequest !== undefined);
  return grouped(files, ({ changeRequest }) => changeRequest);
}

function titleOfRequest(files: readonly FileEntry[]): string | undefined {
  return files.find(({ kind }) => kind === 'change-request')?.title;
}
