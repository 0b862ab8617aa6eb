import type { TSchema } from '@sinclair/typebox';
import type { AnyOperation } from '../../api/operation.js';
import { pathParameters, successStatuses } from '../../api/operation-facts.js';
import { operations } from '../../api/resources/index.js';
import { paging } from '../../api/validate.js';

type Json = Record<string, unknown>;

/** Statuses that any operation may refuse with (platform-facts, "Errors"). */
const refusals: Readonly<Record<string, string>> = {
  '400': 'Malformed, or outside the limits',
  '401': 'Missing or invalid token',
  '403': 'Role too low',
  '404': 'Unknown, deleted, or not visible to the caller',
  '409': 'Conflict',
  '412': 'Precondition failed',
  '429': 'Rate limit exceeded',
};

/** The sandbox at a URL as an OpenAPI 3.1 document, derived from the declarations. */
export function openApiDocument(url: string): Json {
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const item = { [operation.method.toLowerCase()]: operationObject(operation) };
    paths[operation.path] = { ...paths[operation.path], ...item };
  }
  const schemas: Record<string, unknown> = {};
  const resolved = withReferences(paths, schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Documentation platform: sandbox',
      version: '1',
      description: 'The platform in miniature, on this machine. State persists in one file.',
    },
    servers: [{ url }],
    security: [{ token: [] }],
    tags: [...new Set(operations.map(tagOf))].map((name) => ({ name })),
    paths: resolved,
    components: {
      schemas,
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      responses: { Refusal: { description: 'Refused', content: json(refusalSchema) } },
    },
  };
}

const refusalSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: { type: 'integer' }, message: { type: 'string' } },
    },
  },
};

function tagOf({ id }: AnyOperation): string {
  return id.slice(0, id.lastIndexOf('.'));
}

function operationObject(operation: AnyOperation): Json {
  const { body } = operation;
  return {
    operationId: operation.id,
    tags: [tagOf(operation)],
    summary: operation.summary,
    'x-least-role': operation.needs,
    parameters: [...pathParameters(operation.path).map(pathParameter), ...queryParameters(operation)],
    ...(body && {
      requestBody: { required: (body.required ?? []).length > 0, content: json(plain(body)) },
    }),
    responses: { ...successes(operation), ...refused() },
  };
}

function pathParameter(name: string): Json {
  return { name, in: 'path', required: true, schema: { type: 'string', minLength: 1 } };
}

function queryParameters({ query, returns }: AnyOperation): Json[] {
  const own = Object.entries(query.properties as Record<string, TSchema>);
  const required = new Set((query as { required?: string[] }).required ?? []);
  const all = returns.kind === 'page' ? [...own, ...Object.entries(paging)] : own;
  return all.map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.has(name),
    ...(schema.description !== undefined && { description: schema.description }),
    schema: plain(schema),
    ...(schema.type === 'array' && { style: 'form', explode: true }),
  }));
}

function successes(operation: AnyOperation): Json {
  const { returns, success } = operation;
  const statuses = returns.kind === 'none' ? [success].flat() : successStatuses(operation);
  return Object.fromEntries(statuses.map((status) => [String(status), answerObject(returns)]));
}

function answerObject(returns: AnyOperation['returns']): Json {
  if (returns.kind === 'none') return { description: 'Done; no content' };
  if (returns.kind === 'one') return { description: 'Done', content: json(plain(returns.schema)) };
  const envelope = {
    type: 'object',
    required: ['items'],
    properties: {
      items: { type: 'array', items: plain(returns.item) },
      next: { type: 'object', properties: { page: { type: 'string' } } },
      count: { type: 'integer' },
      ...(plain(returns.extra ?? {}) as { properties?: Json }).properties,
    },
  };
  return { description: 'A page of the list', content: json(envelope) };
}

function refused(): Json {
  const content = json(refusalSchema);
  const all = Object.entries(refusals).map(([status, description]) => [status, { description, content }]);
  return Object.fromEntries(all);
}

function json(schema: unknown): Json {
  return { 'application/json': { schema } };
}

/** A declaration as plain JSON, without TypeBox's symbols. */
function plain(schema: unknown): Json {
  return JSON.parse(JSON.stringify(schema)) as Json;
}

/** Moves recursive schemas into `named`, which becomes `components`, and refers to them. */
function withReferences(node: unknown, named: Record<string, unknown>): unknown {
  if (Array.isArray(node)) return node.map((item) => withReferences(item, named));
  if (typeof node !== 'object' || node === null) return node;
  const { $id, $ref, ...rest } = node as Json;
  if (typeof $ref === 'string') return { $ref: referenceTo($ref) };
  const parts = Object.entries(rest).map(([key, part]) => [key, withReferences(part, named)]);
  const copy: unknown = Object.fromEntries(parts);
  if (typeof $id !== 'string') return copy;
  named[$id] = copy;
  return { $ref: referenceTo($id) };
}

function referenceTo(name: string): string {
  return `#/components/schemas/${name}`;
}
