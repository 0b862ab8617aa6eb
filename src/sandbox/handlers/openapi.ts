import {
  createOpenApiSpec,
  deleteOpenApiSpec,
  getOpenApiSpec,
  listOpenApiSpecs,
  OpenApiSpec,
  setOpenApiSpec,
} from '../../api/resources/openapi.js';
import { type Call, handle, handlePrepared } from '../handle.js';
import type { InOrg } from '../org-table.js';
import { specs } from '../records/openapi-spec.js';
import { refusal } from '../refusal.js';
import { openApiRuns, startRun } from '../sources/openapi-runs.js';
import { readSpec, type SpecFound, type SpecSource } from '../sources/openapi-source.js';

export const handlers = [
  handle(listOpenApiSpecs, (call) => specs.list(call)),

  handlePrepared(
    createOpenApiSpec,
    ({ body }, contents) => readSpec(body.source, contents),
    (call, content) => {
      const { body } = call;
      if (specs.find(call, body.slug) !== undefined) {
        throw refusal(409, `OpenAPI spec ${JSON.stringify(body.slug)} already exists.`);
      }
      return create(call, body.slug, body.source, content);
    },
  ),

  handle(getOpenApiSpec, (call) => specs.get(call, call.path.specSlug)),

  handlePrepared(
    setOpenApiSpec,
    ({ body }, contents) => readSpec(body.source, contents),
    (call, content) => {
      const { db, path, body, clock, succeedWith } = call;
      const known = specs.find(call, path.specSlug);
      if (known === undefined) {
        refuseSlug(path.specSlug);
        succeedWith(201);
        return create(call, path.specSlug, body.source, content);
      }
      const now = clock.now();
      startRun(db, known.id, content, now);
      return specs.update(call, path.specSlug, { source_url: urlOf(body.source), updated_at: now });
    },
  ),

  /** Deletes its versions too. */
  handle(deleteOpenApiSpec, (call) => specs.remove(call, call.path.specSlug)),
];

export const pending = [openApiRuns];

type Creation = InOrg & Pick<Call<typeof listOpenApiSpecs>, 'clock' | 'newId'>;

function create(call: Creation, slug: string, source: SpecSource, content: SpecFound): OpenApiSpec {
  const now = call.clock.now();
  const { id } = specs.create(call, {
    slug,
    source_url: urlOf(source),
    state: 'pending',
    created_at: now,
    updated_at: now,
  });
  startRun(call.db, id, content, now);
  return specs.get(call, slug);
}

function urlOf(source: SpecSource): string | null {
  return 'url' in source ? source.url : null;
}

/** Checks a slug in a path, which matters only for a new spec. */
function refuseSlug(slug: string): void {
  const { pattern = '', maxLength = 0 } = OpenApiSpec.properties.slug;
  if (new RegExp(pattern).test(slug) && slug.length <= maxLength) return;
  throw refusal(400, `path specSlug must match ${pattern} and be at most ${maxLength} characters long.`);
}
