import {
  getLatestOpenApiContent,
  getLatestOpenApiVersion,
  getOpenApiContent,
  getOpenApiVersion,
  listOpenApiVersions,
  type OpenApiVersion,
  type OpenApiVersionContent,
} from '../../api/resources/openapi-versions.js';
import { type Call, handle } from '../handle.js';
import { specs } from '../records/openapi-spec.js';
import { apiUrl } from '../records/urls.js';
import { found } from '../refusal.js';
import { iso } from '../store/clock.js';

interface VersionRow {
  id: string;
  number: number;
  file: string;
  document: string;
  created_at: number;
}

type InSpec = Pick<Call<typeof listOpenApiVersions>, 'db' | 'org' | 'caller' | 'path' | 'origin'>;

export const handlers = [
  /** The latest first. */
  handle(listOpenApiVersions, (call) =>
    call.page({
      select: 'v.id, v.created_at',
      from: 'openapi_versions v',
      where: [['v.spec_id = ?', specs.get(call, call.path.specSlug).id]],
      by: ['v.number'],
      order: 'desc',
      item: (row: VersionRow) => toVersion(call, row),
    }),
  ),

  handle(getLatestOpenApiVersion, (call) => toVersion(call, version(call))),
  handle(getLatestOpenApiContent, (call) => toContent(call, version(call))),
  handle(getOpenApiVersion, (call) => toVersion(call, version(call, call.path.versionId))),
  handle(getOpenApiContent, (call) => toContent(call, version(call, call.path.versionId))),
];

/** A version of the spec by id, or its latest. @throws 404 */
function version(call: InSpec, id?: string): VersionRow {
  const sql = `SELECT * FROM openapi_versions WHERE spec_id = ?1 AND id = coalesce(?2, id)
    ORDER BY number DESC LIMIT 1`;
  const spec = specs.get(call, call.path.specSlug);
  return found(call.db.get<VersionRow>(sql, spec.id, id ?? null), 'version', id ?? 'latest');
}

/** A version (spec A, "OpenAPI spec version"): `url` is where this sandbox serves its content. */
function toVersion(call: InSpec, { id, created_at: createdAt }: VersionRow): OpenApiVersion {
  return {
    object: 'openapi-spec-version',
    id,
    createdAt: iso(createdAt),
    url: contentUrl(call, id),
    urls: { location: apiUrl(pathOf(call, id)) },
  };
}

/** Content of a version: the parsed document, by file name. */
function toContent(call: InSpec, { id, file, document }: VersionRow): OpenApiVersionContent {
  return { filesystem: { [file]: JSON.parse(document) as unknown }, url: contentUrl(call, id) };
}

function contentUrl(call: InSpec, id: string): string {
  return `${call.origin}/v1${pathOf(call, id)}/content`;
}

function pathOf({ org, path }: InSpec, id: string): string {
  return `/orgs/${org.id}/openapi/${path.specSlug}/versions/${id}`;
}
