import {
  createOpenApiSpec,
  deleteOpenApiSpec,
  getOpenApiSpec,
  listOpenApiSpecs,
  OpenApiSpec,
  setOpenApiSpec,
} from '../../api/resources/openapi.js';
import { type Call, handle, handlePrepared } from '../handle.js';
import { openApiRuns, startRun } from '../openapi-runs.js';
import { readSpec, type SpecFound, type SpecSource } from '../openapi-source.js';
import { type SpecRow, specBySlug, specColumns, toSpec } from '../records/openapi-spec.js';
import { found, notFound, refusal } from '../refusal.js';

export const handlers = [
  handle(listOpenApiSpecs, ({ org, caller, page }) =>
    page({
      select: specColumns,
      from: 'openapi_specs s',
      where: [['s.org_id = ?', org.id]],
      by: ['s.created_at', 's.id'],
      item: (row: SpecRow) => toSpec(row, caller.role),
    }),
  ),

  handlePrepared(
    createOpenApiSpec,
    ({ body }, contents) => readSpec(body.source, contents),
    (call, content) => {
      const { db, org, body } = call;
      if (specBySlug(db, org.id, body.slug) !== undefined) {
        throw refusal(409, `There is an OpenAPI spec ${JSON.stringify(body.slug)} already.`);
      }
      return create(call, body.slug, body.source, content);
    },
  ),

  handle(getOpenApiSpec, (call) => spec(call, call.path.specSlug)),

  handlePrepared(
    setOpenApiSpec,
    ({ body }, contents) => readSpec(body.source, contents),
    (call, content) => {
      const { db, org, path, body, clock, succeedWith } = call;
      const row = specBySlug(db, org.id, path.specSlug);
      if (row === undefined) {
        refuseSlug(path.specSlug);
        succeedWith(201);
        return create(call, path.specSlug, body.source, content);
      }
      const now = clock.now();
      const sql = 'UPDATE openapi_specs SET source_url = ?, updated_at = ? WHERE id = ?';
      db.run(sql, urlOf(body.source), now, row.id);
      startRun(db, row.id, content, now);
      return spec(call, path.specSlug);
    },
  ),

  /** Its versions go with it. */
  handle(deleteOpenApiSpec, ({ db, org, path }) => {
    const removed = db.run('DELETE FROM openapi_specs WHERE org_id = ? AND slug = ?', org.id, path.specSlug);
    if (removed === 0) throw notFound('OpenAPI spec', path.specSlug);
  }),
];

export const pending = [openApiRuns];

type InOrg = Pick<Call<typeof listOpenApiSpecs>, 'db' | 'org' | 'caller'>;
type Creation = InOrg & Pick<Call<typeof listOpenApiSpecs>, 'clock' | 'newId'>;

function spec({ db, org, caller }: InOrg, slug: string): OpenApiSpec {
  return toSpec(found(specBySlug(db, org.id, slug), 'OpenAPI spec', slug), caller.role);
}

function create(call: Creation, slug: string, source: SpecSource, content: SpecFound): OpenApiSpec {
  const { db, org, clock, newId } = call;
  const [id, now] = [newId(), clock.now()];
  db.run(
    `INSERT INTO openapi_specs (id, org_id, slug, source_url, state, created_at, updated_at)
     VALUES (?, ?, ?, ?, 'pending', ?, ?)`,
    ...[id, org.id, slug, urlOf(source), now, now],
  );
  startRun(db, id, content, now);
  return spec(call, slug);
}

function urlOf(source: SpecSource): string | null {
  return 'url' in source ? source.url : null;
}

/** A slug in a path is held to its limits only where it names a new spec. */
function refuseSlug(slug: string): void {
  const { pattern = '', maxLength = 0 } = OpenApiSpec.properties.slug;
  if (new RegExp(pattern).test(slug) && slug.length <= maxLength) return;
  throw refusal(400, `path specSlug must match ${pattern} and be at most ${maxLength} characters long.`);
}
