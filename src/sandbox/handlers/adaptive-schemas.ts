import {
  type AdaptiveSchema,
  getAdaptiveSchema,
  setAdaptiveSchema,
  type VisitorSchema,
} from '../../api/resources/adaptive-schemas.js';
import { handle } from '../handle.js';
import { type SiteRow, siteById } from '../records/site.js';
import { refusal } from '../refusal.js';
import { requireVisitorSchema } from '../sites/visitor-schema.js';
import { iso } from '../store/clock.js';
import { update } from '../store/sql.js';

export const handlers = [
  handle(getAdaptiveSchema, ({ db, org, path }) => toSchema(siteById(db, org.id, path.siteId))),

  handle(setAdaptiveSchema, ({ db, org, path, body, clock }) => {
    const { id } = siteById(db, org.id, path.siteId);
    requireVisitorSchema(body.jsonSchema);
    const schema = JSON.stringify(body.jsonSchema);
    update(db, 'sites', id, { adaptive_schema: schema, adaptive_schema_updated_at: clock.now() });
    return toSchema(siteById(db, org.id, id));
  }),
];

function toSchema(site: SiteRow): AdaptiveSchema {
  const { adaptive_schema: text, adaptive_schema_updated_at: updated } = site;
  if (text === null) throw refusal(404, `Site ${site.id} has no adaptive schema.`);
  return {
    object: 'site-adaptive-schema',
    jsonSchema: JSON.parse(text) as VisitorSchema,
    ...(updated !== null && { updatedAt: iso(updated) }),
  };
}
