import { body, one, operation, page } from '../operation.js';
import { format, known, shape } from '../shapes.js';
import { type TProperties, Type } from '../type.js';
import { Backlink, ContentFile, ContentPage, ImportResult, Revision } from './revisions.js';
import { LinkItem, linkStats, linkStatus } from './spaces.js';

/**
 * Content of spaces (spec B, "Space content"). Change requests have the same operations under their
 * own path, so each is declared once, for any prefix.
 */

/** What differs between owners of content: path, id and wording. */
export interface ContentOwner<P extends string> {
  /** Path of the content. */
  prefix: P;
  /** Resource of the operations' ids. */
  id: string;
  /** What the content belongs to, for summaries. */
  of: string;
}

const reading = {
  metadata: Type.Optional(
    Type.Boolean({ default: true, description: 'Include the Git metadata, which may change' }),
  ),
  computed: Type.Optional(Type.Boolean({ default: true, description: 'Compute content' })),
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

/** The revision as a whole. */
export function revisionOperations<const P extends string>({ prefix, id, of }: ContentOwner<P>) {
  return {
    get: operation(`${id}.get`, 'GET', prefix, {
      summary: `Get the content of ${of}`,
      query: reading,
      returns: one(Revision),
    }),
    import: operation(`${id}.import`, 'POST', `${prefix}/import`, {
      summary: `Import content into ${of} from a URL`,
      body: body({
        url: Type.String({ format: 'uri', description: 'URL to import from' }),
        source: known(importSources, 'Kind of source'),
      }),
      success: 201,
      returns: one(ImportResult),
      needs: 'edit',
    }),
  };
}

/** @param linkQuery query parameters of the list of links, which differ between owners */
export function pageOperations<const P extends string, Q extends TProperties>(
  { prefix, id, of }: ContentOwner<P>,
  linkQuery: Q,
) {
  const thePage = `${prefix}/page/{pageId}` as const;
  return {
    list: operation(`${id}.pages`, 'GET', `${prefix}/pages`, {
      summary: `List the pages of ${of}`,
      query: reading,
      returns: one(shape({ pages: Type.Array(ContentPage) })),
    }),
    get: operation(`${id}.page`, 'GET', thePage, {
      summary: `Get a page of ${of}`,
      query: { format, ...reading },
      returns: one(ContentPage),
    }),
    links: operation(`${id}.page-links`, 'GET', `${thePage}/links`, {
      summary: `List the links of a page of ${of}`,
      query: linkQuery,
      returns: page(LinkItem, linkStats),
    }),
  };
}

export function fileOperations<const P extends string>({ prefix, id, of }: ContentOwner<P>) {
  const files = `${prefix}/files` as const;
  const file = `${files}/{fileId}` as const;
  return {
    list: operation(`${id}.files`, 'GET', files, {
      summary: `List the files of ${of}`,
      query: reading,
      returns: page(ContentFile),
    }),
    get: operation(`${id}.file`, 'GET', file, {
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

const content = { prefix: '/v1/spaces/{spaceId}/content', id: 'content', of: 'a space' } as const;

export const { get: getContent, import: importContent } = revisionOperations(content);

export const {
  list: listPages,
  get: getPage,
  links: listPageLinks,
} = pageOperations(content, { status: linkStatus });

export const { list: listFiles, get: getFile, backlinks: listFileBacklinks } = fileOperations(content);
