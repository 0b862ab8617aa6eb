import { body, one, operation, page } from '../operation.js';
import {
  Document,
  format,
  id,
  known,
  meant,
  partial,
  refersTo,
  resourceOrId,
  shape,
  timestamp,
  urls,
} from '../shapes.js';
import { type Static, type TProperties, type TSchema, Type } from '../type.js';
import { LinkItem, linkStats, linkStatus } from './spaces.js';

/** The content of a space or a change request (spec B, "Revision", "Page", "File", "Backlink item"). */

const text = Type.Optional(Type.String());
const flag = Type.Optional(Type.Boolean());

/** Location of a page, file or reusable content in the Git repository of the space. */
const gitBlob = Type.Optional(shape({ oid: Type.String(), path: Type.String() }));

const layout = partial({
  cover: Type.Boolean(),
  coverSize: known(['hero', 'full']),
  title: Type.Boolean(),
  description: Type.Boolean(),
  tableOfContents: Type.Boolean(),
  outline: Type.Boolean(),
  pagination: Type.Boolean(),
});

const cover = shape({
  ref: shape({ kind: known(['file']), file: text }),
  yPos: Type.Optional(Type.Number()),
});

/** The source of a generated page. */
const computed = shape({
  type: known(['builtin:openapi']),
  dependencies: Type.Optional(
    shape({ spec: Type.Optional(shape({ ref: shape({ kind: known(['openapi']), spec: text }) })) }),
  ),
  props: Type.Optional(shape({ doc: Type.Optional(Type.Unknown()) })),
});

const pageOver = <S extends TSchema>(below: S) =>
  shape({
    id,
    title: Type.String(),
    emoji: Type.Optional(meant('emoji', Type.String())),
    icon: text,
    createdAt: Type.Optional(timestamp),
    updatedAt: Type.Optional(timestamp),
    markdown: text,
    document: Type.Optional(Document),
    type: known(['document']),
    urls: Type.Optional(urls(['app'])),
    slug: text,
    path: text,
    description: text,
    documentId: text,
    pages: Type.Optional(Type.Array(below)),
    git: gitBlob,
    layout: Type.Optional(layout),
    cover: Type.Optional(cover),
    hidden: flag,
    noIndex: flag,
    noRobotsIndex: flag,
    computed: Type.Optional(computed),
    computedSeed: text,
  });

/**
 * A page; its `pages` are the pages below it, to any depth. Only those have the `$id` that recursion
 * needs: one at the top would clash when page and revision are compiled together.
 */
export const ContentPage = pageOver(Type.Recursive(pageOver, { $id: 'ContentPage' }));
export type ContentPage = Static<typeof ContentPage>;

export const ContentFile = shape({
  id,
  name: Type.String(),
  contentType: Type.String(),
  downloadURL: Type.String(),
  size: Type.Number(),
  dimensions: Type.Optional(shape({ width: Type.Number(), height: Type.Number() })),
  git: gitBlob,
});
export type ContentFile = Static<typeof ContentFile>;

export const ReusableContent = shape({
  id,
  title: Type.String(),
  document: text,
  git: gitBlob,
});

export const Revision = shape({
  object: Type.Literal('revision'),
  id,
  parents: Type.Array(Type.String()),
  pages: Type.Array(ContentPage),
  files: Type.Array(ContentFile),
  reusableContents: Type.Optional(Type.Array(ReusableContent)),
  createdAt: timestamp,
  git: Type.Optional(
    partial({
      oid: Type.String(),
      message: Type.String(),
      createdByService: Type.Boolean(),
      url: Type.String(),
      ref: Type.String(),
    }),
  ),
  urls: urls(['app', 'published', 'public']),
  type: known(['edits']),
});
export type Revision = Static<typeof Revision>;

/** Where a file is used: the page that has it as its cover, or links to it. Resources are whole or ids: see `idOf`. */
export const Backlink = shape({
  kind: known(['file']),
  organization: Type.Optional(refersTo('organization', resourceOrId)),
  space: Type.Optional(refersTo('space', resourceOrId)),
  versionContext: Type.Optional(shape({ type: known(['revision']), revision: Type.Optional(resourceOrId) })),
  page: Type.Optional(refersTo('page', resourceOrId)),
  file: Type.Optional(refersTo('file', resourceOrId)),
});

export const ImportResult = shape({
  revision: Type.String(),
  importedResources: Type.Number(),
  totalResources: Type.Number(),
});
export type ImportResult = Static<typeof ImportResult>;

/** Content of spaces (spec B, "Space content"); change requests have the same operations. */

const reading = {
  metadata: Type.Optional(
    Type.Boolean({ default: true, description: 'Include the Git metadata, which can change' }),
  ),
  computed: Type.Optional(Type.Boolean({ default: true, description: 'Include computed content' })),
};

const importSources = [
  'website',
  'docx',
  'markdown',
  'html',
  'zip',
  'confluence',
  'github-wiki',
  'notion',
  'google-docs',
] as const;

const importBody = body({
  url: Type.String({ format: 'uri', description: 'URL to import from' }),
  source: known(importSources, 'Kind of source'),
});

/**
 * The operations on content under any path.
 * @param id resource of the operations' ids
 * @param of what the content belongs to, for summaries
 * @param linkQuery query of the list of links, which only spaces have
 */
export function contentOperations<const P extends string, Q extends TProperties>(
  path: P,
  id: string,
  of: string,
  linkQuery: Q,
) {
  const thePage = `${path}/page/{pageId}` as const;
  return {
    get: operation(`${id}.get`, 'GET', path, {
      summary: `Get the content of ${of}`,
      query: reading,
      returns: one(Revision),
    }),
    import: operation(`${id}.import`, 'POST', `${path}/import`, {
      summary: `Import content into ${of} from a URL`,
      body: importBody,
      success: 201,
      returns: one(ImportResult),
      needs: 'edit',
    }),
    pages: operation(`${id}.pages`, 'GET', `${path}/pages`, {
      summary: `List the pages of ${of}`,
      query: reading,
      returns: one(shape({ pages: Type.Array(ContentPage) })),
    }),
    page: operation(`${id}.page`, 'GET', thePage, {
      summary: `Get a page of ${of}`,
      query: { format, ...reading },
      returns: one(ContentPage),
    }),
    links: operation(`${id}.page-links`, 'GET', `${thePage}/links`, {
      summary: `List the links of a page of ${of}`,
      query: linkQuery,
      returns: page(LinkItem, linkStats),
    }),
    ...fileOperations(path, id, of),
  };
}

function fileOperations<const P extends string>(path: P, id: string, of: string) {
  const file = `${path}/files/{fileId}` as const;
  return {
    files: operation(`${id}.files`, 'GET', `${path}/files`, {
      summary: `List the files of ${of}`,
      query: reading,
      returns: page(ContentFile),
    }),
    file: operation(`${id}.file`, 'GET', file, {
      summary: `Get a file of ${of}`,
      query: reading,
      returns: one(ContentFile),
    }),
    backlinks: operation(`${id}.file-backlinks`, 'GET', `${file}/backlinks`, {
      summary: `List the pages of ${of} that use a file`,
      returns: page(Backlink),
    }),
  };
}

export const {
  get: getContent,
  import: importContent,
  pages: listPages,
  page: getPage,
  links: listPageLinks,
  files: listFiles,
  file: getFile,
  backlinks: listFileBacklinks,
} = contentOperations('/v1/spaces/{spaceId}/content', 'content', 'a space', { status: linkStatus });
