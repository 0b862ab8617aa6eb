import { type OpenApiSpec, setOpenApiSpec } from '../../api/resources/openapi.js';
import { DocsError } from '../../base/errors.js';
import { readSpec, type SpecAt, type SpecSource } from './spec.js';
import { type Comparing, isUnchanged } from './unchanged.js';

export interface PublishRequest extends SpecAt {
  source: SpecSource;
  /** Whether a spec that does not exist is created. */
  create: boolean;
  skipUnchanged: boolean;
  /** The command that would create it, for the error. */
  createLine: string;
}

export interface PublishPlan {
  /** The spec as it is; undefined if it is to be created. */
  before: OpenApiSpec | undefined;
  /** Whether the latest version has this content already, so that nothing is sent. */
  unchanged: boolean;
}

/** @throws DocsError `not-found` if there is no spec and none may be created; as `Client.call` */
export async function planPublish(request: PublishRequest, comparing: Comparing): Promise<PublishPlan> {
  const before = await readSpec(request).catch((cause: unknown) => unlessCreated(cause, request));
  const compared = before !== undefined && request.skipUnchanged;
  return { before, unchanged: compared && (await isUnchanged(request, before, comparing)) };
}

function unlessCreated(cause: unknown, { slug, create, createLine }: PublishRequest): undefined {
  if (!(cause instanceof DocsError) || cause.kind !== 'not-found') throw cause;
  if (create) return;
  const facts = { ...cause.failure, hint: createLine };
  throw new DocsError('not-found', cause.code, `OpenAPI spec ${slug} not found`, facts);
}

/** A PUT for a new spec too: it can be repeated if its answer is lost. */
export function publishCall({ org, slug, source }: PublishRequest) {
  const path = { organizationId: org, specSlug: slug };
  return { op: setOpenApiSpec, input: { path, query: {}, body: { source } }, id: slug };
}
