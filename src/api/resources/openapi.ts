import { body, nothing, one, operation, page } from '../operation.js';
import { id, known, meant, permissions, shape, timestamp, uri, urls } from '../shapes.js';
import { type Static, Type } from '../type.js';

/** OpenAPI specs of an organization (spec A, "OpenAPI spec"). */

const slug = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$',
  description: 'Slug: lowercase letters and digits, words joined by hyphens',
});

export const OpenApiSpec = shape({
  object: Type.Literal('openapi-spec'),
  id,
  createdAt: timestamp,
  updatedAt: timestamp,
  slug,
  sourceURL: Type.Optional(uri()),
  processingState: meant('state', known(['pending', 'progress', 'complete'])),
  lastVersion: Type.Optional(Type.String()),
  lastProcessedAt: Type.Optional(timestamp),
  lastProcessErrorCode: Type.Optional(meant('state', known(['FETCH_TIMEOUT', 'FETCH_ERROR', 'PARSE_ERROR']))),
  permissions: Type.Optional(permissions(['view', 'edit'])),
  urls: Type.Optional(urls(['location', 'app'])),
});
export type OpenApiSpec = Static<typeof OpenApiSpec>;

/** Source of the specification: a URL or its text (platform-facts, "Enumerations"). */
const source = Type.Union(
  [
    body({ url: uri('URL of the specification') }),
    body({ text: Type.String({ description: 'Text of the specification' }) }),
  ],
  { description: 'Source of the specification: a URL or its text' },
);

const specs = '/v1/orgs/{organizationId}/openapi';
const spec = `${specs}/{specSlug}` as const;

export const listOpenApiSpecs = operation('openapi.list', 'GET', specs, {
  summary: 'List the OpenAPI specs of an organization',
  returns: page(OpenApiSpec),
});

export const createOpenApiSpec = operation('openapi.create', 'POST', specs, {
  summary: 'Create an OpenAPI spec',
  body: body({ slug, source }),
  success: 201,
  returns: one(OpenApiSpec),
  needs: 'create',
});

export const getOpenApiSpec = operation('openapi.get', 'GET', spec, {
  summary: 'Get an OpenAPI spec',
  returns: one(OpenApiSpec),
});

export const setOpenApiSpec = operation('openapi.set', 'PUT', spec, {
  summary: 'Create or update an OpenAPI spec',
  body: body({ source }),
  success: [200, 201],
  returns: one(OpenApiSpec),
  needs: 'create',
});

export const deleteOpenApiSpec = operation('openapi.delete', 'DELETE', spec, {
  summary: 'Delete an OpenAPI spec',
  success: 205,
  returns: nothing,
});

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
