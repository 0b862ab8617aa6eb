import { one, operation, page } from '../operation.js';
import { id, shape, timestamp, uri, urls } from '../shapes.js';
import { type Static, Type } from '../type.js';

/** Versions of an OpenAPI spec (spec A, "OpenAPI spec version"). */

export const OpenApiVersion = shape({
  object: Type.Literal('openapi-spec-version'),
  id,
  createdAt: Type.Optional(timestamp),
  url: uri(),
  urls: Type.Optional(urls(['location'])),
});
export type OpenApiVersion = Static<typeof OpenApiVersion>;

export const OpenApiVersionContent = shape({
  filesystem: Type.Record(Type.String(), Type.Unknown()),
  url: Type.String({ format: 'uri' }),
});
export type OpenApiVersionContent = Static<typeof OpenApiVersionContent>;

const versions = '/v1/orgs/{organizationId}/openapi/{specSlug}/versions';
const latest = `${versions}/latest` as const;
const latestContent = `${latest}/content` as const;
const version = `${versions}/{versionId}` as const;

export const listOpenApiVersions = operation('openapi-versions.list', 'GET', versions, {
  summary: 'List the versions of an OpenAPI spec',
  returns: page(OpenApiVersion),
});

export const getLatestOpenApiVersion = operation('openapi-versions.get-latest', 'GET', latest, {
  summary: 'Get the latest version of an OpenAPI spec',
  returns: one(OpenApiVersion),
});

export const getLatestOpenApiContent = operation('openapi-versions.content-latest', 'GET', latestContent, {
  summary: 'Get the content of the latest version of a spec',
  returns: one(OpenApiVersionContent),
});

export const getOpenApiVersion = operation('openapi-versions.get', 'GET', version, {
  summary: 'Get a version of an OpenAPI spec',
  returns: one(OpenApiVersion),
});

export const getOpenApiContent = operation('openapi-versions.content', 'GET', `${version}/content`, {
  summary: 'Get the content of a version of an OpenAPI spec',
  returns: one(OpenApiVersionContent),
});
