import { body, one, operation, page } from '../operation.js';
import { format, known, shape } from '../shapes.js';
import { type TProperties, Type } from '../type.js';
import { Backlink, ContentFile, ContentPage, ImportResult, Revision } from './revisions.js';
import { LinkItem, linkStats, linkStatus } from './spaces.js';

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
