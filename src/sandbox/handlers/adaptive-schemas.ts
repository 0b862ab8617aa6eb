import { getAdaptiveSchema, setAdaptiveSchema } from '../../api/resources/adaptive-schemas.js';
import { handle } from '../handle.js';
import { toAdaptiveSchema } from '../records/adaptive-schema.js';
import { siteById } from '../records/site.js';
import { requireVisitorSchema } from '../sites/visitor-schema.js';
import { update } from '../store/sql.js';

export const handlers = [
  handle(getAdaptiveSchema, ({ db, org, path }) => toAdaptiveSchema(siteById(db, org.id, path.siteId))),

  handle(setAdaptiveSchema, ({ db, org, path, body, clock }) => {
    const { id } = siteById(db, org.id, path.siteId);
    requireVisitorSchema(body.jsonSchema);
    const schema = JSON.stringify(body.jsonSchema);
    update(db, 'sites', id, { adaptive_schema: schema, adaptive_schema_updated_at: clock.now() });
    return toAdaptiveSchema(siteById(db, org.id, id));
  }),
];
