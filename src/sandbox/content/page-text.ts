import type { Database } from '../store/database.js';
import { computedMarkdown } from './computed.js';
import { markdownOf, type PageAttributes, type PageRow } from './versions.js';

/** The text of a page, followed by its computed part unless excluded. */
export function textOf(db: Database, { version, attributes }: PageRow, computed = true): string {
  const { computed: definition } = JSON.parse(attributes) as PageAttributes;
  const parts = [markdownOf(db, version), computed ? computedMarkdown(db, definition) : ''];
  return parts.filter(Boolean).join('\n\n');
}
