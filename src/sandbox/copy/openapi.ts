import type { OpenApiSpec, OpenApiVersion, OpenApiVersionContent } from '../../api/resources/openapi.js';
import { formatJson } from '../../api/transport/json-text.js';
import { specs, toVersion, type VersionRow } from '../records/openapi.js';
import { found } from '../refusal.js';
import type { Database } from '../store/database.js';
import { asAdmin, msOf, msOrNull, tell, upsert } from './rows.js';

const states = ['pending', 'progress', 'complete'];

/** Puts a spec. Its last version is right once its versions are there and it is put again. Call within a write. */
export function putSpec(db: Database, orgId: string, spec: OpenApiSpec): void {
  const { id, slug, processingState: state } = spec;
  upsert(db, 'openapi_specs', ['id'], {
    id,
    org_id: orgId,
    slug,
    source_url: spec.sourceURL ?? null,
    // A state that the sandbox does not know is shown as told.
    state: states.includes(state) ? state : 'complete',
    processed_at: msOrNull(spec.lastProcessedAt),
    error: spec.lastProcessErrorCode ?? null,
    created_at: msOf(spec.createdAt),
    updated_at: msOf(spec.updatedAt),
  });
  const own = () => specs.get(asAdmin(db, orgId), slug);
  tell(db, { table: 'openapi_specs', key: { id } }, spec, own);
}

/**
 * Puts the versions of a spec, in place of those it has here. Only content that is there already stays: put that of
 * the latest one behind them. `url` is where the content is, so it always is an address of the sandbox itself. Call
 * within a write.
 * @param versions the latest first, as the API lists them
 */
export function putSpecVersions(db: Database, specId: string, versions: readonly OpenApiVersion[]): void {
  const spec = specOf(db, specId);
  const contents = 'SELECT * FROM openapi_versions WHERE spec_id = ?';
  const known = new Map(db.all<VersionRow>(contents, specId).map((row) => [row.id, row]));
  db.run('DELETE FROM openapi_versions WHERE spec_id = ?', specId);
  for (const [index, version] of versions.entries()) {
    const { id } = version;
    const { file = '', document = '', filesystem = null } = known.get(id) ?? {};
    upsert(db, 'openapi_versions', ['id'], {
      id,
      spec_id: specId,
      number: versions.length - index,
      file,
      document,
      filesystem,
      created_at: msOf(version.createdAt),
    });
    const read = () => db.get<VersionRow>('SELECT * FROM openapi_versions WHERE id = ?', id);
    const own = () => toVersion({ ...spec, origin: '' }, found(read(), 'version', id));
    tell(db, { table: 'openapi_versions', key: { id } }, version, own, ['url']);
  }
}

/** Puts the content of the latest version of a spec; nothing if it has no version. Call within a write. */
export function putSpecContent(
  db: Database,
  specId: string,
  { filesystem }: Pick<OpenApiVersionContent, 'filesystem'>,
): void {
  const [[file, document] = ['', null], ...others] = Object.entries(filesystem);
  const isOne = file !== '' && others.length === 0;
  db.run(
    `UPDATE openapi_versions SET file = ?, document = ?, filesystem = ? WHERE spec_id = ? AND number =
       (SELECT max(number) FROM openapi_versions WHERE spec_id = ?)`,
    ...(isOne ? [file, formatJson(document), null] : ['', '', formatJson(filesystem)]),
    ...[specId, specId],
  );
}

function specOf(db: Database, id: string): { orgId: string; slug: string } {
  const sql = 'SELECT org_id AS orgId, slug FROM openapi_specs WHERE id = ?';
  return found(db.get<{ orgId: string; slug: string }>(sql, id), 'OpenAPI spec', id);
}
