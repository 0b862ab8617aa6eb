import * as api from '../../api/resources/openapi.js';
import { DocsError } from '../../base/errors.js';
import { isObject } from '../../base/values.js';
import { rank } from '../access.js';
import { type Call, handle, handlePrepared } from '../handle.js';
import { type InOrg, orgTable } from '../org-table.js';
import { apiUrl, appUrl } from '../records/fields.js';
import { layoutOf } from '../records/layout.js';
import { type LoadedSpec, startRun } from '../records/openapi-runs.js';
import { found, refusal } from '../refusal.js';
import { type ContentSource, textOf } from '../sources.js';

/** Where a specification comes from (spec A, "OpenAPI specs and versions"; platform-facts). */
type SpecSource = { url: string } | { text: string };

/**
 * Reads a specification, JSON or YAML, and checks it against the schema of its version: OpenAPI 3.0 to 3.2, or
 * Swagger 2.0. Returns it as JSON on one line.
 */
export async function readSpec(source: SpecSource, contents: ContentSource): Promise<LoadedSpec> {
  if ('text' in source) return parseSpec(source.text, '');
  try {
    const { bytes, name } = await contents.read(source.url);
    return await parseSpec(textOf(bytes), name);
  } catch (error) {
    if (!(error instanceof DocsError)) throw error;
    return { error: error.code === 'fetch_timeout' ? 'FETCH_TIMEOUT' : 'FETCH_ERROR' };
  }
}

/** @param name of the file; '' to derive it from the format */
async function parseSpec(text: string | undefined, name: string): Promise<LoadedSpec> {
  const json = text === undefined ? undefined : parse(() => JSON.parse(text) as unknown);
  const value = json ?? (text === undefined ? undefined : await parseYaml(text));
  const document = (await isSpec(value)) ? parse(() => JSON.stringify(value)) : undefined;
  if (document === undefined) return { error: 'PARSE_ERROR' };
  return { file: name || (json === undefined ? 'openapi.yaml' : 'openapi.json'), document };
}

async function parseYaml(text: string): Promise<unknown> {
  const { parse: fromYaml } = await import('yaml');
  return parse(() => fromYaml(text, { logLevel: 'error' }) as unknown);
}

/**
 * Whether a document fits its schema, and its references to its own parts lead somewhere. Other documents that
 * it refers to are not read. Accepts the number that YAML makes of `swagger: 2.0`.
 */
async function isSpec(value: unknown): Promise<boolean> {
  if (!isObject(value)) return false;
  const { Validator } = await import('@seriousme/openapi-schema-validator');
  const document = value.swagger === 2 ? { ...value, swagger: '2.0' } : value;
  try {
    const { valid, errors } = await new Validator().validate(document);
    return valid || (typeof errors === 'string' && isForeign(errors));
  } catch {
    return false; // Too deep.
  }
}

/** Whether a reference failed because it leads out of the document. */
function isForeign(error: string): boolean {
  return error.startsWith("Can't resolve ") && !error.startsWith("Can't resolve #");
}

/** The result, or undefined if parsing fails or the document is circular or too deep. */
function parse<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

const columns = `t.*,
  (SELECT v.id FROM openapi_versions v WHERE v.spec_id = t.id ORDER BY v.number DESC LIMIT 1) AS last_version`;

export const specs = orgTable({
  table: 'openapi_specs',
  what: 'OpenAPI spec',
  key: 'slug',
  columns: () => [columns],
  layout: layoutOf(api.OpenApiSpec, {
    computed: ['permissions', 'urls'],
    columns: { processingState: 'state', lastProcessedAt: 'processed_at', lastProcessErrorCode: 'error' },
    counted: ['lastVersion'],
  }),
  computed: ({ org_id: orgId, slug }: { org_id: string; slug: string }, { caller }) => ({
    permissions: { view: true, edit: rank(caller.role) >= rank('create') },
    urls: {
      location: apiUrl(`/orgs/${orgId}/openapi/${slug}`),
      app: appUrl(`/o/${orgId}/openapi/${slug}`),
    },
  }),
});

export interface VersionRow {
  id: string;
  number: number;
  /** Empty if the content is not in a copy. */
  file: string;
  document: string;
  /** Content of several files, as JSON; otherwise it is `document`, in `file`. */
  filesystem: string | null;
}

export const versionLayout = layoutOf(api.OpenApiVersion, { computed: ['url', 'urls'] });

/** Where a version is, and where this sandbox serves its content. */
interface VersionAddress {
  orgId: string;
  slug: string;
  /** Of this sandbox. */
  origin: string;
}

