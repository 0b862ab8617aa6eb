import type { AdaptiveSchema, VisitorSchema } from '../../api/resources/adaptive-schemas.js';
import { refusal } from '../refusal.js';
import { iso } from '../store/clock.js';
import type { SiteRow } from './site.js';
import { withTold } from './told.js';

/** The adaptive schema of a site (spec C, "Adaptive schema"). @throws 404 if it has none */
export function toAdaptiveSchema(site: SiteRow): AdaptiveSchema {
  const { adaptive_schema: text, adaptive_schema_updated_at: updated } = site;
  if (text === null) throw refusal(404, `Site ${site.id} has no adaptive schema.`);
  const own: AdaptiveSchema = {
    object: 'site-adaptive-schema',
    jsonSchema: JSON.parse(text) as VisitorSchema,
    ...(updated !== null && { updatedAt: iso(updated) }),
  };
  return withTold(own, site.adaptive_schema_told);
}
