import {
  createOpenApiSpec,
  deleteOpenApiSpec,
  getLatestOpenApiContent,
  getLatestOpenApiVersion,
  getOpenApiContent,
  getOpenApiSpec,
  getOpenApiVersion,
  listOpenApiSpecs,
  listOpenApiVersions,
  OpenApiSpec,
  setOpenApiSpec,
} from '../../api/resources/openapi.js';
import { type Call, handle, handlePrepared } from '../handle.js';
import type { InOrg } from '../org-table.js';
import { specs, toContent, toVersion, type VersionPlace, type VersionRow } from '../records/openapi.js';
import { found, refusal } from '../refusal.js';
import { openApiRuns, readSpec, type SpecFound, type SpecSource, startRun } from '../sources/openapi.js';

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

  /** The latest first. */
  handle(listOpenApiVersions, (call) =>
    call.page({
      select: 'v.id, v.created_at, v.told',
      from: 'openapi_versions v',
      where: [['v.spec_id = ?', specs.get(call, call.path.specSlug).id]],
      by: ['v.number'],
      order: 'desc',
      item: (row: VersionRow) => toVersion(placeOf(call), row),
    }),
  ),

  handle(getLatestOpenApiVersion, (call) => toVersion(placeOf(call), version(call))),
  handle(getLatestOpenApiContent, (call) => toContent(placeOf(call), version(call))),
  handle(getOpenApiVersion, (call) => toVersion(placeOf(call), version(call, call.path.versionId))),
  handle(getOpenApiContent, (call) => toContent(placeOf(call), version(call, call.path.versionId))),
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

type InSpec = Pick<Call<typeof listOpenApiVersions>, 'db' | 'org' | 'caller' | 'path' | 'origin'>;

/** A version of the spec by id, or its latest. @throws 404 */
function version(call: InSpec, id?: string): VersionRow {
  const sql = `SELECT * FROM openapi_versions WHERE spec_id = ?1 AND id = coalesce(?2, id)
    ORDER BY number DESC LIMIT 1`;
  const spec = specs.get(call, call.path.specSlug);
  return found(call.db.get<VersionRow>(sql, spec.id, id ?? null), 'version', id ?? 'latest');
}

function placeOf({ org, path, origin }: InSpec): VersionPlace {
  return { orgId: org.id, slug: path.specSlug, origin };
}
