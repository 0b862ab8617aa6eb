import type { OpenApiSpec, OpenApiVersion, OpenApiVersionContent } from '../../api/resources/openapi.js';
import { rank } from '../access.js';
import { type InOrg, orgTable } from '../org-table.js';
import { refusal } from '../refusal.js';
import { iso } from '../store/clock.js';
import { apiUrl, appUrl, fields } from './fields.js';
import { withTold } from './told.js';

const columns = `t.*,
  (SELECT v.id FROM openapi_versions v WHERE v.spec_id = t.id ORDER BY v.number DESC LIMIT 1) AS last_version`;

interface SpecRow {
  id: string;
  org_id: string;
  slug: string;
  source_url: string | null;
  state: OpenApiSpec['processingState'];
  processed_at: number | null;
  error: string | null;
  created_at: number;
  updated_at: number;
  last_version: string | null;
  told: string | null;
}

export const specs = orgTable({
  table: 'openapi_specs',
  what: 'OpenAPI spec',
  key: 'slug',
  columns: () => [columns],
  item: toSpec,
});

/** A spec as the caller sees it (spec A, "OpenAPI spec"). */
function toSpec(row: SpecRow, { caller }: InOrg): OpenApiSpec {
  const own: OpenApiSpec = {
    object: 'openapi-spec',
    ...fields(row, 'id', 'created_at', 'updated_at', 'slug'),
    ...(row.source_url !== null && { sourceURL: row.source_url }),
    processingState: row.state,
    ...fields(row, 'last_version'),
    ...(row.processed_at !== null && { lastProcessedAt: iso(row.processed_at) }),
    ...(row.error !== null && { lastProcessErrorCode: row.error }),
    permissions: { view: true, edit: rank(caller.role) >= rank('create') },
    urls: {
      location: apiUrl(`/orgs/${row.org_id}/openapi/${row.slug}`),
      app: appUrl(`/o/${row.org_id}/openapi/${row.slug}`),
    },
  };
  return withTold(own, row.told);
}

export interface VersionRow {
  id: string;
  number: number;
  /** Empty if the content is not in a copy. */
  file: string;
  document: string;
  /** Content of several files, as JSON; otherwise it is `document`, in `file`. */
  filesystem: string | null;
  created_at: number;
  told: string | null;
}

/** Where a version is, and where this sandbox serves its content. */
export interface VersionPlace {
  orgId: string;
  slug: string;
  /** Of this sandbox. */
  origin: string;
}

/** A version (spec A, "OpenAPI spec version"): `url` is where this sandbox serves its content. */
export function toVersion(
  place: VersionPlace,
  { id, created_at: createdAt, told }: VersionRow,
): OpenApiVersion {
  const own: OpenApiVersion = {
    object: 'openapi-spec-version',
    id,
    createdAt: iso(createdAt),
    url: contentUrl(place, id),
    urls: { location: apiUrl(pathOf(place, id)) },
  };
  return withTold(own, told);
}

/** Content of a version: the parsed document, by file name. @throws 404 if a copy lacks it */
export function toContent(place: VersionPlace, row: VersionRow): OpenApiVersionContent {
  const { id, file, document, filesystem } = row;
  const url = contentUrl(place, id);
  if (filesystem !== null) return { filesystem: JSON.parse(filesystem) as Record<string, unknown>, url };
  if (file === '')
    throw refusal(404, `This copy has no content of version ${id}; a backup has the latest only.`);
  return { filesystem: { [file]: JSON.parse(document) as unknown }, url };
}

function contentUrl(place: VersionPlace, id: string): string {
  return `${place.origin}/v1${pathOf(place, id)}/content`;
}

function pathOf({ orgId, slug }: VersionPlace, id: string): string {
  return `/orgs/${orgId}/openapi/${slug}/versions/${id}`;
}
