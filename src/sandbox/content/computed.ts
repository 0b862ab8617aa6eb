import { isObject } from '../../base/values.js';
import type { Database } from '../store/database.js';
import { type ToldPage, toldOf } from './told.js';
import { markdownOf, type PageAttributes, type PageRow } from './versions.js';

/** Says that a page is generated from an OpenAPI spec when it is read: type `builtin:openapi`. */
type Computed = PageAttributes['computed'];

interface SpecVersion {
  id: string;
  document: string;
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** The source of a computed page: the id of the spec's latest version; undefined if there is none. */
export function computedSeed(db: Database, computed: Computed): string | undefined {
  return latestVersion(db, computed)?.id;
}

/** The text of a page, followed by its computed part unless excluded, or told as one with it. */
export function textOf(db: Database, { version, attributes, told }: PageRow, computed = true): string {
  if (toldOf<ToldPage>(told).head !== undefined) return markdownOf(db, version);
  const definition = (JSON.parse(attributes) as PageAttributes).computed;
  const parts = [markdownOf(db, version), computed ? computedMarkdown(db, definition) : ''];
  return parts.filter(Boolean).join('\n\n');
}

/** The operations of the spec; '' for other pages. */
export function computedMarkdown(db: Database, computed: Computed): string {
  const version = latestVersion(db, computed);
  if (version === undefined) return '';
  const document = JSON.parse(version.document) as { info?: { title?: unknown }; paths?: unknown };
  const title = typeof document.info?.title === 'string' ? document.info.title : 'API';
  return [`## ${title}`, ...operationsOf(document.paths), ''].join('\n\n');
}

function operationsOf(paths: unknown): string[] {
  return entriesOf(paths).flatMap(([path, item]) =>
    entriesOf(item)
      .filter(([method]) => methods.includes(method))
      .map(([method, operation]) => {
        const summary = entriesOf(operation).find(([key]) => key === 'summary')?.[1];
        return `### ${method.toUpperCase()} ${path}${typeof summary === 'string' ? `\n\n${summary}` : ''}`;
      }),
  );
}

function entriesOf(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : [];
}

function latestVersion(db: Database, computed: Computed): SpecVersion | undefined {
  const specId = computed?.dependencies?.spec?.ref.spec;
  if (computed?.type !== 'builtin:openapi' || specId === undefined) return undefined;
  const sql = 'SELECT id, document FROM openapi_versions WHERE spec_id = ? ORDER BY number DESC LIMIT 1';
  return db.remember(`computed ${specId}`, () => db.get<SpecVersion>(sql, specId));
}
