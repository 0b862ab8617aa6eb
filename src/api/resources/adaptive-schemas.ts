import { gives } from '../exposes.js';
import { body, one, operation } from '../operation.js';
import { shape, timestamp } from '../shapes.js';
import { type Static, Type } from '../type.js';

/** The visitor claims a site uses (spec C, "Adaptive schema"). */

const claim = Type.Object({ type: Type.Literal('boolean') });

const unsigned = Type.Object({
  type: Type.Literal('object'),
  properties: Type.Record(Type.String(), claim),
  additionalProperties: Type.Literal(false),
});

/** `unsigned` contains the unsigned claims; all others are boolean claims. */
const claims = Type.Unsafe<
  { unsigned?: Static<typeof unsigned> } & Record<string, Static<typeof claim | typeof unsigned>>
>(Type.Object({ unsigned: Type.Optional(unsigned) }, { additionalProperties: claim }));

/** A JSON Schema (draft-07) of the visitor's claims. */
export const VisitorSchema = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    $id: Type.Optional(Type.String()),
    type: Type.Literal('object'),
    properties: claims,
    additionalProperties: Type.Literal(false),
  },
  { description: "JSON Schema of the visitor's claims" },
);
export type VisitorSchema = Static<typeof VisitorSchema>;

export const AdaptiveSchema = shape({
  object: Type.Literal('site-adaptive-schema'),
  jsonSchema: VisitorSchema,
  updatedAt: Type.Optional(timestamp),
});
export type AdaptiveSchema = Static<typeof AdaptiveSchema>;

const schema = '/v1/orgs/{organizationId}/sites/{siteId}/adaptive-schema';

export const getAdaptiveSchema = operation('adaptive-schemas.get', 'GET', schema, {
  summary: 'Get the adaptive schema of a site',
  returns: one(AdaptiveSchema),
});

export const setAdaptiveSchema = operation('adaptive-schemas.set', 'PUT', schema, {
  summary: 'Create or replace the adaptive schema of a site',
  body: body({ jsonSchema: VisitorSchema }),
  returns: one(AdaptiveSchema),
  // Conditions are about these claims, some of which visitors make themselves.
  exposes: { jsonSchema: gives('public') },
});
