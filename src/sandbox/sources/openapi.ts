import { DocsError } from '../../base/errors.js';
import { isObject } from '../../base/values.js';
import type { PendingWork } from '../handle.js';
import type { Database } from '../store/database.js';
import { nextId } from '../store/ids.js';
import { insert } from '../store/sql.js';
import type { ContentSource } from './content-source.js';

/** Where a specification comes from (spec A, "OpenAPI specs and versions"; platform-facts). */
export type SpecSource = { url: string } | { text: string };

export type SpecFound =
  | { file: string; document: string }
  | { error: 'FETCH_TIMEOUT' | 'FETCH_ERROR' | 'PARSE_ERROR' };

/**
 * Reads a specification, JSON or YAML, and checks it against the schema of its version: OpenAPI 3.0 to 3.2, or
 * Swagger 2.0. Returns it as JSON on one line.
 */
export async function readSpec(source: SpecSource, contents: ContentSource): Promise<SpecFound> {
  if ('text' in source) return parseSpec(source.text, '');
  try {
    const { bytes, name } = await contents.read(source.url);
    return await parseSpec(decode(bytes), name);
  } catch (error) {
    if (!(error instanceof DocsError)) throw error;
    return { error: error.code === 'fetch_timeout' ? 'FETCH_TIMEOUT' : 'FETCH_ERROR' };
  }
}

/** @param name of the file; '' to derive it from the format */
async function parseSpec(text: string | undefined, name: string): Promise<SpecFound> {
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

function decode(bytes: Uint8Array): string | undefined {
  return parse(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes));
}

/*
 * The source of a spec is read when it is set; its state follows the sandbox's clock: pending, after 1 second
 * in progress, after 3 seconds complete. A document then becomes the next version, even if it equals the last
 * one (platform-facts: "adding a version on completion"); a failure sets the error code.
 */
const progressAfterMs = 1000;
const completeAfterMs = 3000;

/** Starts processing again and abandons a run under way. */
export function startRun(db: Database, specId: string, found: SpecFound, now: number): void {
  db.run("UPDATE openapi_specs SET state = 'pending' WHERE id = ?", specId);
  db.run('DELETE FROM openapi_runs WHERE spec_id = ?', specId);
  insert(db, 'openapi_runs', { spec_id: specId, started_at: now, ...found });
}

export const openApiRuns: PendingWork = {
  due: `SELECT min(r.started_at + CASE s.state WHEN 'pending' THEN ${progressAfterMs} ELSE ${completeAfterMs} END)
    FROM openapi_runs r JOIN openapi_specs s ON s.id = r.spec_id`,
  tables: ['openapi_runs', 'openapi_specs'],
  finish(db, now) {
    db.run(
      `UPDATE openapi_specs SET state = 'progress' WHERE state = 'pending'
       AND id IN (SELECT spec_id FROM openapi_runs WHERE started_at <= ?)`,
      now - progressAfterMs,
    );
    const sql = 'SELECT * FROM openapi_runs WHERE started_at <= ? ORDER BY started_at, spec_id';
    for (const run of db.all<RunRow>(sql, now - completeAfterMs)) complete(db, run);
  },
};

interface RunRow {
  spec_id: string;
  started_at: number;
  file: string | null;
  document: string | null;
  error: string | null;
}

function complete(db: Database, run: RunRow): void {
  const at = run.started_at + completeAfterMs;
  const sql = "UPDATE openapi_specs SET state = 'complete', processed_at = ?, error = ? WHERE id = ?";
  db.run(sql, at, run.error, run.spec_id);
  if (run.file !== null && run.document !== null) addVersion(db, run.spec_id, run.file, run.document, at);
  db.run('DELETE FROM openapi_runs WHERE spec_id = ?', run.spec_id);
}

function addVersion(db: Database, specId: string, file: string, document: string, at: number): void {
  db.run(
    `INSERT INTO openapi_versions (id, spec_id, number, file, document, created_at)
     VALUES (?1, ?2, (SELECT coalesce(max(number), 0) + 1 FROM openapi_versions WHERE spec_id = ?2), ?3, ?4, ?5)`,
    ...[nextId(db), specId, file, document, at],
  );
}
