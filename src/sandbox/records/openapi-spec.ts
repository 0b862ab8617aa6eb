import type { OpenApiSpec } from '../../api/resources/openapi.js';
import type { Role } from '../../api/shapes.js';
import { rank } from '../access.js';
import { iso } from '../clock.js';
import type { Database } from '../database.js';
import { apiUrl, appUrl } from './urls.js';

/** Columns of a spec, from `openapi_specs s`. */
export const specColumns = `s.*,
  (SELECT v.id FROM openapi_versions v WHERE v.spec_id = s.id ORDER BY v.number DESC LIMIT 1) AS last_version`;

export interface SpecRow {
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
}

/** One spec of an organization, or undefined. */
export function specBySlug(db: Database, orgId: string, slug: string): SpecRow | undefined {
  const sql = `SELECT ${specColumns} FROM openapi_specs s WHERE s.org_id = ? AND s.slug = ?`;
  return db.get<SpecRow>(sql, orgId, slug);
}

/** A spec as the given role sees it (spec A, "OpenAPI spec"). */
export function toSpec(row: SpecRow, role: Role | null): OpenApiSpec {
  return {
    object: 'openapi-spec',
    id: row.id,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
    slug: row.slug,
    ...(row.source_url !== null && { sourceURL: row.source_url }),
    processingState: row.state,
    ...(row.last_version !== null && { lastVersion: row.last_version }),
    ...(row.processed_at !== null && { lastProcessedAt: iso(row.processed_at) }),
    ...(row.error !== null && { lastProcessErrorCode: row.error }),
    permissions: { view: true, edit: rank(role) >= rank('create') },
    urls: {
      location: apiUrl(`/orgs/${row.org_id}/openapi/${row.slug}`),
      app: appUrl(`/o/${row.org_id}/openapi/${row.slug}`),
    },
  };
}
