import type { OpenApiSpec } from '../../api/resources/openapi.js';
import { rank } from '../access.js';
import { type InOrg, orgTable } from '../org-table.js';
import { iso } from '../store/clock.js';
import { fields } from './fields.js';
import { withTold } from './told.js';
import { apiUrl, appUrl } from './urls.js';

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