/** A version (spec A, "OpenAPI spec version"): `url` is where this sandbox serves its content. */
export function toVersion(place: VersionAddress, row: VersionRow): api.OpenApiVersion {
  const { id } = row;
  return versionLayout.item(row, {
    url: contentUrl(place, id),
    urls: { location: apiUrl(pathOf(place, id)) },
  });
}

/** Content of a version: the parsed document, by file name. @throws 404 if a copy lacks it */
function toContent(place: VersionAddress, row: VersionRow): api.OpenApiVersionContent {
  const { id, file, document, filesystem } = row;
  const url = contentUrl(place, id);
  if (filesystem !== null) return { filesystem: JSON.parse(filesystem) as Record<string, unknown>, url };
  if (file === '')
    throw refusal(404, `this copy has no content of version ${id}; a backup has the latest only`);
  return { filesystem: { [file]: JSON.parse(document) as unknown }, url };
}

function contentUrl(place: VersionAddress, id: string): string {
  return `${place.origin}/v1${pathOf(place, id)}/content`;
}

function pathOf({ orgId, slug }: VersionAddress, id: string): string {
  return `/orgs/${orgId}/openapi/${slug}/versions/${id}`;
}

export const handlers = [
  // Deletes its versions too.
  ...specs.handlers([api.listOpenApiSpecs, api.getOpenApiSpec, api.deleteOpenApiSpec]),

  handlePrepared(
    api.createOpenApiSpec,
    ({ body }, contents) => readSpec(body.source, contents),
    (call, content) => create(call, call.body.slug, call.body.source, content),
  ),

  handlePrepared(
    api.setOpenApiSpec,
    ({ body }, contents) => readSpec(body.source, contents),
    (call, content) => {
      const { db, path, body, clock, succeedWith } = call;
      const known = specs.find(call, path.specSlug);
      if (known === undefined) {
        refuseSlug(path.specSlug);
        succeedWith(201);
        return create(call, path.specSlug, body.source, content);
      }
      startRun(db, known.id, content, clock.now());
      return specs.update(call, path.specSlug, { source_url: urlOf(body.source) });
    },
  ),

  /** The latest first. */
  handle(api.listOpenApiVersions, (call) =>
    call.page({
      select: 'v.id, v.created_at, v.told',
      from: 'openapi_versions v',
      where: [['v.spec_id = ?', specs.get(call, call.path.specSlug).id]],
      by: ['v.number'],
      order: 'desc',
      item: (row: VersionRow) => toVersion(placeOf(call), row),
    }),
  ),

  handle(api.getLatestOpenApiVersion, (call) => toVersion(placeOf(call), version(call))),
  handle(api.getLatestOpenApiContent, (call) => toContent(placeOf(call), version(call))),
  handle(api.getOpenApiVersion, (call) => toVersion(placeOf(call), version(call, call.path.versionId))),
  handle(api.getOpenApiContent, (call) => toContent(placeOf(call), version(call, call.path.versionId))),
];

type Creation = InOrg & Pick<Call<typeof api.listOpenApiSpecs>, 'clock' | 'newId'>;

function create(call: Creation, slug: string, source: SpecSource, content: LoadedSpec): api.OpenApiSpec {
  const { id } = specs.create(call, { slug, source_url: urlOf(source), state: 'pending' });
  startRun(call.db, id, content, call.clock.now());
  return specs.get(call, slug);
}

function urlOf(source: SpecSource): string | null {
  return 'url' in source ? source.url : null;
}

/** Checks a slug in a path, which matters only for a new spec. */
function refuseSlug(slug: string): void {
  const { pattern = '', maxLength = 0 } = api.OpenApiSpec.properties.slug;
  if (new RegExp(pattern).test(slug) && slug.length <= maxLength) return;
  throw refusal(400, `path specSlug must match ${pattern} and be at most ${maxLength} characters long`);
}

type InSpec = Pick<Call<typeof api.listOpenApiVersions>, 'db' | 'org' | 'caller' | 'path' | 'origin'>;

/** A version of the spec by id, or its latest. @throws 404 */
function version(call: InSpec, id?: string): VersionRow {
  const sql = `SELECT * FROM openapi_versions WHERE spec_id = ?1 AND id = coalesce(?2, id)
    ORDER BY number DESC LIMIT 1`;
  const spec = specs.get(call, call.path.specSlug);
  return found(call.db.get<VersionRow>(sql, spec.id, id ?? null), 'version', id ?? 'latest');
}

function placeOf({ org, path, origin }: InSpec): VersionAddress {
  return { orgId: org.id, slug: path.specSlug, origin };
}
