import {
  getLatestOpenApiContent,
  getLatestOpenApiVersion,
  getOpenApiContent,
  getOpenApiVersion,
  listOpenApiVersions,
} from '../../api/resources/openapi-versions.js';
import { type Call, handle } from '../handle.js';
import { specs } from '../records/openapi-spec.js';
import { toContent, toVersion, type VersionPlace, type VersionRow } from '../records/openapi-version.js';
import { found } from '../refusal.js';

type InSpec = Pick<Call<typeof listOpenApiVersions>, 'db' | 'org' | 'caller' | 'path' | 'origin'>;

export const handlers = [
  /** The latest first. */
  handle(listOpenApiVersions, (call) =>
    call.page({
      select: 'v.id, v.created_at, v.told',
      from: 'openapi_versions v',
      where: [['v.spec_id = ?', specs.get(call, call.path.specSlug).id]],
      by: ['v.number'],
      order: 'desc',
      item: (row: VersionRow) => toVersion(placeOf(call), row),
    }),
  ),

  handle(getLatestOpenApiVersion, (call) => toVersion(placeOf(call), version(call))),
  handle(getLatestOpenApiContent, (call) => toContent(placeOf(call), version(call))),
  handle(getOpenApiVersion, (call) => toVersion(placeOf(call), version(call, call.path.versionId))),
  handle(getOpenApiContent, (call) => toContent(placeOf(call), version(call, call.path.versionId))),
];

/** A version of the spec by id, or its latest. @throws 404 */
function version(call: InSpec, id?: string): VersionRow {
  const sql = `SELECT * FROM openapi_versions WHERE spec_id = ?1 AND id = coalesce(?2, id)
    ORDER BY number DESC LIMIT 1`;
  const spec = specs.get(call, call.path.specSlug);
  return found(call.db.get<VersionRow>(sql, spec.id, id ?? null), 'version', id ?? 'latest');
}

function placeOf({ org, path, origin }: InSpec): VersionPlace {
  return { orgId: org.id, slug: path.specSlug, origin };
}
